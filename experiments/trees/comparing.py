"""Differences between outputs, with paired bootstrap; targets that are met or not."""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = [
    "CORPORA",
    "Difference",
    "compare",
    "compare_gains",
    "difference",
    "f1",
    "pack",
    "precision_recall",
    "share_alike",
    "totals",
]

CORPORA = {
    ("train", "dev"): "WSJ 15-18 / 20, automatic parses",
    ("train", "brown"): "WSJ 15-18 / Brown, automatic parses",
    (
        "ewt-train but weblog",
        "ewt-test but weblog",
    ): "English Web Treebank without weblogs, gold trees, verbs",
    (
        "ewt-train but weblog",
        "ewt-train of weblog",
    ): "the same models on the genre that was left out, weblogs",
    (
        "ewt-train but weblog",
        "ewt-test-others but weblog",
    ): "the same models on predicates that are no verbs",
}
ROUNDS = 2000
Counts = npt.NDArray[np.int64]


def pack(rows: Sequence[Sequence[int]]) -> str:
    """Correct, predicted and gold arguments of each proposition as a short text: any two outputs can be compared from a page's JSON file.

    Examples
    --------
    >>> pack([(1, 2, 2), (0, 1, 3)])
    'eNpjZGJiYGQGAAAjAAo='
    >>> unpack(pack([(1, 2, 2), (0, 1, 3)])).tolist()
    [[1, 2, 2], [0, 1, 3]]
    """
    return b64encode(zlib.compress(np.array(rows, dtype=np.uint8).tobytes(), 9)).decode()


def unpack(packed: str) -> Counts:
    """The rows."""
    return np.frombuffer(zlib.decompress(b64decode(packed)), dtype=np.uint8).reshape(-1, 3).astype(np.int64)


def share_alike(packed: Sequence[str]) -> float:
    """The share of propositions in which all outputs have equally many arguments, and equally many of them right.

    Examples
    --------
    >>> share_alike([pack([(1, 2, 2), (0, 1, 3)]), pack([(1, 2, 2), (1, 1, 3)])])
    0.5
    """
    first, *others = map(unpack, packed)
    alike = np.all([(first == other).all(axis=1) for other in others], axis=0)
    return float(alike.mean())


def totals(packed: str) -> list[int]:
    """Correct, predicted and gold arguments of all propositions."""
    counts: list[int] = unpack(packed).sum(axis=0).tolist()
    return counts


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

    def meets(self, least: float) -> str:
        """Whether it is as large as a target wants, and if not, whether it may be."""
        if self.change >= least:
            return "yes" if self.low >= least else "yes; the interval reaches below it"
        return "**missed**; the interval reaches it" if self.high >= least else "**missed**"


def compare(first: str, second: str) -> Difference:
    """How much better the second of two outputs is."""
    return _summed([_Pair.of(first, second, seed=0)])


def compare_gains(home: tuple[str, str], away: tuple[str, str]) -> Difference:
    """How much more an output gains over another on one set of propositions than on another set."""
    gain_at_home, gain_away = _Pair.of(*home, seed=0), _Pair.of(*away, seed=1)
    return _summed([gain_away, _Pair(-gain_at_home.change, -gain_at_home.drawn)])


def difference(first: str, second: str) -> str:
    """The same in words."""
    return str(compare(first, second))


class _Pair(NamedTuple):
    """A difference, and what it is in each resampling."""

    change: float
    drawn: npt.NDArray[np.float64]

    @classmethod
    def of(cls, first: str, second: str, *, seed: int) -> _Pair:
        one, other = unpack(first), unpack(second)
        random = np.random.default_rng(seed)
        times = random.multinomial(len(one), np.full(len(one), 1 / len(one)), size=ROUNDS)
        return cls(f1(totals(second)) - f1(totals(first)), _f1_of(times @ other) - _f1_of(times @ one))


def _summed(pairs: Sequence[_Pair]) -> Difference:
    low, high = np.percentile(np.sum([pair.drawn for pair in pairs], axis=0), [2.5, 97.5])
    return Difference(sum(pair.change for pair in pairs), float(low), float(high))


def _f1_of(counts: Counts) -> npt.NDArray[np.float64]:
    return np.asarray(200 * counts[:, 0] / np.maximum(1, counts[:, 1] + counts[:, 2]))
