"""The spans of many sequences at once: the same as `find_spans`, for labels that are numbers in one array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.schemes.spans import find_spans, split_label
from lawful.schemes.table import SCHEMES

__all__ = ["SpanArrays", "find_spans_of_all"]

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

OUT = ("O", "")


class SpanArrays(NamedTuple):
    """Spans of sequences that stand end to end, in order.

    Attributes
    ----------
    types : list of str
        Of all labels there are, sorted.
    type : int array (M,)
        The place of each span's type in `types`.
    start, end : int arrays (M,)
    """

    types: list[str]
    type: Ints
    start: Ints
    end: Ints


def find_spans_of_all(
    labels: Ints,
    names: Sequence[str],
    lengths: Ints,
    scheme: str,
    *,
    strict: bool = False,
    outside: str | Sequence[str] = ("O",),
) -> SpanArrays:
    """The spans of many sequences.

    Parameters
    ----------
    labels : array
        The labels of all sequences end to end, as numbers.
    names : sequence of K str
        The labels that the numbers stand for.
    lengths : array (N,)
    scheme, strict, outside
        As in `find_spans`.

    Examples
    --------
    >>> names = ["B-X", "I-X", "O"]
    >>> find_spans_of_all(np.array([0, 1, 1, 2]), names, np.array([2, 2]), "IOB2")
    SpanArrays(types=['', 'X'], type=array([1, 1]), start=array([0, 2]), end=array([2, 3]))
    """
    if scheme == "flat":
        outer = {outside} if isinstance(outside, str) else set(outside)
        kinds = [OUT if name in outer else ("I", name) for name in names]
    else:
        if strict or scheme not in SCHEMES or scheme == "IO":
            return _one_by_one(labels, names, lengths, scheme, strict=strict)
        kinds = [split_label(name) for name in names]
    begins, ends = _steps([*kinds, OUT])
    here = labels[:-1] if len(labels) else labels
    before, after = np.empty_like(labels), np.empty_like(labels)
    before[1:], after[:-1] = here, labels[1:]
    stops = np.cumsum(lengths[lengths > 0])
    if len(stops):
        before[0] = len(names)
        before[stops[:-1]] = after[stops - 1] = len(names)
    size = len(names) + 1  # flat tables are read faster than those of two dimensions
    start = np.flatnonzero(begins.ravel().take(before * size + labels))
    end = np.flatnonzero(ends.ravel().take(labels * size + after)) + 1
    types = sorted({of_type for _, of_type in kinds})
    number = np.array([types.index(of_type) for _, of_type in kinds], dtype=np.int64)
    return SpanArrays(types, number[labels[start]], start, end)


def _steps(kinds: Sequence[tuple[str, str]]) -> tuple[Bools, Bools]:
    """Whether a span begins at a label after another one, and whether one ends at a label before another one.

    As conlleval reads: inside a span, a new one begins where the tag or the type says so.
    """
    begins, ends = np.zeros((2, len(kinds), len(kinds)), dtype=np.bool_)
    for i, (last, last_type) in enumerate(kinds):
        for j, (tag, of_type) in enumerate(kinds):
            begins[i, j] = tag != "O" and (tag in "BS" or last in "OES" or of_type != last_type)
            ends[i, j] = last != "O" and (tag in "BSO" or last in "ES" or of_type != last_type)
    return begins, ends


def _one_by_one(
    labels: Ints, names: Sequence[str], lengths: Ints, scheme: str, *, strict: bool
) -> SpanArrays:
    spans, first = [], 0
    for length in lengths.tolist():
        of_sequence = [names[label] for label in labels[first : first + length].tolist()]
        found = find_spans(of_sequence, scheme, strict=strict)
        spans += [(span.type, first + span.start, first + span.end) for span in found]
        first += length
    types = sorted({split_label(name)[1] for name in names})
    number = {name: place for place, name in enumerate(types)}
    rows = np.array([(number[name], start, end) for name, start, end in spans], dtype=np.int64).reshape(-1, 3)
    return SpanArrays(types, rows[:, 0], rows[:, 1], rows[:, 2])
