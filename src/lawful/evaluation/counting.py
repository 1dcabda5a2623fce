"""Counts of each sequence: tokens, spans, fields. Every score comes from their sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from lawful.evaluation.pairs import Pair
from lawful.evaluation.scores import Score
from lawful.rules.tokens.values import text_of
from lawful.schemes import Span, find_spans

__all__ = ["COUNTS", "count_sequences", "find_both", "score_fields", "score_labels", "score_spans"]

# The columns of `count_sequences`.
COUNTS = (
    "sequences",
    "correct_sequences",
    "tokens",
    "correct_tokens",
    "correct_spans",
    "predicted_spans",
    "gold_spans",
)

Both = tuple[list[Span], list[Span]]


def find_both(
    pairs: Sequence[Pair], scheme: str, *, strict: bool, outside: str | Sequence[str]
) -> list[Both]:
    """The gold and the predicted spans of each sequence.

    Examples
    --------
    >>> find_both([Pair(("B-X", "O"), ("O", "O"), None, {})], "IOB2", strict=False, outside=["O"])
    [([Span(type='X', start=0, end=1)], [])]
    """
    outer = outside if isinstance(outside, str) else tuple(outside)
    return [
        (
            _spans(pair.gold, scheme, strict=strict, outside=outer),
            _spans(pair.predicted, scheme, strict=strict, outside=outer),
        )
        for pair in pairs
    ]


# Predictions are often right, and a report evaluates the same labels several times.
@lru_cache(maxsize=1 << 13)
def _spans(
    labels: tuple[str, ...], scheme: str, *, strict: bool, outside: str | tuple[str, ...]
) -> list[Span]:
    return find_spans(labels, scheme, strict=strict, outside=outside)


def count_sequences(pairs: Sequence[Pair], spans: Sequence[Both]) -> npt.NDArray[np.int64]:
    """The counts of each sequence, shape (N, 7); the columns are `COUNTS`.

    Examples
    --------
    >>> count_sequences([Pair(("A", "O"), ("A", "A"), None, {})], [([Span("A", 0, 1)], [Span("A", 0, 2)])])
    array([[1, 0, 2, 1, 0, 1, 1]])
    """
    counts = np.empty((len(pairs), len(COUNTS)), dtype=np.int64)
    for row, (pair, (gold, predicted)) in enumerate(zip(pairs, spans, strict=True)):
        correct_tokens = sum(map(str.__eq__, pair.gold, pair.predicted))
        correct_spans = len(set(gold) & set(predicted))
        counts[row] = (
            1,
            correct_tokens == len(pair.gold),
            len(pair.gold),
            correct_tokens,
            correct_spans,
            len(predicted),
            len(gold),
        )
    return counts


def score_labels(pairs: Sequence[Pair]) -> dict[str, Score]:
    """The score of each label, token by token.

    Examples
    --------
    >>> score_labels([Pair(("A", "B"), ("A", "A"), None, {})])
    {'A': Score(correct=1, predicted=2, gold=1), 'B': Score(correct=0, predicted=0, gold=1)}
    """
    gold: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    correct: Counter[str] = Counter()
    for pair in pairs:
        gold.update(pair.gold)
        predicted.update(pair.predicted)
        correct.update(
            right for right, guess in zip(pair.gold, pair.predicted, strict=True) if right == guess
        )
    return _scores(correct, predicted, gold)


def score_spans(spans: Sequence[Both]) -> dict[str, Score]:
    """The score of each type of span; a span is correct if its type, start and end are.

    Examples
    --------
    >>> score_spans([([Span("A", 0, 1)], [Span("A", 0, 2)])])
    {'A': Score(correct=0, predicted=1, gold=1)}
    """
    gold: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    correct: Counter[str] = Counter()
    for right, guess in spans:
        gold.update(span.type for span in right)
        predicted.update(span.type for span in guess)
        correct.update(span.type for span in set(right) & set(guess))
    return _scores(correct, predicted, gold)


def score_fields(pairs: Sequence[Pair], spans: Sequence[Both]) -> dict[str, Score]:
    """The score of each type of span as a field: its distinct values in a sequence, at any position.

    A value is the text of a span, in lower case. A field that a text mentions twice counts once, and finding one
    mention of it is enough.

    Examples
    --------
    >>> pair = Pair(("A", "O", "A"), ("A", "O", "O"), ("5", "or", "5"), {})
    >>> score_fields([pair], [([Span("A", 0, 1), Span("A", 2, 3)], [Span("A", 0, 1)])])
    {'A': Score(correct=1, predicted=1, gold=1)}
    """
    gold: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    correct: Counter[str] = Counter()
    for pair, (right, guess) in zip(pairs, spans, strict=True):
        words = [text_of(token).lower() for token in pair.tokens or ()]
        values = [{(span.type, tuple(words[span.start : span.end])) for span in right}]
        # Equal spans have equal values.
        values.append(
            values[0]
            if guess is right
            else {(span.type, tuple(words[span.start : span.end])) for span in guess}
        )
        gold.update(field for field, _ in values[0])
        predicted.update(field for field, _ in values[1])
        correct.update(field for field, _ in values[0] & values[1])
    return _scores(correct, predicted, gold)


def _scores(
    correct: Mapping[str, int], predicted: Mapping[str, int], gold: Mapping[str, int]
) -> dict[str, Score]:
    return {
        name: Score(correct.get(name, 0), predicted.get(name, 0), gold.get(name, 0))
        for name in sorted({*gold, *predicted})
    }
