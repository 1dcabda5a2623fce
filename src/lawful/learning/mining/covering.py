"""The few labels that account for nearly everything."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["fewest_covering"]


def fewest_covering(counts: npt.NDArray[np.int64], share: float) -> list[int]:
    """The fewest places whose counts make up a share of the total, the largest first; ties by place.

    Examples
    --------
    >>> fewest_covering(np.array([1, 90, 9]), 0.95)
    [1, 2]
    """
    total = int(counts.sum())
    if not total:
        return []
    order = np.argsort(-counts, kind="stable")
    enough = int(np.searchsorted(np.cumsum(counts[order]), share * total)) + 1
    return [int(place) for place in order[:enough]]
