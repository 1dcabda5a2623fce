"""What a solver gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Round", "Solution", "Status"]

Status = Literal["optimal", "bounded", "infeasible"]


@dataclass(frozen=True, slots=True)
class Round:
    """One intersection of a search.

    Attributes
    ----------
    rules : tuple of int
        The rules that entered.
    score : float
        The best score then; an upper bound as long as rules are out. -inf: no path is left.
    states, arcs : int
        The size of the lattice then.
    """

    rules: tuple[int, ...]
    score: float
    states: int
    arcs: int


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer of a solver.

    Attributes
    ----------
    labels : tuple of int, or None
        Positions in the label set. None if there is no answer.
    score : float
        Of the lattice, less what broken rules cost; -inf if there is no answer.
    status : "optimal", "bounded" or "infeasible"
        "bounded": a limit was reached, and `bound` is all that is proved.
    bound : float
        No label sequence scores more.
    rounds : tuple of Round
    states : int
        States visited in all.
    why : str
        What the search did, in a sentence.
    limit : str
        What ended the search before its proof: "max_states", "timeout", "max_memory", or "budget", a solver's own.

    Examples
    --------
    >>> Solution(labels=(1, 0), score=2.0, status="optimal", bound=2.0).labels
    (1, 0)
    """

    labels: tuple[int, ...] | None
    score: float
    status: Status
    bound: float
    rounds: tuple[Round, ...] = ()
    states: int = 0
    why: str = ""
    limit: str = ""
