"""Scores as arrays: conversion, and the index of what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lawful.errors import DtypeError, ScoreError

__all__ = ["Floats", "float_array", "refuse_illegal", "without_scores"]

Floats = npt.NDArray[np.float64]
_FLOAT64 = np.dtype(np.float64)


def float_array(array: npt.ArrayLike, name: str) -> Floats:
    """The array as float64, itself if it is that already. Anything but real numbers is refused.

    Examples
    --------
    >>> float_array([1, 2], "start")
    array([1., 2.])
    """
    if type(array) is np.ndarray and array.dtype is _FLOAT64:
        return array
    try:
        converted = np.asarray(array)
    except ValueError:
        raise DtypeError(name, "numbers", "rows of different lengths") from None
    if converted.dtype.kind not in "fiu":
        raise DtypeError(name, "numbers", f"dtype {converted.dtype}")
    return converted.astype(np.float64, copy=False)


def refuse_illegal(array: Floats, name: str, labels: Sequence[str]) -> None:
    """Raise `ScoreError` for the first NaN or +inf; the last one or two axes are labels."""
    illegal = np.argwhere(~(array < np.inf))
    if not len(illegal):
        return
    index = tuple(int(i) for i in illegal[0])
    named = [labels[i] for i in index[-2:]] if name == "transitions" else [labels[index[-1]]]
    raise ScoreError(name, index, float(array[index]), " -> ".join(named))


def without_scores(array: Floats) -> Floats:
    """What is forbidden stays -inf; everything else is 0.

    Examples
    --------
    >>> without_scores(np.array([1.5, -np.inf])).tolist()
    [0.0, -inf]
    """
    return np.where(np.isneginf(array), -np.inf, 0.0)
