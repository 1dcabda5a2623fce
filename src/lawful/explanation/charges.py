"""What a label sequence pays for the rules that it breaks, counted by the rules' own Python definition.

This is the independent judge of answers: compiled machines take no part in it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lawful.decoding.judge import charge
from lawful.lattice import AnyLattice, path_score
from lawful.rules.ruleset import Rules
from lawful.support.styled_text import finite

__all__ = ["Bill", "Charge", "bill_of", "same", "tolerance"]


@dataclass(frozen=True, slots=True)
class Charge:
    """A rule that a label sequence breaks.

    Attributes
    ----------
    rule : str
        Its name.
    violations : int
        How many times it is broken.
    cost : float
        The total cost; infinite for a hard rule.

    Examples
    --------
    >>> Charge("one date", 2, 3.0).hard
    False
    """

    rule: str
    violations: int
    cost: float

    @property
    def hard(self) -> bool:
        """Whether the rule is hard, so that no score makes up for breaking it."""
        return math.isinf(self.cost)

    def to_dict(self) -> dict[str, Any]:
        """The charge as a dict, ready for JSON; the cost of a hard rule is None."""
        return {
            "rule": self.rule,
            "violations": self.violations,
            "cost": finite(self.cost),
            "hard": self.hard,
        }


@dataclass(frozen=True, slots=True)
class Bill:
    """A label sequence, rescored without any solver or machine.

    Attributes
    ----------
    lattice_score : float
        Of the lattice alone; -inf if it forbids the labels.
    broken : tuple of Charge
        The rules that the labels break, in order.
    """

    lattice_score: float
    broken: tuple[Charge, ...]

    @property
    def cost(self) -> float:
        """The total cost of the broken rules."""
        return sum(charge.cost for charge in self.broken)

    @property
    def score(self) -> float:
        """The lattice's score less the cost; -inf if the labels are forbidden."""
        return self.lattice_score - self.cost


def bill_of(lattice: AnyLattice, rules: Rules, labels: Sequence[str]) -> Bill:
    """Score labels by the definition: the lattice's path score, less the price of every broken rule.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.rules import forbid
    >>> lattice = Lattice([[1.0, 0.0], [0.0, 2.0]], labels=["A", "B"])
    >>> bill_of(lattice, Rules(forbid("A").soft(0.5, per="violation")), ["A", "A"])
    Bill(lattice_score=1.0, broken=(Charge(rule="forbid('A')", violations=2, cost=1.0),))
    """
    broken = []
    for rule in rules:
        violations = rule.violations(labels, lattice.tokens, lattice.context, label_set=lattice.labels)
        if violations:
            broken.append(Charge(rule.name, violations, charge(rule, violations)))
    return Bill(path_score(lattice, labels), tuple(broken))


def tolerance(lattice: AnyLattice, score: float) -> float:
    """How much two computations of one score may differ because of rounding."""
    return max(1e-9, 1e-9 * abs(score), 1e-12 * lattice.magnitude())


def same(lattice: AnyLattice, a: float, b: float) -> bool:
    """Whether two scores of a lattice are equal up to rounding.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> lattice = Lattice([[1.0, 0.0]])
    >>> same(lattice, 1e6, 1e6 + 1e-5), same(lattice, 0.0, 1e-5)
    (True, False)
    """
    return a == b or (math.isfinite(a) and math.isfinite(b) and abs(a - b) <= tolerance(lattice, a))
