"""Gold and predicted labels as numbers, all sequences end to end: what everything is counted from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from lawful.evaluation.pairs import Pair
from lawful.labels import number_labels
from lawful.schemes.spans_in_arrays import SpanArrays, find_spans_of_all

__all__ = ["COUNTS", "Numbered", "label_names"]

Ints = npt.NDArray[np.int64]

# The columns of `Numbered.counts`.
COUNTS = (
    "sequences",
    "correct_sequences",
    "tokens",
    "correct_tokens",
    "correct_spans",
    "predicted_spans",
    "gold_spans",
)


def label_names(labellings: Iterable[Iterable[str]]) -> list[str]:
    """All labels that occur, sorted.

    Examples
    --------
    >>> label_names([["B", "A"], ["B"]])
    ['A', 'B']
    """
    return sorted(set().union(*labellings))


class Numbered:
    """N sequences with gold and predicted labels as numbers; `like` others that are read alike, with the same gold labels.

    Examples
    --------
    >>> numbered = Numbered([Pair(("A", "O"), ("A", "A"), None, {})], ["A", "O"], "flat")
    >>> numbered.gold.tolist(), numbered.predicted.tolist(), numbered.predicted_spans.end.tolist()
    ([0, 1], [0, 0], [2])
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        names: Sequence[str],
        scheme: str,
        *,
        strict: bool = False,
        outside: str | Sequence[str] = ("O",),
        like: Numbered | None = None,
    ) -> None:
        lengths: Ints = np.array([len(pair.gold) for pair in pairs], dtype=np.int64)
        number = {name: place for place, name in enumerate(names)}
        predicted = number_labels(number, [pair.predicted for pair in pairs])
        gold = number_labels(number, [pair.gold for pair in pairs]) if like is None else like.gold
        self._read(gold, predicted, lengths, names, scheme, strict=strict, outside=outside, like=like)

    @classmethod
    def of_arrays(
        cls,
        gold: Ints,
        predicted: Ints,
        lengths: Ints,
        names: Sequence[str],
        scheme: str,
        *,
        like: Numbered | None = None,
    ) -> Self:
        """The same for labels that are numbers already, those of all sequences end to end.

        Examples
        --------
        >>> Numbered.of_arrays(np.array([0, 1]), np.array([0, 0]), np.array([2]), ["A", "O"], "flat").both.tolist()
        [0, 1, 0, 0]
        """
        numbered = cls.__new__(cls)
        numbered._read(gold, predicted, lengths, names, scheme, like=like)
        return numbered

    def _read(
        self,
        gold: Ints,
        predicted: Ints,
        lengths: Ints,
        names: Sequence[str],
        scheme: str,
        *,
        strict: bool = False,
        outside: str | Sequence[str] = ("O",),
        like: Numbered | None = None,
    ) -> None:
        def spans(labels: Ints) -> SpanArrays:
            return find_spans_of_all(labels, names, lengths, scheme, strict=strict, outside=outside)

        self.names, self.scheme, self.strict, self.lengths = names, scheme, strict, lengths
        self.gold, self.predicted, self.predicted_spans = gold, predicted, spans(predicted)
        self.gold_spans: SpanArrays = spans(gold) if like is None else like.gold_spans

    @cached_property
    def owner(self) -> Ints:
        """The sequence of each token."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @cached_property
    def correct_spans(self) -> npt.NDArray[np.bool_]:
        """Whether each predicted span is a gold span."""
        gold, predicted = self.gold_spans, self.predicted_spans
        kinds = len(gold.types)
        # The end and the type of the gold span that begins at each token, as one number; no span ends at 0.
        begins_here = np.zeros(len(self.gold), dtype=np.int64)
        begins_here[gold.start] = gold.end * kinds + gold.type
        found: npt.NDArray[np.bool_] = begins_here[predicted.start] == predicted.end * kinds + predicted.type
        return found

    @cached_property
    def confusion(self) -> Ints:
        """The number of tokens for each gold label and each predicted label (K, K)."""
        size = len(self.names)
        return np.bincount(self.gold * size + self.predicted, minlength=size * size).reshape(size, size)

    @cached_property
    def counts(self) -> Ints:
        """What is counted of each sequence, (N, 7): every score comes from sums of these; the columns are `COUNTS`."""
        lengths, predicted = self.lengths, self.predicted_spans
        edges = np.append(0, np.cumsum(lengths))

        def in_each(places: Ints) -> Ints:
            return np.diff(np.searchsorted(places, edges))  # places ascend

        correct = in_each(np.flatnonzero(self.gold == self.predicted))
        columns = (
            np.ones_like(lengths),
            correct == lengths,
            lengths,
            correct,
            in_each(predicted.start[self.correct_spans]),
            in_each(predicted.start),
            in_each(self.gold_spans.start),
        )
        return np.stack(columns, axis=1, dtype=np.int64)

    @cached_property
    def both(self) -> npt.NDArray[np.int32]:
        """For each sequence its gold labels and then its predicted ones, all end to end."""
        first = np.cumsum(self.lengths) - self.lengths
        place = np.arange(len(self.gold)) + np.repeat(first, self.lengths)
        both = np.empty(2 * len(self.gold), dtype=np.int32)
        both[place] = self.gold
        both[place + np.repeat(self.lengths, self.lengths)] = self.predicted
        return both
