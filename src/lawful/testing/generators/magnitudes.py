"""Random trellises and rules whose numbers span the range of doubles, in one lattice."""

from __future__ import annotations

import numpy as np

from lawful.labels import LabelSet
from lawful.lattice.arrays import Floats
from lawful.lattice.trellis import Lattice
from lawful.rules import (
    Rules,
    at_least,
    at_most,
    at_most_segments,
    before,
    ends_with,
    exactly,
    excludes,
    forbid,
    requires,
    segment_length,
)
from lawful.rules.rule import Per

__all__ = ["random_magnitudes", "wide_problem"]

MASKS = (-1e4, -1e9, -1e15, -1e30, float(np.finfo(np.float32).min))  # what people write for "never"


def random_magnitudes(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Scores of one usual size, a few of which are masks, or of any size from 1e-300 to 1e300.

    Examples
    --------
    >>> bool(np.isfinite(random_magnitudes(np.random.default_rng(1), (20, 5))).all())
    True
    """
    unit = 10.0 ** rng.choice([0.0, 0.0, 0.0, -300.0, -8.0, 8.0])
    scores: Floats = rng.normal(scale=3.0, size=shape) * unit
    flat = scores.reshape(-1)
    kind = rng.integers(4)
    for index in rng.integers(len(flat), size=int(rng.integers(1, 4))):
        if kind == 1:
            flat[index] = rng.choice(MASKS)
        elif kind == 2:
            flat[index] = rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-300, 300)
    return scores


def wide_problem(rng: np.random.Generator, *, longest: int = 5) -> tuple[Lattice, Rules]:
    """A short trellis with two or three labels, and rules with memory at prices of any size.

    Examples
    --------
    >>> lattice, rules = wide_problem(np.random.default_rng(1))
    >>> lattice.length <= 5, len(rules) >= 1
    (True, True)
    """
    labels = LabelSet(["A", "B", "C"][: int(rng.integers(2, 4))])
    count, length = len(labels), int(rng.integers(1, longest + 1))
    lattice = Lattice(
        random_magnitudes(rng, (length, count)),
        random_magnitudes(rng, (count, count)) if rng.random() < 0.6 else None,
        labels=labels,
        start=random_magnitudes(rng, (count,)) if rng.random() < 0.2 else None,
        end=random_magnitudes(rng, (count,)) if rng.random() < 0.2 else None,
        mask=rng.random((length, count)) < 0.9 if rng.random() < 0.2 else None,
    )
    rules = []
    for _ in range(int(rng.integers(1, 4))):
        first, second = map(str, rng.choice(list(labels), 2, replace=False))
        kinds = [
            at_most_segments(1, first),
            exactly(1, first),
            at_least(1, first),
            before(first, second),
            requires(first, second),
            forbid(first),
            at_most(1, first, second),
            excludes(first, second),
            ends_with(first),
            segment_length(first, min=2),
        ]
        rule = kinds[int(rng.integers(len(kinds)))]
        per: Per = "violation" if rng.random() < 0.5 else "sequence"
        chance = rng.random()
        if chance < 0.3:
            rule = rule.soft(float(rng.uniform(0, 5)), per=per)
        elif chance < 0.5:
            rule = rule.soft(float(10.0 ** rng.uniform(-300, 300)), per=per)
        rules.append(rule)
    return lattice, Rules(rules)
