"""Differences between outputs, with paired bootstrap; targets that are met or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

__all__ = ["CORPORA", "Difference", "compare", "difference", "f1", "precision_recall"]

CORPORA = {
    ("train", "dev"): "WSJ 15-18 / 20, automatic parses",
    ("train", "brown"): "WSJ 15-18 / Brown, automatic parses",
    ("ewt-train", "ewt-test"): "English Web Treebank, gold trees, verbs",
    ("ewt-train", "ewt-test-others"): "the same models on predicates that are no verbs",
}
ROUNDS = 2000
Rows = Sequence[Sequence[int]]


def f1(counts: Sequence[int]) -> float:
    """F1 in per cent of (correct, predicted, gold)."""
    correct, predicted, gold = counts
    return 200 * correct / (predicted + gold) if predicted + gold else 0.0


def precision_recall(counts: Sequence[int]) -> str:
    """Precision and recall in per cent, beside each other."""
    correct, predicted, gold = counts
    return f"{100 * correct / max(1, predicted):.1f} / {100 * correct / max(1, gold):.1f}"


class Difference(NamedTuple):
    """How much better one output is than another: F1, and 95 % of what paired resampling of propositions gives."""

    change: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.change:+.2f} ({self.low:+.2f} to {self.high:+.2f})"


def compare(first: Rows, second: Rows) -> Difference:
    """How much better the second of two outputs is; rows are (correct, predicted, gold) of one proposition each."""
    one, other = np.array(first, dtype=np.int64), np.array(second, dtype=np.int64)
    random = np.random.default_rng(0)
    times = random.multinomial(len(one), np.full(len(one), 1 / len(one)), size=ROUNDS)
    drawn = [_f1_of(times @ rows) for rows in (one, other)]
    low, high = np.percentile(drawn[1] - drawn[0], [2.5, 97.5])
    change = f1(other.sum(axis=0).tolist()) - f1(one.sum(axis=0).tolist())
    return Difference(change, float(low), float(high))


def _f1_of(
    counts: np.ndarray[tuple[int, int], np.dtype[np.int64]],
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray(200 * counts[:, 0] / np.maximum(1, counts[:, 1] + counts[:, 2]))


def difference(first: Rows, second: Rows) -> str:
    """The same in words."""
    return str(compare(first, second))
