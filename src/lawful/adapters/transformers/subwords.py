"""From sub-words to words: which pieces make up each word, and one row of scores per word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from lawful.adapters.arrays import as_floats, log_probabilities
from lawful.errors import InputError, ShapeError
from lawful.lattice.arrays import Floats

__all__ = ["STRATEGIES", "Alignment", "Missing", "Strategy", "align_offsets", "align_word_ids", "merge_rows"]

Strategy = Literal["first", "last", "mean", "max", "sum"]
Missing = Literal["raise", "uniform"]
Offsets = tuple[tuple[int, int], ...]

STRATEGIES: tuple[Strategy, ...] = ("first", "last", "mean", "max", "sum")


@dataclass(frozen=True)
class Alignment:
    """Which sub-words make up each word.

    Attributes
    ----------
    pieces : tuple of tuples of int
        For each word the positions of its sub-words; empty if it has none.
    offsets : tuple of (int, int), or None
        The characters of each word in the text, so that answers can be mapped back to them.

    Examples
    --------
    >>> Alignment(((1, 2), (3,)), ((0, 8), (9, 10)))
    Alignment(pieces=((1, 2), (3,)), offsets=((0, 8), (9, 10)))
    """

    pieces: tuple[tuple[int, ...], ...]
    offsets: Offsets | None = None

    def __len__(self) -> int:
        return len(self.pieces)

    @property
    def missing(self) -> tuple[int, ...]:
        """The words that have no sub-word: they were truncated, or the tokenizer drops all their characters."""
        return tuple(word for word, pieces in enumerate(self.pieces) if not pieces)

    def gather(
        self,
        scores: Any,
        strategy: Strategy = "first",
        *,
        log_softmax: bool = True,
        missing: Missing = "raise",
        words: Sequence[Any] | None = None,
    ) -> Floats:
        """One row of scores per word.

        Parameters
        ----------
        scores : array or tensor (S, K)
            The scores of all sub-words, special ones included.
        strategy : "first", "last", "mean", "max" or "sum"
            The row of the first or of the last sub-word; the mean of the sub-words' probabilities; the row of the
            sub-word whose best label is the most probable; or the sum of their logs, in which any sub-word can rule out a label.
        log_softmax : bool
            Normalise the rows of the sub-words first, and the sums, to log-probabilities.
        missing : "raise" or "uniform"
            For words without a sub-word: an error that names them, or equal scores for all labels.
        words : sequence, optional
            The words, for the error message.

        Returns
        -------
        float64 array (W, K)

        Examples
        --------
        >>> split = align_word_ids([None, 0, 0, 1, None])
        >>> scores = np.log([[0.5, 0.5], [0.8, 0.2], [0.4, 0.6], [0.1, 0.9], [0.5, 0.5]])
        >>> np.exp(split.gather(scores, "mean")).round(3).tolist()
        [[0.6, 0.4], [0.1, 0.9]]
        """
        rows = as_floats(scores, "scores")
        if rows.ndim != 2:
            raise ShapeError("scores", "(sub-words, K)", rows.shape)
        if missing not in ("raise", "uniform"):
            raise InputError(f"missing must be 'raise' or 'uniform', got {missing!r}")
        if self.missing and missing == "raise":
            raise InputError(_absent(self.missing, words))
        if log_softmax:
            rows = log_probabilities(rows)
        level = -np.log(rows.shape[1]) if log_softmax else 0.0
        gathered: Floats = np.full((len(self.pieces), rows.shape[1]), level)
        for word, pieces in enumerate(self.pieces):
            if pieces:
                gathered[word] = merge_rows(rows[list(pieces)], strategy, log_softmax=log_softmax)
        return gathered


def merge_rows(rows: Floats, strategy: Strategy, *, log_softmax: bool = True) -> Floats:
    """One row (K,) of log scores for the sub-words (S, K) of one word; see `Alignment.gather`.

    Examples
    --------
    >>> rows = np.log([[0.8, 0.2], [0.4, 0.6]])
    >>> {name: np.exp(merge_rows(rows, name)).round(2).tolist() for name in ("first", "mean", "max", "sum")}
    {'first': [0.8, 0.2], 'mean': [0.6, 0.4], 'max': [0.8, 0.2], 'sum': [0.73, 0.27]}
    """
    if strategy not in STRATEGIES:
        raise InputError(f"strategy must be one of {', '.join(map(repr, STRATEGIES))}, got {strategy!r}")
    merged: Floats = rows[0]
    if strategy == "first" or len(rows) == 1:
        return merged
    if strategy == "last":
        merged = rows[-1]
    elif strategy == "max":
        merged = rows[rows.max(axis=1).argmax()]
    elif strategy == "mean":
        merged = np.logaddexp.reduce(rows, axis=0) - np.log(len(rows))
    else:
        merged = rows.sum(axis=0)
        if log_softmax:
            merged = log_probabilities(merged)
    return merged


def align_word_ids(
    word_ids: Iterable[int | None],
    *,
    words: int | None = None,
    offsets: Sequence[tuple[int, int]] | None = None,
) -> Alignment:
    """Align by `encoding.word_ids()` of a fast tokenizer of Hugging Face, which gives the word of each sub-word.

    Parameters
    ----------
    word_ids : iterable of int or None
        None for special tokens; they belong to no word.
    words : int, optional
        The number of words, truncated ones included; by default one more than the largest id.
    offsets : sequence of (int, int), optional
        The characters of each word in the text.

    Examples
    --------
    >>> align_word_ids([None, 0, 1, 1, None], words=3)
    Alignment(pieces=((1,), (2, 3), ()), offsets=None)
    """
    numbers = list(word_ids)
    count = max((n + 1 for n in numbers if n is not None), default=0) if words is None else words
    pieces: list[list[int]] = [[] for _ in range(count)]
    for position, number in enumerate(numbers):
        if number is None:
            continue
        if not 0 <= number < count:
            raise InputError(f"word_ids[{position}] is {number}, but there are {count} words")
        pieces[number].append(position)
    return Alignment(tuple(map(tuple, pieces)), _checked_offsets(offsets, count))


def align_offsets(
    offset_mapping: Any, word_offsets: Sequence[tuple[int, int]], *, special: Iterable[Any] | None = None
) -> Alignment:
    """Align by characters: a sub-word belongs to every word that it shares a character with.

    Parameters
    ----------
    offset_mapping : array or list (S, 2)
        The characters of each sub-word in the text; empty spans, as of special tokens, belong to no word.
    word_offsets : sequence of (int, int)
        The characters of each word, in order and without overlaps.
    special : iterable of length S, optional
        True or 1 for special tokens, which belong to no word, whatever their offsets.

    Examples
    --------
    >>> align_offsets([(0, 0), (0, 5), (5, 8), (8, 12), (0, 0)], [(0, 8), (9, 12)])
    Alignment(pieces=((1, 2), (3,)), offsets=((0, 8), (9, 12)))
    """
    spans = [(int(start), int(end)) for start, end in offset_mapping]
    dropped = [False] * len(spans) if special is None else [bool(flag) for flag in special]
    if len(dropped) != len(spans):
        raise ShapeError("special", f"({len(spans)},), one for each sub-word", (len(dropped),))
    checked = _checked_offsets(word_offsets, len(word_offsets)) or ()
    for word, ((_, before), (start, _)) in enumerate(pairwise(checked), 1):
        if start < before:
            raise InputError(
                f"word_offsets[{word}] starts at {start}, inside the word before, which ends at {before}"
            )
    pieces: list[list[int]] = [[] for _ in checked]
    starts = np.array([start for start, _ in checked], dtype=np.int64)
    for position, (start, end) in enumerate(spans):
        if dropped[position] or start >= end:
            continue
        word = max(0, int(np.searchsorted(starts, start, side="right")) - 1)
        while word < len(checked) and checked[word][0] < end:
            if checked[word][1] > start:
                pieces[word].append(position)
            word += 1
    return Alignment(tuple(map(tuple, pieces)), checked)


def _checked_offsets(offsets: Sequence[tuple[int, int]] | None, count: int) -> Offsets | None:
    if offsets is None:
        return None
    if len(offsets) != count:
        raise ShapeError("offsets", f"({count}, 2), one for each word", (len(offsets), 2))
    checked = tuple((int(start), int(end)) for start, end in offsets)
    for word, (start, end) in enumerate(checked):
        if not 0 <= start <= end:
            raise InputError(f"offsets[{word}] is ({start}, {end}): expected 0 <= start <= end")
    return checked


def _absent(missing: Sequence[int], words: Sequence[Any] | None) -> str:
    named = [str(n) if words is None else f"{n} ({words[n]!r})" for n in missing[:8]]
    more = f" and {len(missing) - 8} more" if len(missing) > 8 else ""
    what = "word" if len(missing) == 1 else "words"
    return (
        f"{what} {', '.join(named)}{more} got no sub-word: truncated, or made of characters that the tokenizer "
        "drops; shorten the input, read it in windows (stride=...), or pass missing='uniform' for equal scores"
    )
