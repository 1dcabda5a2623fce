"""Lattices from the scores of any model: logits (T, K) of one sequence, or padded batches of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.adapters.arrays import as_floats, as_labels, as_mask, log_probabilities, refuse_bad_scores
from lawful.errors import EmptySequenceError, InputError, ShapeError
from lawful.labels import LabelSet
from lawful.lattice import Lattice, Transitions
from lawful.lattice.arrays import Floats

__all__ = ["from_logits", "from_logits_batch", "shared_transitions"]

Labels = LabelSet | Iterable[str] | Mapping[int, str]


def from_logits(
    logits: Any,
    labels: Labels,
    *,
    mask: Any = None,
    log_softmax: bool = True,
    transitions: Any = None,
    start: Any = None,
    end: Any = None,
    tokens: Sequence[Any] | None = None,
    context: Mapping[str, Any] | None = None,
) -> Lattice:
    """The lattice of one sequence, from a model's logits.

    Parameters
    ----------
    logits : array or tensor (T, K)
        From numpy, torch (any float type, gradients and devices included) or nested lists. -inf forbids.
    labels : LabelSet, iterable of str, or mapping from number to name
        The names of the K columns; a model's `id2label` works too.
    mask : array (T,), optional
        False or 0 for rows to leave out: padding, special tokens.
    log_softmax : bool
        Normalise each row to log-probabilities. That changes no answer and no probability; it only makes scores
        and losses logs of probabilities (without transitions).
    transitions : array (K, K) or Transitions, start, end : array (K,), optional
        Scores of neighbouring labels, of the first and of the last label.
    tokens : sequence, optional
        The tokens that the mask keeps.
    context : mapping, optional

    Examples
    --------
    >>> import lawful
    >>> from lawful.adapters.logits import from_logits
    >>> lattice = from_logits([[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]], ["O", "Name"], mask=[1, 1, 0])
    >>> lawful.decode(lattice).labels, round(lawful.decoding.log_partition(lattice), 9) + 0.0
    (('O', 'Name'), 0.0)
    >>> from_logits([[0.0, float("nan")]], ["O", "Name"])
    Traceback (most recent call last):
    lawful.errors.ScoreError: logits[0, 1] (label 'Name') is nan: scores are finite logs, or -inf for what is forbidden
    """
    names, array = as_labels(labels), as_floats(logits, "logits")
    if array.ndim == 3:
        raise ShapeError("logits", "(T, K); for a batch (B, T, K) call from_logits_batch", array.shape)
    rows = _checked_rows(array, "logits", names)
    kept = None if mask is None else as_mask(mask, "mask", (len(rows),))
    return Lattice(
        _scores(rows, kept, "logits", names, log_softmax=log_softmax),
        shared_transitions(transitions, names),
        labels=names,
        start=None if start is None else as_floats(start, "start"),
        end=None if end is None else as_floats(end, "end"),
        tokens=tokens,
        context=context,
    )


def from_logits_batch(
    logits: Any,
    labels: Labels,
    *,
    mask: Any = None,
    lengths: Any = None,
    log_softmax: bool = True,
    transitions: Any = None,
    start: Any = None,
    end: Any = None,
    tokens: Sequence[Sequence[Any]] | None = None,
    contexts: Sequence[Mapping[str, Any]] | None = None,
) -> list[Lattice]:
    """The lattices of many sequences, from a padded batch of logits or a list of them.

    Parameters
    ----------
    logits : array or tensor (B, T, K), or list of arrays (T_b, K)
    labels, log_softmax, transitions, start, end
        As for `from_logits`; transitions are converted once for all sequences.
    mask : array (B, T), optional
        False or 0 for padding and everything else to leave out; an attention mask, or one of first sub-words.
    lengths : array (B,), optional
        Instead of a mask: the number of rows of each sequence.
    tokens, contexts : sequence of length B, optional

    Examples
    --------
    >>> import lawful
    >>> import numpy as np
    >>> from lawful.adapters.logits import from_logits_batch
    >>> lattices = from_logits_batch(np.zeros((2, 3, 2)), ["O", "Name"], lengths=[3, 1])
    >>> [lattice.length for lattice in lattices]
    [3, 1]
    """
    names = as_labels(labels)
    batch = _sequences(logits, names)
    masks = _masks(mask, lengths, [len(rows) for rows in batch])
    shared = shared_transitions(transitions, names)
    first = None if start is None else as_floats(start, "start")
    last = None if end is None else as_floats(end, "end")
    return [
        Lattice(
            _scores(rows, masks[index], f"logits[{index}]", names, log_softmax=log_softmax),
            shared,
            labels=names,
            start=first,
            end=last,
            tokens=_at(tokens, index, len(batch), "tokens"),
            context=_at(contexts, index, len(batch), "contexts"),
        )
        for index, rows in enumerate(batch)
    ]


def shared_transitions(transitions: Any, labels: LabelSet) -> Transitions | None:
    """Transition scores converted once for many lattices; None stays None.

    Examples
    --------
    >>> shared_transitions([[0.0, 1.0], [0.0, 0.0]], LabelSet(["O", "Name"]))
    Transitions(1 x 2 x 2)
    """
    if transitions is None or isinstance(transitions, Transitions):
        return transitions
    return Transitions(as_floats(transitions, "transitions"), labels=labels)


def _sequences(logits: Any, labels: LabelSet) -> list[Floats]:
    if isinstance(logits, (list, tuple)):
        return [
            _checked_rows(as_floats(rows, f"logits[{i}]"), f"logits[{i}]", labels)
            for i, rows in enumerate(logits)
        ]
    array = as_floats(logits, "logits")
    if array.ndim != 3 or array.shape[2] != len(labels):
        raise ShapeError("logits", f"(B, T, {len(labels)}) for {len(labels)} labels", array.shape)
    return list(array)


def _checked_rows(array: Floats, name: str, labels: LabelSet) -> Floats:
    if array.ndim != 2 or array.shape[1] != len(labels):
        raise ShapeError(name, f"(T, {len(labels)}) for {len(labels)} labels", array.shape)
    return array


def _masks(mask: Any, lengths: Any, rows: Sequence[int]) -> Sequence[npt.NDArray[np.bool_] | None]:
    if mask is not None and lengths is not None:
        raise InputError("give mask= or lengths=, not both: a mask already gives the length of each sequence")
    if mask is not None:
        return [as_mask(row, f"mask[{i}]", (rows[i],)) for i, row in _each(mask, "mask", len(rows))]
    if lengths is None:
        return [None] * len(rows)
    counts = [int(length) for _, length in _each(lengths, "lengths", len(rows))]
    for index, (count, most) in enumerate(zip(counts, rows, strict=True)):
        if not 0 <= count <= most:
            raise InputError(
                f"lengths[{index}] must be 0 to {most}, the rows of logits[{index}]; got {count}"
            )
    return [np.arange(most) < count for count, most in zip(counts, rows, strict=True)]


def _each(values: Any, name: str, count: int) -> Iterable[tuple[int, Any]]:
    if len(values) != count:
        raise ShapeError(name, f"({count}, ...), one for each sequence", (len(values),))
    return enumerate(values)


def _at(values: Sequence[Any] | None, index: int, count: int, name: str) -> Any:
    if values is None:
        return None
    if len(values) != count:
        raise ShapeError(name, f"({count},), one for each sequence", (len(values),))
    return values[index]


def _scores(
    rows: Floats, mask: npt.NDArray[np.bool_] | None, name: str, labels: LabelSet, *, log_softmax: bool
) -> Floats:
    kept = rows if mask is None else rows[mask]
    if not len(kept):
        raise EmptySequenceError(name if mask is None else f"{name} after its mask or length")
    if not (kept < np.inf).all():
        # Masked rows may hold anything, and the error names a position in the array before masking.
        positions = np.arange(len(rows)) if mask is None else np.flatnonzero(mask)
        unmasked = np.zeros_like(rows)
        unmasked[positions] = kept
        refuse_bad_scores(unmasked, name, labels)
    return log_probabilities(kept) if log_softmax else kept
