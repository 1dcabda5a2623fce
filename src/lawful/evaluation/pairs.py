"""Gold and predicted labels side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from lawful.corpus import Sentence
from lawful.corpus.sequences import read_sequences
from lawful.errors import InputError

__all__ = ["Labelled", "Pair", "pair_up"]

Labelled = Sentence | Sequence[str]


class Pair(NamedTuple):
    """One sequence, labelled twice."""

    gold: tuple[str, ...]
    predicted: tuple[str, ...]
    tokens: Sequence[Any] | None
    context: Mapping[str, Any]
    sentence: Sentence | None = None  # that `gold` gave

    def inputs(self) -> Sequence[Any] | None:
        """What rules see of the tokens: the columns of a sentence that has any."""
        return self.tokens if self.sentence is None else self.sentence.inputs()


def pair_up(
    gold: Iterable[Labelled],
    predicted: Iterable[Labelled],
    *,
    tokens: Iterable[Sequence[Any]] | None = None,
) -> list[Pair]:
    """The sequences of two outputs, side by side; both must have the same sequences.

    `tokens` are for sequences of which `gold` has only the labels.

    Examples
    --------
    >>> pair_up([["A", "B"]], [["A", "A"]])
    [Pair(gold=('A', 'B'), predicted=('A', 'A'), tokens=None, context={}, sentence=None)]
    """
    for what, side in (("gold", gold), ("predicted", predicted)):
        if isinstance(side, str) or not isinstance(side, Iterable):
            raise InputError(f"{what} must be a list of label sequences or Sentences, got {side!r:.60}")
    given = None if tokens is None else read_sequences(tokens, name="tokens").tokens
    pairs: list[Pair] = []
    for number, (right, guess) in enumerate(zip_longest(gold, predicted)):
        if right is None or guess is None:
            more, fewer = ("predicted", "gold") if right is None else ("gold", "predicted")
            raise InputError(
                f"{fewer} ends after {number} sequences, but {more} has more; give the same sequences"
            )
        gold_labels, predicted_labels = _labels(right, "gold", number), _labels(guess, "predicted", number)
        sentence = right if isinstance(right, Sentence) else None
        if len(gold_labels) != len(predicted_labels):
            location = sentence.location() if sentence is not None else ""
            raise InputError(
                f"{location}sequence {number + 1} has {len(gold_labels)} gold labels, but {len(predicted_labels)} predicted ones; "
                "both must hold the same sequences in the same order"
            )
        words: Sequence[Any] | None = None
        context: Mapping[str, Any] = {}
        if given is not None and sentence is None:
            words = given[number] if number < len(given) else ()
            if len(words) != len(gold_labels):
                raise InputError(
                    f"sequence {number + 1} has {len(gold_labels)} labels, but {len(words)} tokens"
                )
        if sentence is not None:
            words, context = sentence.tokens, sentence.context
            if isinstance(guess, Sentence) and guess.tokens != words:
                position = next(
                    t for t, two in enumerate(zip(words, guess.tokens, strict=True)) if two[0] != two[1]
                )
                raise InputError(
                    f"{sentence.location(position)}token {position} of sequence {number + 1} is {words[position]!r} in gold, but "
                    f"{guess.tokens[position]!r} in predicted; give the same sequences in the same order"
                )
        pairs.append(Pair(gold_labels, predicted_labels, words, context, sentence))
    return pairs


def _labels(labelled: Labelled, what: str, number: int) -> tuple[str, ...]:
    if isinstance(labelled, Sentence):
        if labelled.labels is None:
            raise InputError(f"{labelled.location()}sequence {number + 1} of {what} has no labels")
        return labelled.labels
    strings = set(map(type, labelled)) <= {str} or all(isinstance(label, str) for label in labelled)
    if isinstance(labelled, str) or not strings:
        raise InputError(
            f"sequence {number + 1} of {what} must be a list of labels (str), got {labelled!r:.60}"
        )
    return tuple(labelled)
