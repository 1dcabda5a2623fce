"""Labelled sequences as they are given to `fit`, checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lawful.errors import DtypeError, EmptySequenceError, InputError
from lawful.labels import LabelSet

__all__ = ["as_list", "check_pairs", "labels_in"]


def check_pairs(
    X: Iterable[Sequence[Any]], y: Iterable[Sequence[str]], *, what: str = "the training data"
) -> tuple[list[Sequence[Any]], list[Sequence[str]]]:
    """Token sequences and label sequences of the same number and lengths; pairs without a token are left out.

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
    for place, (xs, ys) in enumerate(zip(tokens, labels, strict=True)):
        for name, one in (("X", xs), ("y", ys)):
            if isinstance(one, str) or not hasattr(one, "__len__") or not isinstance(one, Iterable):
                raise InputError(f"sequence {place} of {name} must be a list, got {one!r:.60}")
        if len(xs) != len(ys):
            raise InputError(f"sequence {place} has {len(xs)} tokens but {len(ys)} labels")
    kept = [place for place, xs in enumerate(tokens) if len(xs)]
    if not kept:
        raise EmptySequenceError(what)
    return [tokens[place] for place in kept], [labels[place] for place in kept]


def as_list(sequences: Iterable[Sequence[Any]], name: str) -> list[Sequence[Any]]:
    """What may be a generator as a list.

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
    found = {label for labels in y for label in labels}
    for label in found:
        if not isinstance(label, str):
            raise DtypeError("a label", "a string", repr(label))
    return LabelSet(sorted(found))
