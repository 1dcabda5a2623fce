"""Scores as arrays: conversion, and the index of what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import DtypeError, LargeScoreError, ScoreError

__all__ = ["Floats", "float_array", "is_masked", "refuse_illegal", "refuse_large", "without_scores"]

Floats = npt.NDArray[np.float64]
_FLOAT64 = np.dtype(np.float64)


def float_array(array: npt.ArrayLike, name: str) -> Floats:
    """The array as float64, itself if it is that already. Anything but real numbers is refused.

    What a masked array masks is forbidden: -inf.

    Examples
    --------
    >>> float_array([1, 2], "start")
    array([1., 2.])
    >>> float_array(np.ma.array([1.0, 2.0], mask=[False, True]), "start")
    array([  1., -inf])
    """
    if type(array) is np.ndarray and array.dtype is _FLOAT64:
        return array
    rows = array if isinstance(array, (list, tuple)) else ()
    masked = is_masked(array) or any(map(is_masked, rows))
    try:
        converted = np.ma.stack(rows) if masked and len(rows) else np.asanyarray(array)
    except Exception as error:  # noqa: BLE001 - whatever is not an array: ragged lists, tensors on another device
        ragged = isinstance(array, (list, tuple)) and isinstance(error, ValueError)
        got = "rows of different lengths" if ragged else f"{type(array).__name__}: {error}"
        raise DtypeError(name, "numbers", got) from None
    if converted.dtype.kind not in "fiu":
        raise DtypeError(name, "numbers", f"dtype {converted.dtype}")
    if masked:
        return np.asarray(np.ma.filled(converted.astype(np.float64), -np.inf))
    return np.asarray(converted).astype(np.float64, copy=False)


def is_masked(array: object) -> bool:
    """Whether this is one of numpy's masked arrays; the module of these need not be loaded to know it.

    Examples
    --------
    >>> is_masked(np.ma.array([1.0])), is_masked(np.array([1.0]))
    (True, False)
    """
    return isinstance(array, np.ndarray) and hasattr(array, "mask")


def refuse_illegal(array: Floats, name: str, labels: Sequence[str]) -> None:
    """Raise `ScoreError` for the first NaN or +inf; the last one or two axes are labels."""
    illegal = np.argwhere(~(array < np.inf))
    if not len(illegal):
        return
    index = tuple(int(i) for i in illegal[0])
    raise ScoreError(name, index, float(array[index]), _label_at(name, index, labels))


def refuse_large(arrays: Mapping[str, Floats | None], labels: Sequence[str], length: int) -> None:
    """Raise `LargeScoreError` for the largest score of a trellis whose paths add up to too much."""
    total = 0.0
    largest: tuple[float, str, tuple[int, ...]] = (0.0, "", ())
    with np.errstate(over="ignore"):
        for name, array in arrays.items():
            if array is None:
                continue
            sizes = np.where(np.isfinite(array), np.abs(array), 0.0)
            index = tuple(int(i) for i in np.unravel_index(sizes.argmax(), sizes.shape))
            largest = max(largest, (float(sizes[index]), name, index))
            steps = sizes.reshape(1 if name in ("start", "end") else len(sizes), -1).max(axis=1).sum()
            total += float(sizes.max() * (length - 1) if name == "transitions" and sizes.ndim == 2 else steps)
    _, name, index = largest
    where = f"{name}[{', '.join(map(str, index))}] (label {_label_at(name, index, labels)!r})"
    value = float(np.asarray(arrays[name])[index])
    raise LargeScoreError(where, value, total, _core.MOST_SCORE)


def without_scores(array: Floats) -> Floats:
    """What is forbidden stays -inf; everything else is 0.

    Examples
    --------
    >>> without_scores(np.array([1.5, -np.inf])).tolist()
    [0.0, -inf]
    """
    return np.where(np.isneginf(array), -np.inf, 0.0)


def _label_at(name: str, index: tuple[int, ...], labels: Sequence[str]) -> str:
    return " -> ".join(labels[i] for i in (index[-2:] if name == "transitions" else index[-1:]))
