"""Checks of the labelled sequences that `fit` gets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.corpus.sequences import ContextsLike, SequencesLike, read_sequences
from lawful.errors import DtypeError, EmptySequenceError, InputError
from lawful.labels import LabelSet

__all__ = ["LabelledData", "check_data", "check_pairs", "label_ids", "labels_in"]


class LabelledData(NamedTuple):
    """Labelled sequences, none of them empty.

    Attributes
    ----------
    tokens : list of token sequences
    labels : list of label sequences
    contexts : list of mappings, or None
        What rules need to know about each sequence; None if there is nothing to know about any.
    """

    tokens: list[Sequence[Any]]
    labels: list[Sequence[str]]
    contexts: list[Mapping[str, Any]] | None

    def triples(self) -> list[tuple[Sequence[Any], Sequence[str], Mapping[str, Any]]]:
        """The tokens, labels and context of each sequence."""
        return list(zip(self.tokens, self.labels, self.contexts or [{}] * len(self.tokens), strict=True))


def check_data(
    X: SequencesLike,
    y: Iterable[Sequence[str]],
    contexts: ContextsLike = None,
    *,
    what: str = "the training data",
) -> LabelledData:
    """Token sequences and label sequences, equally many and equally long, with their contexts; empty ones are left out.

    Examples
    --------
    >>> check_data([["a", "b"], []], [["X", "Y"], []], [{"verb": 1}, {}])
    LabelledData(tokens=[['a', 'b']], labels=[['X', 'Y']], contexts=[{'verb': 1}])
    """
    tokens, named = read_sequences(X, contexts, name="X")
    if isinstance(y, str) or not isinstance(y, Iterable):
        raise InputError(f"y must be a list of sequences, got {y!r:.60}")
    labels = list(y)
    if len(tokens) != len(labels):
        raise InputError(f"there are {len(tokens)} token sequences but {len(labels)} label sequences")
    for number, (xs, ys) in enumerate(zip(tokens, labels, strict=True)):
        if isinstance(ys, str) or not (hasattr(ys, "__len__") and isinstance(ys, Iterable)):
            raise InputError(f"sequence {number + 1} of y must be a list, got {ys!r:.60}")
        if len(xs) != len(ys):
            raise InputError(f"sequence {number + 1} has {len(xs)} tokens but {len(ys)} labels")
    kept = [number for number, xs in enumerate(tokens) if len(xs)]
    if not kept:
        raise EmptySequenceError(what)
    return LabelledData(
        [tokens[number] for number in kept],
        [labels[number] for number in kept],
        None if named is None else [named[number] for number in kept],
    )


def check_pairs(
    X: SequencesLike, y: Iterable[Sequence[str]]
) -> tuple[list[Sequence[Any]], list[Sequence[str]]]:
    """The same for models, which know nothing of rules and contexts.

    Examples
    --------
    >>> check_pairs([["a", "b"], []], [["X", "Y"], []])
    ([['a', 'b']], [['X', 'Y']])
    >>> check_pairs([["a", "b"]], [["X"]])
    Traceback (most recent call last):
    lawful.errors.InputError: sequence 1 has 2 tokens but 1 labels
    """
    data = check_data(X, y)
    return data.tokens, data.labels


def labels_in(y: Iterable[Sequence[str]]) -> LabelSet:
    """The labels that occur, in the order of the alphabet.

    Examples
    --------
    >>> labels_in([["O", "B"], ["O", "A"]])
    LabelSet(['A', 'B', 'O'])
    """
    labels_seen = {label for labels in y for label in labels}
    for label in labels_seen:
        if not isinstance(label, str):
            raise DtypeError("a label", "a string", repr(label))
    return LabelSet(sorted(labels_seen))


def label_ids(y: Sequence[Sequence[str]], labels: LabelSet) -> npt.NDArray[np.int32]:
    """(M,): the numbers of the labels of all sequences, one sequence after another.

    Examples
    --------
    >>> label_ids([["O", "B"], ["O"]], LabelSet(["B", "O"])).tolist()
    [1, 0, 1]
    """
    numbers = {label: number for number, label in enumerate(labels)}
    return np.fromiter((numbers[label] for sequence in y for label in sequence), np.int32, sum(map(len, y)))
