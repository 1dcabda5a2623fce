"""Scores that are log-probabilities at each token: given the token alone, or given the label before it too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from lawful import _core
from lawful.decoding import Decoder
from lawful.lattice import Lattice
from lawful.lattice.arrays import Floats
from lawful.models.linear.scoring import Scorer

__all__ = ["StepScorer", "TokenScorer", "log_softmax"]


def log_softmax(scores: Floats) -> Floats:
    """Scores minus the log of the sum of their exps, over the last axis.

    Examples
    --------
    >>> import numpy as np
    >>> np.exp(log_softmax(np.array([[0.0, np.log(3)]]))).round(3).tolist()
    [[0.25, 0.75]]
    """
    shifted = scores - scores.max(axis=-1, keepdims=True)
    result: Floats = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return result


class TokenScorer(Scorer):
    """Emissions are log p(y_t | x, t); there are no transitions."""

    def _lattices(self, chunk: list[Sequence[Any]], jobs: int) -> Iterator[Lattice]:
        data, _, offsets = self._extract(chunk, jobs)
        scores = log_softmax(
            _core.crf_emissions(self.weights.layout, self.weights.values, data, threads=jobs)
        )
        for tokens, (start, end) in zip(chunk, pairwise(offsets.tolist()), strict=True):
            yield Lattice(scores[start:end], labels=self.labels, tokens=tokens)


class StepScorer(Scorer):
    """Transitions are log p(y_t | y_t-1, x, t) in matrices (T-1, K, K); the first emissions are log p(y_0 | x)."""

    def _lattices(self, chunk: list[Sequence[Any]], jobs: int) -> Iterator[Lattice]:
        data, pairs, offsets = self._extract(chunk, jobs)
        layout, values = self.weights.layout, self.weights.values
        scores = _core.crf_emissions(layout, values, data, threads=jobs)
        edges = np.asarray(self.transitions.scores)
        first = 0.0 if self.first is None else self.first
        for place, (tokens, (start, end)) in enumerate(zip(chunk, pairwise(offsets.tolist()), strict=True)):
            emissions = np.zeros((end - start, len(self.labels)))
            emissions[:1] = log_softmax(scores[start : min(start + 1, end)] + first)
            before = edges[None] if pairs is None else _core.crf_steps(layout, values, pairs, place)
            steps = log_softmax(before + scores[start + 1 : end, None, :])
            yield Lattice(emissions, steps if end - start > 1 else None, labels=self.labels, tokens=tokens)

    def tag(self, X: Sequence[Sequence[Any]], *, jobs: int) -> list[list[str]]:
        """The best labels of each sequence, without rules."""
        decoded = Decoder(labels=self.labels).decode_batch(
            self.lattices(filter(len, X), jobs=jobs), jobs=jobs
        )
        found = iter(decoded)
        return [list(next(found).labels) if len(tokens) else [] for tokens in X]

    def marginals(self, X: Sequence[Sequence[Any]], *, jobs: int) -> list[Floats]:
        """The probability of each label at each position (T, K): forward alone, since steps are probabilities."""
        found = iter(self.lattices(filter(len, X), jobs=jobs))
        return [_forward(next(found)) if len(tokens) else np.zeros((0, len(self.labels))) for tokens in X]


def _forward(lattice: Lattice) -> Floats:
    rows = [np.exp(lattice.emissions[0])]
    if lattice.length > 1:
        steps = np.exp(np.asarray(lattice.transitions).reshape(lattice.length - 1, len(rows[0]), -1))
        for step in steps:
            rows.append(rows[-1] @ step)
    return np.array(rows)
