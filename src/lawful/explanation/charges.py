"""What a label sequence pays for the rules that it breaks, counted by the rules' own Python definition.

This is the independent judge of answers: compiled machines take no part in it, unless somebody says what they counted.
"""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any

from lawful.decoding.judge import charge
from lawful.lattice import AnyLattice
from lawful.lattice.scoring import path_terms
from lawful.lattice.sums import PathSum, add_up
from lawful.rules.ruleset import Rules
from lawful.support.styled_text import finite

__all__ = ["Bill", "Charge", "bill_of"]


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
    terms : tuple of float
        What the lattice alone adds up; -inf is among it if the lattice forbids the labels.
    broken : tuple of Charge
        The rules that the labels break, in order.
    """

    terms: tuple[float, ...]
    broken: tuple[Charge, ...]

    @property
    def lattice_score(self) -> float:
        """The score of the lattice alone; -inf if it forbids the labels."""
        return add_up(self.terms).score

    @property
    def total(self) -> PathSum:
        """The lattice's score less all costs; -inf if the labels are forbidden, or break a hard rule."""
        return add_up([*self.terms, *(-charge.cost for charge in self.broken)])

    def under(self, rules: Container[str]) -> PathSum:
        """The lattice's score less the costs of some of the rules, by name."""
        return add_up([*self.terms, *(-charge.cost for charge in self.broken if charge.rule in rules)])


def bill_of(
    lattice: AnyLattice, rules: Rules, labels: Sequence[str], counts: Sequence[int] | None = None
) -> Bill:
    """Score labels by the definition: the lattice's path score, less the price of every broken rule.

    `counts` are the violations of each rule, if somebody counted them before.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.rules import forbid
    >>> lattice = Lattice([[1.0, 0.0], [0.0, 2.0]], labels=["A", "B"])
    >>> bill_of(lattice, Rules(forbid("A").soft(0.5, per="violation")), ["A", "A"])
    Bill(terms=(1.0, 0.0), broken=(Charge(rule="forbid('A')", violations=2, cost=1.0),))
    """
    broken = []
    if counts is None:
        tokens, context, names = lattice.tokens, lattice.context, lattice.labels
        counts = [rule.violations(labels, tokens, context, label_set=names) for rule in rules]
    for rule, violations in zip(rules, counts, strict=True):
        if violations:
            broken.append(Charge(rule.name, violations, charge(rule, violations)))
    return Bill(tuple(path_terms(lattice, labels)), tuple(broken))
