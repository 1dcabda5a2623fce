"""Scores that are functions of summed counts, for one sum or for many resampled sums at once."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from lawful.errors import InputError
from lawful.evaluation.counting import COUNTS

__all__ = ["METRICS", "divide", "measure", "sides"]

Sums = npt.NDArray[np.float64]
Counts = TypeVar("Counts", npt.NDArray[np.int64], npt.NDArray[np.float64])
_COLUMN = {name: index for index, name in enumerate(COUNTS)}


# Every metric is a ratio of sums: these columns over those.
METRICS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "token_accuracy": (("correct_tokens",), ("tokens",)),
    "sequence_accuracy": (("correct_sequences",), ("sequences",)),
    "span_precision": (("correct_spans",), ("predicted_spans",)),
    "span_recall": (("correct_spans",), ("gold_spans",)),
    "span_f1": (("correct_spans", "correct_spans"), ("predicted_spans", "gold_spans")),
}


def measure(metric: str, sums: npt.NDArray[np.int64] | npt.NDArray[np.float64]) -> Sums:
    """A metric of sums of counts.

    Parameters
    ----------
    metric : str
        One of `METRICS`.
    sums : array, shape (..., 7)
        Sums over sequences of the columns `COUNTS`.

    Examples
    --------
    >>> float(measure("token_accuracy", np.array([1, 0, 4, 3, 0, 0, 0])))
    0.75
    """
    return divide(sides(metric, np.asarray(sums, dtype=np.float64)))


def sides(metric: str, counts: Counts) -> Counts:
    """The two columns that a metric divides, of counts or of sums of them: shape (..., 2).

    Examples
    --------
    >>> sides("span_f1", np.array([[1, 0, 4, 3, 2, 5, 6]])).tolist()
    [[4, 11]]
    """
    if metric not in METRICS:
        raise InputError(f"unknown metric {metric!r}; the metrics are {', '.join(METRICS)}")
    added = [counts[..., [_COLUMN[name] for name in names]].sum(axis=-1) for names in METRICS[metric]]
    return np.stack(added, axis=-1)


def divide(both: Sums) -> Sums:
    """The first of two columns by the second; 0 where that is 0.

    Examples
    --------
    >>> divide(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [0.75, 0.0]
    """
    top, bottom = both[..., 0], both[..., 1]
    return np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0)
