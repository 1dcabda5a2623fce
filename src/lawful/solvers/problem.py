"""What a solver is given."""

from __future__ import annotations

from dataclasses import dataclass, field

from lawful.lattice.base import AnyLattice
from lawful.rules.bound_rules import NO_RULES, BoundRules
from lawful.support.limits import Limits

__all__ = ["Limits", "Problem"]


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
