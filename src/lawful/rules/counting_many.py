"""Violations in many sequences, counted in one call of the core."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.rules.bound_rules import bind, read_examples
from lawful.rules.compiled_rules import CompiledRules

__all__ = ["count_many", "count_seen", "see_many"]


def count_many(
    compiled: CompiledRules,
    tokens: list[Sequence[Any] | None],
    contexts: list[Mapping[str, Any]],
    lengths: npt.NDArray[np.int64],
    labels: npt.NDArray[np.int32],
    rows: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """How often labellings of many sequences violate each rule, whatever its price: (labellings, R).

    The same as `bind` and `BoundRules.count_each`, in one call of the core as far as that can tie the rules.

    Parameters
    ----------
    compiled : CompiledRules
    tokens, contexts : lists of N
    lengths : array (N,)
    labels : array
        `rows[n]` labellings of each sequence n, as indices in the label set, all of them end to end.
    rows : array (N,)

    Examples
    --------
    >>> from lawful.labels import LabelSet
    >>> from lawful.rules import Rules, at_most
    >>> compiled = CompiledRules(Rules(at_most(1, "A")), LabelSet(["A", "B"]))
    >>> labels = np.array([0, 0, 0, 1, 0], dtype=np.int32)  # AA and AB; A
    >>> count_many(compiled, [None] * 2, [{}] * 2, np.array([2, 1]), labels, np.array([2, 1])).tolist()
    [[1], [0], [0]]
    """
    seen = see_many(compiled, tokens, contexts, lengths)
    return count_seen(compiled, seen, lambda index: (tokens[index], contexts[index]), lengths, labels, rows)


def see_many(
    compiled: CompiledRules,
    tokens: list[Sequence[Any] | None],
    contexts: list[Mapping[str, Any]],
    lengths: npt.NDArray[np.int64],
) -> _core.Examples | None:
    """What the rules see of many sequences, for `count_seen`; None if the core cannot tie them."""
    if compiled.binder is None:
        return None
    seen = _core.Examples(compiled.binder, lengths)
    read_examples(seen, compiled, tokens, contexts)
    return seen


def count_seen(
    compiled: CompiledRules,
    seen: _core.Examples | None,
    sequence: Callable[[int], tuple[Sequence[Any] | None, Mapping[str, Any]]],
    lengths: npt.NDArray[np.int64],
    labels: npt.NDArray[np.int32],
    rows: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """The same for sequences that were looked at before; `sequence` gives tokens and context of one that the core cannot tie."""
    left: Iterable[int] = range(len(lengths))
    if seen is None:
        counts = np.zeros((int(rows.sum()), len(compiled.names)), dtype=np.int64)
    else:
        flat, not_tied = seen.count(labels, rows, len(compiled.names))
        counts, left = flat.reshape(int(rows.sum()), len(compiled.names)), not_tied.tolist()
    row_ends, label_ends = np.cumsum(rows), np.cumsum(rows * lengths)
    for index in left:
        count, length = int(rows[index]), int(lengths[index])
        if not count:
            continue
        row, label = int(row_ends[index]), int(label_ends[index])
        bound = bind(compiled, length, *sequence(index))
        counts[row - count : row] = bound.count_each(
            labels[label - count * length : label].reshape(count, length)
        )
    return counts
