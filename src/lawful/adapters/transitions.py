"""Transition scores from label sequences, for taggers that score each token alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from lawful.errors import EmptySequenceError, InputError
from lawful.labels import LabelSet
from lawful.lattice.arrays import Floats

__all__ = ["TransitionScores", "estimate_transitions"]


class TransitionScores(NamedTuple):
    """Scores of neighbouring labels. `**scores._asdict()` passes all three to an adapter.

    Attributes
    ----------
    transitions : float64 array (K, K)
        `[i, j]` is the score of label j after label i.
    start, end : float64 array (K,)
        Scores of the first and of the last label.

    Examples
    --------
    >>> TransitionScores(np.zeros((2, 2)), np.zeros(2), np.zeros(2)).start
    array([0., 0.])
    """

    transitions: Floats
    start: Floats
    end: Floats


def estimate_transitions(
    sequences: Iterable[Sequence[str]],
    labels: LabelSet | Iterable[str],
    *,
    smoothing: float = 1.0,
    relative: bool = True,
) -> TransitionScores:
    """Estimate how likely each label follows each other one, starts and ends a sequence, as log scores.

    Parameters
    ----------
    sequences : iterable of label sequences
    labels : LabelSet or iterable of str
    smoothing : float
        Added to every count; with 0, what was never seen is forbidden.
    relative : bool
        Divide by how likely the label is anyway: log P(j after i) - log P(j). This fits a
        classifier's log P(label | token), which already includes P(label). With False the plain log P(j after i),
        for scores that are likelihoods of the token.

    Examples
    --------
    >>> scores = estimate_transitions([["A", "B"], ["A", "B", "B"]], ["A", "B"], smoothing=0.0, relative=False)
    >>> np.exp(scores.transitions).round(2).tolist(), np.exp(scores.start).tolist()
    ([[0.0, 1.0], [0.0, 0.33]], [1.0, 0.0])
    """
    if not 0.0 <= smoothing < np.inf:
        raise InputError(f"smoothing must be a number >= 0, got {smoothing!r}")
    names = labels if isinstance(labels, LabelSet) else LabelSet(labels)
    count = len(names)
    start, end, single = np.zeros(count), np.zeros(count), np.zeros(count)
    steps = np.zeros((count, count))
    for index, sequence in enumerate(sequences):
        path = np.array(names.encode(sequence, where=f"sequences[{index}]"), dtype=np.int64)
        if not len(path):
            continue
        start[path[0]] += 1
        end[path[-1]] += 1
        np.add.at(single, path, 1)
        np.add.at(steps, (path[:-1], path[1:]), 1)
    if not single.any():
        raise EmptySequenceError("sequences")
    leaving = np.column_stack([steps, end]) + smoothing  # the end is one more successor
    with np.errstate(divide="ignore", invalid="ignore"):
        following = np.log(leaving / leaving.sum(axis=1, keepdims=True))
        first = np.log((start + smoothing) / (start + smoothing).sum())
        prior = np.log((single + smoothing) / (single + smoothing).sum())
    following[np.isnan(following)] = -np.inf  # a label that never occurs
    if not relative:
        return TransitionScores(following[:, :-1], first, following[:, -1])
    base = np.where(np.isneginf(prior), 0.0, prior)
    return TransitionScores(following[:, :-1] - base, first - base, following[:, -1])
