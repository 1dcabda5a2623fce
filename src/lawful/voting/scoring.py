"""What a vote scores a label sequence, by the definition: the judge of what searches find. As data, so that votes can be pickled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lawful.decoding.judge import charge
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, path_score
from lawful.rules.ruleset import Rules

__all__ = ["MixedScore", "ScoreInLattice"]


@dataclass(frozen=True)
class ScoreInLattice:
    """The score of a vote that is a lattice, less what rules charge; -inf where one of them forbids the labels.

    `digits`: what it is rounded to, if at all.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.rules import forbid
    >>> lattice = Lattice([[1.0, 0.0]], labels=["A", "B"])
    >>> ScoreInLattice(lattice, Rules(forbid("A").soft(0.25)), lattice.labels)(["A"])
    0.75
    """

    lattice: AnyLattice
    rules: Rules
    labels: LabelSet
    digits: int | None = None

    def __call__(self, labels: Sequence[str]) -> float:
        """The score of a label sequence."""
        if not all(label in self.lattice.labels for label in labels):
            return -math.inf
        score = path_score(self.lattice, labels) - _charges(self.rules, self.lattice, self.labels, labels)
        return score if self.digits is None else round(score, self.digits)


@dataclass(frozen=True)
class MixedScore:
    """The score of a linear vote: the log of the weighted sum of probabilities, less what rules charge.

    Attributes
    ----------
    weights, sums : tuples of float
        Of the taggers: above 0, and the logs of what their scores add up to.
    lattices : tuple of lattices
    rules : Rules
    labels : LabelSet

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> even = Lattice([[0.0, 0.0]], labels=["A", "B"])
    >>> round(math.exp(MixedScore((1.0,), (math.log(2),), (even,), Rules(), even.labels)(["A"])), 6)
    0.5
    """

    weights: tuple[float, ...]
    sums: tuple[float, ...]
    lattices: tuple[AnyLattice, ...]
    rules: Rules
    labels: LabelSet

    def __call__(self, labels: Sequence[str]) -> float:
        """The score of a label sequence."""
        terms = [
            math.log(weight) - total + path_score(lattice, labels)
            for weight, total, lattice in zip(self.weights, self.sums, self.lattices, strict=True)
            if total > -math.inf and all(label in lattice.labels for label in labels)
        ]
        shared = float(np.logaddexp.reduce(terms)) if terms else -math.inf
        return shared - _charges(self.rules, self.lattices[0], self.labels, labels)

    def size(self) -> float:
        """The largest number that is added up: rounding is relative to that."""
        return max((abs(total) for total in self.sums if math.isfinite(total)), default=0.0)


def _charges(rules: Rules, lattice: AnyLattice, known: LabelSet, labels: Sequence[str]) -> float:
    """What rules charge, by their reference meaning."""
    return math.fsum(
        charge(rule, rule.violations(labels, lattice.tokens, lattice.context, label_set=known))
        for rule in rules
    )
