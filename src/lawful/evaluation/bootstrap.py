"""Percentile bootstrap over sequences: how much a score varies between samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.errors import InputError
from lawful.evaluation.metrics import measure
from lawful.support.numbers import check_count, check_seed

__all__ = ["Interval", "bootstrap_intervals", "resample"]

_MOST_NUMBERS = 1 << 22  # in memory at a time
_BITS = 63  # of a whole number without its sign
_FEW_NUMBERS = 1 << 15  # which the processor's caches hold
_COST_OF_A_KIND = 8  # a binomial number takes as long as to draw so many sequences


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
    distinct, times = np.unique(counts, axis=0, return_counts=True)
    sequences, kinds = len(counts), len(distinct)
    together = kinds * _COST_OF_A_KIND <= sequences
    words = [] if together else _packed(counts)
    block = max(1, _MOST_NUMBERS // kinds if together else _FEW_NUMBERS // sequences)
    for start in range(0, rounds, block):
        size = min(block, rounds - start)
        if together:
            drawn = generator.multinomial(sequences, times / times.sum(), size=size)
            yield drawn.astype(np.float64) @ distinct.astype(np.float64)
        else:
            numbers = generator.integers(sequences, size=(size, sequences))
            sums = np.empty((size, counts.shape[1]))
            for word in words:
                of_word = word.numbers[numbers].sum(axis=1)
                for column, shift, bits in word.fields:
                    sums[:, column] = (of_word >> shift) & ((1 << bits) - 1)
            yield sums


class _Word(NamedTuple):
    """Several columns of counts in one whole number for each sequence, with room for their sums."""

    numbers: npt.NDArray[np.int64]
    fields: list[tuple[int, int, int]]  # of each column in it: its index, where it begins, and its bits


def _packed(counts: npt.NDArray[np.int64]) -> list[_Word]:
    """The columns in as few words as can hold the sums of as many sequences: words are added up faster than columns.

    Examples
    --------
    >>> _packed(np.array([[1, 3], [2, 0]]))
    [_Word(numbers=array([25,  2]), fields=[(0, 0, 3), (1, 3, 3)])]
    """
    words: list[_Word] = []
    used = 0
    for column, of_column in enumerate(counts.T):
        bits = (len(counts) * int(of_column.max(initial=0))).bit_length()
        if not words or used + bits > _BITS:
            words.append(_Word(np.zeros(len(counts), dtype=np.int64), []))
            used = 0
        words[-1].numbers[:] |= of_column << used
        words[-1].fields.append((column, used, bits))
        used += bits
    return words


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
