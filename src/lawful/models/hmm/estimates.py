"""From counts to probabilities: smoothing, and back-off over subdivided labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice.arrays import Floats

__all__ = ["backoff_groups", "distribution", "log", "smooth_emissions"]


def distribution(counts: Floats, smoothing: float, *, axis: int = -1) -> Floats:
    """Counts, each with `smoothing` added, as shares along an axis; all 0 where nothing was counted or added.

    Examples
    --------
    >>> distribution(np.array([[3.0, 0.0], [0.0, 0.0]]), 0.5)
    array([[0.875, 0.125],
           [0.5  , 0.5  ]])
    """
    added = counts + smoothing
    # Counts add up without rounding, what is added to them would not.
    totals = counts.sum(axis=axis, keepdims=True) + smoothing * counts.shape[axis]
    shares: Floats = np.divide(added, totals, out=np.zeros_like(added), where=totals > 0)
    return shares


def log(probabilities: Floats) -> Floats:
    """Logarithms; that of 0 is -inf, without a warning."""
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(probabilities)
    return logs


def smooth_emissions(counts: Floats, smoothing: float, groups: Floats | None = None) -> Floats:
    """The probabilities (V + 1, K) of words given labels, averaged with those given the groups that a label is in.

    Parameters
    ----------
    counts : array (V + 1, K)
    smoothing : float
        Added to every count, those of a group's words among them.
    groups : array (G, K), optional
        What `backoff_groups` gives.

    Examples
    --------
    >>> counts = np.array([[4.0, 0.0, 1.0], [0.0, 0.0, 3.0]])
    >>> smooth_emissions(counts, 0.0, np.array([[0.0, 1.0, 1.0]])).tolist()
    [[1.0, 0.125, 0.25], [0.0, 0.375, 0.75]]
    """
    estimates = distribution(counts, smoothing, axis=0)
    if groups is None:
        return estimates
    pooled = distribution(counts @ groups.T, smoothing, axis=0)  # (V + 1, G)
    averaged: Floats = (estimates + pooled @ groups) / (1 + groups.sum(axis=0))
    return averaged


def backoff_groups(labels: LabelSet, backoff: str | Mapping[str, Sequence[str]] | None) -> Floats | None:
    """Which labels share which back-off distributions: an array (groups, K) of 0 and 1; None if none do.

    Parameters
    ----------
    labels : LabelSet
    backoff : str, mapping or None
        The separator of the levels of a subdivided label ("B.2.1" is in the groups "B.2" and "B"), or the groups of each
        label by name.

    Examples
    --------
    >>> backoff_groups(LabelSet(["B.1", "B.2.1", "B.2.2", "O"]), ".")
    array([[1., 1., 1., 0.],
           [0., 1., 1., 0.]])
    """
    if backoff is None:
        return None
    if isinstance(backoff, str):
        if not backoff:
            raise InputError("the separator of the levels of a label must not be empty")
        paths = [label.split(backoff) for label in labels]
        inside = [{backoff.join(path[:size]) for size in range(1, len(path) + 1)} for path in paths]
    else:
        labels.encode(backoff, where="backoff")
        inside = [set(backoff.get(label, ())) for label in labels]
    shared = sorted(
        {name for groups in inside for name in groups if sum(name in other for other in inside) > 1}
    )
    return np.array([[float(name in groups) for groups in inside] for name in shared]) if shared else None
