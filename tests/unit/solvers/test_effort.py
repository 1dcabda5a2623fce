"""How much the engine looks at, where a wrong choice between searching and pricing would cost many passes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import lawful

LABELS = 13


@pytest.mark.parametrize("length", [1_000, 10_000])
def test_one_broken_order_takes_hardly_more_than_a_pass(length: int) -> None:
    # No price for a state lowers the bound here: the rule passes from one to the other at any token.
    scores = np.random.default_rng(length).normal(size=(length, LABELS))
    scores[np.arange(length), np.arange(length) * LABELS // length] += 6.0
    scores[length // 2, 0] += 14.0
    names = [f"L{k}" for k in range(LABELS)]
    rules = [lawful.before(a, b) for a, b in pairwise(names)]
    best = lawful.decode(lawful.Lattice(scores, 0.5 * np.eye(LABELS), labels=names), rules)
    assert best.violations == dict.fromkeys(best.violations, 0)
    assert best.loss > 0
    assert best.states < 2 * length * LABELS


def test_labels_that_come_once_are_priced_without_a_search() -> None:
    length, labels = 1_000, 25
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(length, labels))
    scores[np.arange(length), np.arange(length) * labels // length] += 6.0
    scores[length // 3, labels - 1] += 14.0
    names = [f"L{k}" for k in range(labels)]
    rules = [lawful.at_most_segments(1, name) for name in names]
    best = lawful.decode(lawful.Lattice(scores, 0.5 * np.eye(labels), labels=names), rules)
    assert best.loss > 0
    assert best.states <= 2 * length * labels
