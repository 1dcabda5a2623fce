"""What a solver is given, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.lattice.graph import GraphLattice
from lawful.lattice.trellis import Lattice
from lawful.rules.rule import Rule

__all__ = ["Kinds", "Limits", "Problem", "Round", "Solution", "Status"]

Kinds: TypeAlias = npt.NDArray[np.uint16] | None
Status = Literal["optimal", "bounded", "infeasible"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a search may use before it gives up its proof.

    Attributes
    ----------
    max_states : int or None
        States visited in all.
    timeout : float or None
        Seconds.
    max_memory : int or None
        Bytes of the largest graph.
    on_limit : "raise" or "bounded"
        Raise `LimitError`, or give the best answer so far with its bound.

    Examples
    --------
    >>> Limits(timeout=2.0, on_limit="bounded").timeout
    2.0
    """

    max_states: int | None = None
    timeout: float | None = None
    max_memory: int | None = None
    on_limit: Literal["raise", "bounded"] = "raise"


@dataclass(frozen=True)
class Problem:
    """A lattice, and the rules as automata that are tied to it.

    Attributes
    ----------
    lattice : Lattice or GraphLattice
    parts : tuple of _core.Part
        The automata; `part.rule` says whose it is. What a rule costs is the sum over its parts.
    kinds : tuple of (uint16 array (T,) or None)
        For each part, the kind of every token; None if all are of kind 0.
    names : tuple of str
        The name of each rule.
    limits : Limits
    sources : tuple of Rule
        The rules themselves, if whoever made the problem has them: what they say may have a shorter form than
        their automata.

    Examples
    --------
    >>> Problem(Lattice([[0.0, 1.0]])).rules
    ()
    """

    lattice: Lattice | GraphLattice
    parts: tuple[_core.Part, ...] = ()
    kinds: tuple[Kinds, ...] = ()
    names: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    sources: tuple[Rule, ...] = ()

    @cached_property
    def rules(self) -> tuple[int, ...]:
        """The rules that have an automaton here, in order."""
        return tuple(sorted(self._by_rule))

    def parts_of(self, rule: int) -> list[tuple[_core.Part, Kinds]]:
        """The automata of one rule, each with the kinds of the tokens."""
        return self._by_rule[rule]

    @cached_property
    def _by_rule(self) -> dict[int, list[tuple[_core.Part, Kinds]]]:
        found: dict[int, list[tuple[_core.Part, Kinds]]] = {}
        for part, kinds in zip(self.parts, self.kinds, strict=True):
            found.setdefault(part.rule, []).append((part, kinds))
        return found


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
    dead_at : int or None
        If infeasible: the first token at which no labelling is left; None if it takes the end to tell.

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
    dead_at: int | None = None
