"""Labelled sequences as users have them, read in one way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lawful.corpus import Sentence
from lawful.errors import InputError

__all__ = ["Gold", "Labelled", "labelled_sequences"]

Gold = Iterable[
    Sentence
    | tuple[Sequence[Any], Sequence[str]]
    | tuple[Sequence[Any], Sequence[str], Mapping[str, Any]]
    | Sequence[Any]
]


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
    'sequence 0, token 1'
    """

    tokens: Sequence[Any]
    labels: Sequence[str]
    context: Mapping[str, Any]
    number: int
    sentence: Sentence | None = field(default=None, repr=False)

    def place(self, position: int | None = None) -> str:
        """Where a token stands: file and line if they are known, otherwise the sequence's number."""
        told = "" if self.sentence is None else self.sentence.place(position).removesuffix(": ")
        here = "" if position is None else f", token {position}"
        return told or f"sequence {self.number}{here}"


def labelled_sequences(gold: Gold) -> list[Labelled]:
    """Sentences, or pairs of tokens and labels (`zip(X, y)`), perhaps with a context.

    Examples
    --------
    >>> [one.labels for one in labelled_sequences(zip([["a"], ["b"]], [["X"], ["Y"]]))]
    [['X'], ['Y']]
    """
    found = []
    for number, one in enumerate(gold):
        if isinstance(one, Sentence):
            if one.labels is None:
                raise InputError(f"{one.place()}sequence {number} has no labels")
            seen = one.rows() if one.columns else one.tokens
            found.append(Labelled(seen, one.labels, one.context, number, one))
            continue
        tokens, labels, *context = one
        if len(tokens) != len(labels):
            raise InputError(f"sequence {number} has {len(tokens)} tokens, but {len(labels)} labels")
        found.append(Labelled(tokens, labels, context[0] if context else {}, number))
    return [one for one in found if len(one.labels)]
