"""Labelled sequences as users have them, read in one way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lawful.corpus import Sentence
from lawful.errors import InputError

__all__ = ["Gold", "Labelled", "labelled_sequences"]


@dataclass(frozen=True)
class Labelled:
    """One labelled sequence, as rules look at it.

    Attributes
    ----------
    tokens : sequence of T tokens
        Strings, or rows with their columns by name.
    labels : sequence of T str
    context : mapping
    sentence : Sentence or None
        What it was read from, if it was; it knows its file and lines.

    Examples
    --------
    >>> labelled_sequences([(["a", "b"], ["X", "Y"])])[0].place(1)
    'sequence 1, token 1'
    """

    tokens: Sequence[Any]
    labels: Sequence[str]
    context: Mapping[str, Any]
    number: int
    sentence: Sentence | None = field(default=None, repr=False)

    def place(self, position: int | None = None) -> str:
        """Where a token stands: file and line if they are known, otherwise the sequence's number."""
        location = "" if self.sentence is None else self.sentence.location(position).removesuffix(": ")
        token = "" if position is None else f", token {position}"
        return location or f"sequence {self.number + 1}{token}"


Gold = Iterable[
    Labelled
    | Sentence
    | tuple[Sequence[Any], Sequence[str]]
    | tuple[Sequence[Any], Sequence[str], Mapping[str, Any]]
    | Sequence[Any]
]


def labelled_sequences(gold: Gold) -> list[Labelled]:
    """Labelled sequences from sentences, or from pairs of tokens and labels (`zip(X, y)`), perhaps with a context.

    Empty sequences are left out.

    Examples
    --------
    >>> [sequence.labels for sequence in labelled_sequences(zip([["a"], ["b"]], [["X"], ["Y"]]))]
    [['X'], ['Y']]
    """
    given: Any = gold  # users may pass anything
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"labelled sequences are a list of Sentences, or zip(X, y), got {given!r:.60}")
    sequences = []
    for number, item in enumerate(given):
        if isinstance(item, Labelled):
            sequences.append(item)
            continue
        if isinstance(item, Sentence):
            if item.labels is None:
                raise InputError(f"{item.location()}sequence {number + 1} has no labels")
            sequences.append(Labelled(item.inputs(), item.labels, item.context, number, item))
            continue
        parts = tuple(item) if isinstance(item, Iterable) else ()
        if len(parts) not in (2, 3) or isinstance(parts[0], str) or isinstance(parts[1], str):
            raise InputError(
                f"sequence {number + 1} must be a Sentence, or a pair of tokens and labels, got {item!r:.60}"
            )
        tokens, labels, *context = parts
        if len(tokens) != len(labels):
            raise InputError(f"sequence {number + 1} has {len(tokens)} tokens, but {len(labels)} labels")
        sequences.append(Labelled(tokens, labels, context[0] if context else {}, number))
    return [sequence for sequence in sequences if len(sequence.labels)]
