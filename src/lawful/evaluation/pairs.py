"""Gold and predicted labels side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from lawful.corpus import Sentence
from lawful.errors import InputError

__all__ = ["Labelled", "Pair", "pair_up"]

Labelled = Sentence | Sequence[str]


class Pair(NamedTuple):
    """One sequence, labelled twice."""

    gold: tuple[str, ...]
    predicted: tuple[str, ...]
    tokens: Sequence[Any] | None
    context: Mapping[str, Any]


def pair_up(gold: Iterable[Labelled], predicted: Iterable[Labelled], *, columns: bool = False) -> list[Pair]:
    """The sequences of two outputs, one beside the other; they must be the same ones.

    Tokens are strings, or with `columns` what `Sentence.rows` gives, if there are any columns: rules may look at them.

    Examples
    --------
    >>> pair_up([["A", "B"]], [["A", "A"]])
    [Pair(gold=('A', 'B'), predicted=('A', 'A'), tokens=None, context={})]
    """
    for what, side in (("gold", gold), ("predicted", predicted)):
        if isinstance(side, str) or not isinstance(side, Iterable):
            raise InputError(f"{what} must be a list of label sequences or Sentences, got {side!r:.60}")
    pairs: list[Pair] = []
    for number, (right, guess) in enumerate(zip_longest(gold, predicted)):
        if right is None or guess is None:
            more, fewer = ("predicted", "gold") if right is None else ("gold", "predicted")
            raise InputError(
                f"{fewer} ends after {number} sequences, but {more} has more; give the same ones"
            )
        here, there = _labels(right, "gold", number), _labels(guess, "predicted", number)
        where = right.location() if isinstance(right, Sentence) else ""
        if len(here) != len(there):
            raise InputError(
                f"{where}sequence {number} has {len(here)} gold labels, but {len(there)} predicted ones"
            )
        tokens: Sequence[Any] | None = None
        context: Mapping[str, Any] = {}
        if isinstance(right, Sentence):
            tokens, context = right.rows() if columns and right.columns else right.tokens, right.context
            if isinstance(guess, Sentence) and guess.tokens != right.tokens:
                at = next(
                    t
                    for t, two in enumerate(zip(right.tokens, guess.tokens, strict=True))
                    if two[0] != two[1]
                )
                raise InputError(
                    f"{right.location(at)}token {at} of sequence {number} is {right.tokens[at]!r} in gold, but "
                    f"{guess.tokens[at]!r} in predicted; give the same sequences in the same order"
                )
        pairs.append(Pair(here, there, tokens, context))
    return pairs


def _labels(given: Labelled, what: str, number: int) -> tuple[str, ...]:
    if isinstance(given, Sentence):
        if given.labels is None:
            raise InputError(f"{given.location()}sequence {number} of {what} has no labels")
        return given.labels
    if isinstance(given, str) or not all(isinstance(label, str) for label in given):
        raise InputError(f"sequence {number} of {what} must be a list of labels (str), got {given!r:.60}")
    return tuple(given)
