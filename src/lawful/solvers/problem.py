"""What a solver is given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from lawful.lattice.base import AnyLattice
from lawful.rules.bound_rules import NO_RULES, BoundRules

__all__ = ["Limits", "Problem"]


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
    """A lattice, the rules that are tied to it, and what the search may use.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> Problem(Lattice([[0.0, 1.0]])).rules.in_force
    ()
    """

    lattice: AnyLattice
    rules: BoundRules = NO_RULES
    limits: Limits = field(default_factory=Limits)
