"""Scores in exact rational arithmetic: the judge that no magnitude can mislead.

Floating point rounds, so two correct programs may differ by the rounding of their sums. This one does not round at
all: it is the definition of a score over fractions, and says how large the terms of a path are, which is what rounding
is measured against.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from lawful.lattice.trellis import Lattice
from lawful.rules.compiled_rules import price_of
from lawful.rules.rule import Rule

__all__ = ["ExactScore", "best_exact_score", "exact_score", "rounding_between"]

EPSILON = Fraction(np.finfo(np.float64).eps)
UNITS = 2**1074  # every double is a whole number of these parts of 1


class ExactScore(NamedTuple):
    """The score of one label sequence, and the sum of its terms without their signs.

    Attributes
    ----------
    labels : tuple of str
    score : Fraction
        The lattice's score less the prices of the soft rules that are broken.
    size : Fraction
        The sum of the absolute values of all these terms.
    """

    labels: tuple[str, ...]
    score: Fraction
    size: Fraction


def exact_score(lattice: Lattice, rules: Iterable[Rule], labels: Sequence[str]) -> ExactScore | None:
    """The score of a label sequence under rules, without rounding; None if the lattice or a hard rule forbids it.

    Examples
    --------
    >>> from lawful.rules import forbid
    >>> lattice = Lattice([[1e30, 0.0], [-1e30, 2.0]], labels=["A", "B"])
    >>> exact_score(lattice, [forbid("B").soft(0.5)], ["A", "B"]).score - Fraction(1e30)
    Fraction(3, 2)
    """
    terms = _terms(lattice, [lattice.labels.index(label) for label in labels])
    if -np.inf in terms:
        return None
    units = [_units(term) for term in terms]
    for rule in rules:
        violations = rule.violations(labels, lattice.tokens, lattice.context, label_set=lattice.labels)
        if violations and rule.price == "hard":
            return None
        if violations:
            units.append(-_units(price_of(rule)) * (violations if rule.per == "violation" else 1))
    return ExactScore(tuple(labels), Fraction(sum(units), UNITS), Fraction(sum(map(abs, units)), UNITS))


def best_exact_score(lattice: Lattice, rules: Iterable[Rule]) -> ExactScore | None:
    """The best of all label sequences, by looking at each of them; None if none is legal. For short sequences only.

    Examples
    --------
    >>> from lawful.rules import exactly
    >>> lattice = Lattice([[-1e30, 2.0], [3.0, 3.0], [1.0, 0.0]], labels=["A", "B"])
    >>> best_exact_score(lattice, [exactly(1, "A")]).labels
    ('B', 'B', 'A')
    """
    rules = list(rules)
    best: ExactScore | None = None
    for labels in product(lattice.labels, repeat=lattice.length):
        candidate = exact_score(lattice, rules, labels)
        if candidate is not None and (best is None or candidate.score > best.score):
            best = candidate
    return best


def rounding_between(*scores: ExactScore) -> Fraction:
    """What rounding can hide when sums of doubles are compared: a few units in the last place of all that is added up.

    Examples
    --------
    >>> lattice = Lattice([[1e30, 0.0], [-1e30, 2.0]], labels=["A", "B"])
    >>> float(rounding_between(exact_score(lattice, [], ["B", "B"])))  # doctest: +ELLIPSIS
    1.42...e-14
    """
    return EPSILON * sum(((8 * len(score.labels) + 16) * score.size for score in scores), Fraction(0))


def _units(number: float) -> int:
    numerator, denominator = number.as_integer_ratio()
    return numerator * (UNITS // denominator)


def _terms(lattice: Lattice, path: Sequence[int]) -> list[float]:
    emissions, steps = lattice.emissions, lattice.transitions
    terms = [emissions[t, label] for t, label in enumerate(path)]
    for t, (before, after) in enumerate(pairwise(path)):
        if steps is not None:
            terms.append(steps[before, after] if steps.ndim == 2 else steps[t, before, after])
    if lattice.start is not None:
        terms.append(lattice.start[path[0]])
    if lattice.end is not None:
        terms.append(lattice.end[path[-1]])
    return [float(term) for term in terms]
