"""Counts of each sequence: tokens, spans, fields. Every score comes from their sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from lawful.evaluation.numbered import COUNTS, Numbered
from lawful.evaluation.pairs import Pair
from lawful.evaluation.scores import Score
from lawful.rules.tokens.values import text_of

__all__ = ["COUNTS", "count_sequences", "score_fields", "score_labels", "score_spans"]

Ints = npt.NDArray[np.int64]


def count_sequences(numbered: Numbered) -> Ints:
    """The counts of each sequence, shape (N, 7); the columns are `COUNTS`.

    Examples
    --------
    >>> count_sequences(Numbered([Pair(("A", "O"), ("A", "A"), None, {})], ["A", "O"], "flat"))
    array([[1, 0, 2, 1, 0, 1, 1]])
    """
    return numbered.counts


def score_labels(numbered: Numbered) -> dict[str, Score]:
    """The score of each label, token by token.

    Examples
    --------
    >>> score_labels(Numbered([Pair(("A", "B"), ("A", "A"), None, {})], ["A", "B"], "flat"))
    {'A': Score(correct=1, predicted=2, gold=1), 'B': Score(correct=0, predicted=0, gold=1)}
    """
    met = numbered.confusion
    sides = (met.diagonal(), met.sum(axis=0), met.sum(axis=1))  # right, predicted, gold
    return _scores(*(_named(counts, numbered.names) for counts in sides))


def score_spans(numbered: Numbered) -> dict[str, Score]:
    """The score of each type of span; a span is correct if its type, start and end are.

    Examples
    --------
    >>> score_spans(Numbered([Pair(("A", "O"), ("A", "A"), None, {})], ["A", "O"], "flat"))
    {'A': Score(correct=0, predicted=1, gold=1)}
    """
    gold, predicted = numbered.gold_spans, numbered.predicted_spans
    correct = predicted.type[numbered.correct_spans]
    return _scores(
        _by_name(correct, predicted.types),
        _by_name(predicted.type, predicted.types),
        _by_name(gold.type, gold.types),
    )


def score_fields(pairs: Sequence[Pair], numbered: Numbered) -> dict[str, Score]:
    """The score of each type of span as a field: its distinct values in a sequence, at any position.

    A value is the text of a span, in lower case. A field that a text mentions twice counts once, and finding one
    mention of it is enough.

    Examples
    --------
    >>> pairs = [Pair(("A", "O", "A"), ("A", "O", "O"), ("5", "or", "5"), {})]
    >>> score_fields(pairs, Numbered(pairs, ["A", "O"], "flat"))
    {'A': Score(correct=1, predicted=1, gold=1)}
    """
    texts = list(chain.from_iterable(pair.tokens or () for pair in pairs))
    if set(map(type, texts)) != {str}:
        texts = list(map(text_of, texts))
    small = {word: word.lower() for word in dict.fromkeys(texts)}
    number = {word: place for place, word in enumerate(dict.fromkeys(small.values()))}
    number_of = {word: number[lowered] for word, lowered in small.items()}
    words = np.fromiter(map(number_of.__getitem__, texts), np.int64, len(texts))
    sides = (numbered.gold_spans, numbered.predicted_spans)
    types = sides[0].types
    type_of, start, end = (np.concatenate(both) for both in zip(*(side[1:] for side in sides), strict=True))
    values = _number_values(numbered.owner[start] * len(types) + type_of, start, end, words)
    is_gold = np.arange(len(values)) < len(sides[0].start)
    gold, predicted = (np.unique(values[which], return_index=True) for which in (is_gold, ~is_gold))
    both = np.intersect1d(gold[0], predicted[0], assume_unique=True, return_indices=True)[1]
    in_gold = type_of[gold[1]]
    in_predicted = type_of[predicted[1] + len(sides[0].start)]
    return _scores(*(_by_name(of_side, types) for of_side in (in_gold[both], in_predicted, in_gold)))


LONG = 32  # tokens


def _number_values(groups: Ints, start: Ints, end: Ints, words: Ints) -> Ints:
    """Equal numbers for spans of one group that have the same words, and for no others.

    Examples
    --------
    >>> _number_values(np.array([0, 0, 1]), np.array([0, 2, 0]), np.array([2, 4, 2]), np.array([5, 6, 5, 6])).tolist()
    [0, 0, 1]
    """
    length, most = end - start, int(words.max(initial=0)) + 1
    _, numbers = np.unique(groups, return_inverse=True)
    short = np.flatnonzero(length <= LONG)
    longest = int(length[short].max(initial=0))
    for offset in range(longest):  # by one word more of those that have it
        short = short[length[short] > offset]
        _, numbers[short] = np.unique(
            numbers[short] * most + words[start[short] + offset], return_inverse=True
        )
    known: dict[tuple[int, bytes], int] = {}
    for span in np.flatnonzero(length > LONG).tolist():
        value = int(numbers[span]), words[start[span] : end[span]].tobytes()
        numbers[span] = known.setdefault(value, len(known))
    return np.unique(numbers * (int(length.max(initial=0)) + 1) + length, return_inverse=True)[1]


def _by_name(numbers: Ints, names: Sequence[str]) -> dict[str, int]:
    return _named(np.bincount(numbers, minlength=len(names)), names)


def _named(counts: Ints, names: Sequence[str]) -> dict[str, int]:
    return {name: count for name, count in zip(names, counts.tolist(), strict=True) if count}


def _scores(
    correct: Mapping[str, int], predicted: Mapping[str, int], gold: Mapping[str, int]
) -> dict[str, Score]:
    return {
        name: Score(correct.get(name, 0), predicted.get(name, 0), gold.get(name, 0))
        for name in sorted({*gold, *predicted})
    }
