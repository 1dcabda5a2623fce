"""Percentile bootstrap over sequences: how much a score varies between samples."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import InputError
from lawful.evaluation.metrics import measure
from lawful.support.numbers import check_count, check_seed

__all__ = ["Interval", "bootstrap_intervals", "resample"]

_MOST_NUMBERS = 1 << 22  # in memory at a time
_BITS = 64  # of a word
_COST_OF_A_KIND = 48  # a binomial number takes as long as to draw so many sequences


class Interval(NamedTuple):
    """The range of the middle of the resampled scores.

    Examples
    --------
    >>> Interval(0.9, 0.94)
    Interval(low=0.9, high=0.94)
    """

    low: float
    high: float


def resample(
    counts: npt.NDArray[np.int64], rounds: int, generator: np.random.Generator
) -> Iterator[npt.NDArray[np.float64]]:
    """Sums over N sequences drawn with replacement, in blocks of shape (rounds of the block, columns).

    Equal rows are drawn together where there are few different ones: the number of times that each is drawn is multinomial.

    Examples
    --------
    >>> blocks = resample(np.array([[1, 2], [1, 2]]), 3, np.random.default_rng(0))
    >>> np.concatenate(list(blocks)).tolist()
    [[2.0, 4.0], [2.0, 4.0], [2.0, 4.0]]
    """
    distinct, times = _distinct(counts)
    sequences, kinds = len(counts), len(distinct)
    if kinds * _COST_OF_A_KIND > sequences:
        yield _drawn_one_by_one(counts, rounds, int(generator.integers(1 << 63)))
        return
    block = max(1, _MOST_NUMBERS // kinds)
    for start in range(0, rounds, block):
        drawn = generator.multinomial(sequences, times / times.sum(), size=min(block, rounds - start))
        yield drawn.astype(np.float64) @ distinct.astype(np.float64)


def _distinct(counts: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The different rows, and how often each occurs.

    Examples
    --------
    >>> [found.tolist() for found in _distinct(np.array([[1, 2], [3, 4], [1, 2]]))]
    [[[1, 2], [3, 4]], [2, 1]]
    """
    radices = [int(most) + 1 for most in counts.max(axis=0, initial=0)]
    if math.prod(radices) >= 1 << 62:
        distinct, times = np.unique(counts, axis=0, return_counts=True)
        return distinct, times
    worth = np.array([math.prod(radices[column + 1 :]) for column in range(len(radices))], dtype=np.int64)
    _, first, times = np.unique(counts @ worth, return_index=True, return_counts=True)  # quicker than rows
    return counts[first], times


def _drawn_one_by_one(counts: npt.NDArray[np.int64], rounds: int, seed: int) -> npt.NDArray[np.float64]:
    """The sums of every round (rounds, columns), drawn in the core.

    Examples
    --------
    >>> _drawn_one_by_one(np.array([[1, 2], [1, 2]]), 3, 0).tolist()
    [[2.0, 4.0], [2.0, 4.0], [2.0, 4.0]]
    """
    words, fields = _packed(counts)
    drawn = _core.resampled_sums(words, rounds, seed).reshape(rounds, words.shape[1])
    sums = np.empty((rounds, counts.shape[1]))
    for column, (word, shift, bits) in enumerate(fields):
        sums[:, column] = (drawn[:, word] >> np.uint64(shift)) & np.uint64((1 << bits) - 1)
    return sums


class _Field(NamedTuple):
    """Where a column of counts stands, with room for its sum."""

    word: int
    shift: int
    bits: int


def _packed(counts: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.uint64], list[_Field]]:
    """The columns in as few words (N, W) as can hold the sums of as many sequences: words are added up faster than columns.

    Examples
    --------
    >>> words, fields = _packed(np.array([[1, 3], [2, 0]]))
    >>> words.tolist(), fields
    ([[25], [2]], [_Field(word=0, shift=0, bits=3), _Field(word=0, shift=3, bits=3)])
    """
    fields: list[_Field] = []
    word, used = 0, 0
    for most in counts.max(axis=0, initial=0).tolist():
        bits = (len(counts) * int(most)).bit_length()
        if used + bits > _BITS:
            word, used = word + 1, 0
        fields.append(_Field(word, used, bits))
        used += bits
    words = np.zeros((len(counts), word + 1), dtype=np.uint64)
    for of_column, field in zip(counts.T, fields, strict=True):
        words[:, field.word] |= of_column.astype(np.uint64) << np.uint64(field.shift)
    return words, fields


def bootstrap_intervals(
    counts: npt.NDArray[np.int64],
    metrics: Sequence[str],
    *,
    rounds: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> dict[str, Interval]:
    """Percentile intervals of metrics, over resampled sequences.

    Parameters
    ----------
    counts : array of int, shape (N, 7)
        From `count_sequences`.
    metrics : sequence of str
    rounds : int
    confidence : float
        The share of the resampled scores inside the interval.
    seed : int

    Examples
    --------
    >>> counts = np.array([[1, 1, 4, 4, 1, 1, 1], [1, 0, 4, 2, 0, 1, 1]] * 50)
    >>> interval = bootstrap_intervals(counts, ["token_accuracy"])["token_accuracy"]
    >>> interval.low < 0.75 < interval.high
    True
    """
    if not 0 < confidence < 1:
        raise InputError(f"confidence must be between 0 and 1, got {confidence!r}")
    check_count("rounds", rounds, least=1)
    if not len(counts):
        raise InputError("a bootstrap needs sequences, got none")
    sums = np.concatenate(list(resample(counts, rounds, np.random.default_rng(check_seed("seed", seed)))))
    tail = (1 - confidence) / 2
    return {
        metric: Interval(*(float(edge) for edge in np.quantile(measure(metric, sums), [tail, 1 - tail])))
        for metric in metrics
    }
