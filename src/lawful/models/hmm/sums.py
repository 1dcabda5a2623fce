"""Forward-backward over many sequences at once: expected counts and the likelihood of the tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from lawful.errors import InputError
from lawful.lattice import Lattice
from lawful.lattice.arrays import Floats
from lawful.models.base.estimator import SequenceModel
from lawful.models.hmm.counts import Counts, Flat
from lawful.models.hmm.emission import Vocabulary

__all__ = ["Expected", "expected_counts"]

_AT_ONCE = 128


class Expected(NamedTuple):
    """Expected counts, and the log-likelihood of the tokens."""

    counts: Counts
    log_likelihood: float


def expected_counts(
    model: SequenceModel, X: Sequence[Sequence[Any]], flat: Flat, vocabularies: Sequence[Vocabulary]
) -> Expected:
    """How often labels start, follow each other, end and emit each symbol, in expectation under a model.

    Parameters
    ----------
    model : SequenceModel
        One whose lattices are trellises with one transition matrix.
    X : sequence of N token sequences
    flat : Flat
        The same sequences as numbers.
    vocabularies : sequence of Vocabulary
        What the numbers mean.

    Examples
    --------
    >>> from lawful.models.hmm.model import HMM
    >>> model = HMM().fit([["a", "b"]], [["X", "Y"]])
    >>> flat = model.flatten([["a"]])
    >>> expected = expected_counts(model, [["a"]], flat, model.vocabularies_)
    >>> bool(expected.counts.start.sum().round(9) == 1.0)
    True
    """
    lattices = list(model.lattices(X))
    size = len(model.labels)
    posterior = np.zeros((int(flat.offsets[-1]), size))
    transitions = np.zeros((size, size))
    total = 0.0
    order = np.argsort(flat.lengths, kind="stable")  # sequences of similar lengths together: less padding
    for first in range(0, len(order), _AT_ONCE):
        chosen = order[first : first + _AT_ONCE]
        gamma, pairs, logs = _sums([lattices[number] for number in chosen], size)
        for row, number in enumerate(chosen):
            posterior[flat.offsets[number] : flat.offsets[number + 1]] = gamma[row, : flat.lengths[number]]
        transitions += pairs
        total += float(logs.sum())
    emissions = []
    for ids, words in zip(flat.symbols, vocabularies, strict=True):
        table = np.zeros((words.size, size))
        np.add.at(table, ids, posterior)
        emissions.append(table)
    start, end = posterior[flat.firsts].sum(axis=0), posterior[flat.lasts].sum(axis=0)
    return Expected(Counts(start, transitions, end, tuple(emissions)), total)


def _sums(lattices: Sequence[Any], size: int) -> tuple[Floats, Floats, Floats]:
    """Label probabilities (B, L, K), expected transitions (K, K), and log-partitions (B,) of sequences of any lengths."""
    lengths = np.array([lattice.length for lattice in lattices])
    rows, longest = len(lattices), int(lengths.max())
    scores = np.zeros((rows, longest, size))
    for row, lattice in enumerate(lattices):
        if not isinstance(lattice, Lattice) or (
            lattice.transitions is not None and lattice.transitions.ndim != 2
        ):
            raise InputError("expected counts need trellises with one transition matrix")
        scores[row, : lattice.length] = lattice.emissions
    steps = lattices[0].transitions
    steps = np.zeros((size, size)) if steps is None else steps
    start = lattices[0].start if lattices[0].start is not None else np.zeros(size)
    end = lattices[0].end if lattices[0].end is not None else np.zeros(size)
    ahead = np.empty_like(scores)
    ahead[:, 0] = start + scores[:, 0]
    for t in range(1, longest):
        ahead[:, t] = _log_sum(ahead[:, t - 1, :, None] + steps, axis=1) + scores[:, t]
    behind = np.empty_like(scores)
    for t in range(longest - 1, -1, -1):
        behind[:, t] = end
        going = np.flatnonzero(lengths > t + 1)
        if len(going):
            following = scores[going, t + 1] + behind[going, t + 1]
            behind[going, t] = _log_sum(steps + following[:, None, :], axis=2)
    logs = _log_sum(ahead[:, 0] + behind[:, 0], axis=1)
    if not np.all(np.isfinite(logs)):
        raise InputError("a sequence has probability 0 under the model: use smoothing of more than 0")
    gamma = np.exp(ahead + behind - logs[:, None, None])
    pairs = np.zeros((size, size))
    for t in range(longest - 1):
        going = np.flatnonzero(lengths > t + 1)
        following = scores[going, t + 1] + behind[going, t + 1] - logs[going, None]
        pairs += np.exp(ahead[going, t, :, None] + steps + following[:, None, :]).sum(axis=0)
    return gamma, pairs, logs


def _log_sum(scores: Floats, axis: int) -> Floats:
    """Log of the sum of exponentials; -inf where everything is."""
    top = scores.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)  # -inf - -inf would be NaN
    with np.errstate(divide="ignore"):
        total: Floats = np.log(np.exp(scores - top).sum(axis=axis)) + top.squeeze(axis)
    return total
