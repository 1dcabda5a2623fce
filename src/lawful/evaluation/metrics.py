"""Scores that are functions of summed counts, for one sum or for many resampled sums at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from lawful.errors import InputError
from lawful.evaluation.counting import COUNTS

__all__ = ["METRICS", "measure"]

Sums = npt.NDArray[np.float64]
_COLUMN = {name: index for index, name in enumerate(COUNTS)}


def _ratio(top: Sums, bottom: Sums) -> Sums:
    return np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0)


def _share(part: str, whole: str) -> Callable[[Sums], Sums]:
    return lambda sums: _ratio(sums[..., _COLUMN[part]], sums[..., _COLUMN[whole]])


METRICS: dict[str, Callable[[Sums], Sums]] = {
    "token_accuracy": _share("correct_tokens", "tokens"),
    "sequence_accuracy": _share("correct_sequences", "sequences"),
    "span_precision": _share("correct_spans", "predicted_spans"),
    "span_recall": _share("correct_spans", "gold_spans"),
    "span_f1": lambda sums: _ratio(
        2 * sums[..., _COLUMN["correct_spans"]],
        sums[..., _COLUMN["predicted_spans"]] + sums[..., _COLUMN["gold_spans"]],
    ),
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
    if metric not in METRICS:
        raise InputError(f"unknown metric {metric!r}; the metrics are {', '.join(METRICS)}")
    return METRICS[metric](np.asarray(sums, dtype=np.float64))
