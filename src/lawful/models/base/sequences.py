"""Checks of the labelled sequences that `fit` gets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.errors import DtypeError, EmptySequenceError, InputError
from lawful.labels import LabelSet

__all__ = ["as_list", "check_pairs", "label_ids", "labels_in"]


def check_pairs(
    X: Iterable[Sequence[Any]], y: Iterable[Sequence[str]], *, what: str = "the training data"
) -> tuple[list[Sequence[Any]], list[Sequence[str]]]:
    """Token sequences and label sequences, equally many and equally long; empty ones are left out.

    Examples
    --------
    >>> check_pairs([["a", "b"], []], [["X", "Y"], []])
    ([['a', 'b']], [['X', 'Y']])
    >>> check_pairs([["a", "b"]], [["X"]])
    Traceback (most recent call last):
    lawful.errors.InputError: sequence 0 has 2 tokens but 1 labels
    """
    tokens, labels = as_list(X, "X"), as_list(y, "y")
    if len(tokens) != len(labels):
        raise InputError(f"there are {len(tokens)} token sequences but {len(labels)} label sequences")
    for number, (xs, ys) in enumerate(zip(tokens, labels, strict=True)):
        for name, sequence in (("X", xs), ("y", ys)):
            is_list = hasattr(sequence, "__len__") and isinstance(sequence, Iterable)
            if isinstance(sequence, str) or not is_list:
                raise InputError(f"sequence {number} of {name} must be a list, got {sequence!r:.60}")
        if len(xs) != len(ys):
            raise InputError(f"sequence {number} has {len(xs)} tokens but {len(ys)} labels")
    kept = [number for number, xs in enumerate(tokens) if len(xs)]
    if not kept:
        raise EmptySequenceError(what)
    return [tokens[number] for number in kept], [labels[number] for number in kept]


def as_list(sequences: Iterable[Sequence[Any]], name: str) -> list[Sequence[Any]]:
    """An iterable of sequences, which may be a generator, as a list.

    Examples
    --------
    >>> as_list(None, "y")
    Traceback (most recent call last):
    lawful.errors.InputError: y must be a list of sequences, got None
    """
    if isinstance(sequences, str) or not isinstance(sequences, Iterable):
        raise InputError(f"{name} must be a list of sequences, got {sequences!r:.60}")
    return list(sequences)


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
