"""One sequence of any length, number of labels, rules and violations: what the growth page decodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import lawful

__all__ = ["SERIES", "Point", "Series"]

SIGNAL = 6.0  # by how much the right label scores more than noise of deviation 1
SPOT = 14.0  # by how much a label does where it must not be


@dataclass(frozen=True)
class Point:
    """A lattice and its rules."""

    lattice: lawful.Lattice
    rules: lawful.Rules

    @property
    def score_bytes(self) -> int:
        """What must be read of the lattice at least."""
        return self.lattice.emissions.nbytes


@dataclass(frozen=True)
class Series:
    """How problems grow in one direction.

    Attributes
    ----------
    name, along : str
        What it is called, and what grows.
    about : str
    sizes : tuple of int
    make : function of a size
    linear : bool
        Whether time should grow with the size, and not faster.
    """

    name: str
    along: str
    about: str
    sizes: tuple[int, ...]
    make: Callable[[int], Point]
    linear: bool = True


def _lattice(length: int, labels: int, spots: dict[int, int], seed: int = 0) -> lawful.Lattice:
    """Labels in ascending order, each for a stretch; `spots` are positions with labels that do not belong there."""
    rng = np.random.default_rng([length, labels, seed])
    scores = rng.normal(size=(length, labels))
    scores[np.arange(length), np.arange(length) * labels // length] += SIGNAL
    for position, label in spots.items():
        scores[position, label] += SPOT
    steps = lawful.lattice.Transitions(0.5 * np.eye(labels))
    return lawful.Lattice(scores, steps, labels=[f"L{k}" for k in range(labels)])


def _order(count: int, labels: int) -> lawful.Rules:
    """So many rules that one label does not come after another; the right labels obey all of them."""
    pairs = [
        (a, b) for gap in range(1, labels) for a, b in zip(range(labels), range(gap, labels), strict=False)
    ]
    return lawful.Rules(lawful.before(f"L{a}", f"L{b}") for a, b in pairs[:count])


def _length(size: int, *, broken: bool) -> Point:
    return Point(_lattice(size, 13, {size // 2: 0} if broken else {}), _order(12, 13))


def _labels(size: int) -> Point:
    return Point(_lattice(1000, size, {500: 0}), _order(10, size))


def _rules(size: int, *, broken: bool) -> Point:
    return Point(_lattice(200, 50, {100: 0} if broken else {}), _order(size, 50))


def _violations(size: int) -> Point:
    """Rule v says that label v comes once; it comes a second time where nothing else is wrong."""
    labels, length = 24, 480
    lattice = _lattice(length, labels, {length - 25 * (v + 1): v for v in range(size)})
    rules = lawful.Rules(lawful.at_most_segments(1, f"L{v}") for v in range(16))
    return Point(lattice, rules)


LENGTHS = (100, 1_000, 10_000, 100_000)
COUNTS = (1, 10, 100, 1_000)
SERIES = (
    Series(
        "length", "tokens", "13 labels, 12 rules, all obeyed", LENGTHS, lambda n: _length(n, broken=False)
    ),
    Series(
        "length-broken", "tokens", "13 labels, 12 rules; one label in the middle breaks the first of them",
        LENGTHS, lambda n: _length(n, broken=True),
    ),
    Series(
        "labels", "labels", "1,000 tokens, 10 rules, the first of them broken; a step looks at all pairs of labels",
        (5, 20, 50, 100, 200, 500), _labels, linear=False,
    ),
    Series("rules", "rules", "200 tokens, 50 labels, all rules obeyed", COUNTS, lambda n: _rules(n, broken=False)),
    Series(
        "rules-broken", "rules", "200 tokens, 50 labels; one label in the middle breaks some of the rules",
        COUNTS, lambda n: _rules(n, broken=True),
    ),
    Series(
        "violations", "violations", "480 tokens, 24 labels, 16 rules, so many of them broken",
        (1, 2, 4, 8, 16), _violations,
    ),
)  # fmt: skip
