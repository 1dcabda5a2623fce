"""Scores of sequences for fixed weights: lattices, labels, marginals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import LawfulError
from lawful.labels import LabelSet
from lawful.lattice import Lattice, Transitions
from lawful.lattice.arrays import Floats
from lawful.models.linear.attributes import core_sequences
from lawful.models.linear.weights import Weights

__all__ = ["Scorer"]

CHUNK = 16384  # about so many tokens are scored at a time: enough work for all threads, and little memory

Extracted = tuple[_core.LinearSequences, _core.LinearSequences | None, npt.NDArray[np.int64]]


class Scorer:
    """Scores sequences with the weights of a fitted model."""

    def __init__(self, labels: LabelSet, weights: Weights) -> None:
        self.labels, self.weights = labels, weights
        layout = weights.layout
        edges, first, last = _core.linear_transitions(layout, weights.values)
        self.transitions = Transitions(edges, labels=labels)
        self.first = first if len(layout.first_outputs) else None
        self.last = last if len(layout.last_outputs) else None

    def lattices(self, sequences: Iterable[Sequence[Any]], *, jobs: int) -> Iterator[Lattice]:
        """The lattice of each sequence; they are scored in chunks."""
        for chunk in _chunks(sequences):
            yield from self._lattices(chunk, jobs)

    def _lattices(self, chunk: list[Sequence[Any]], jobs: int) -> Iterator[Lattice]:
        data, pairs, offsets = self._extract(chunk, jobs)
        layout, values = self.weights.layout, self.weights.values
        emissions = _core.linear_emissions(layout, values, data, threads=jobs)
        for number, tokens in enumerate(chunk):
            steps: Transitions | Floats = self.transitions
            if pairs is not None and len(tokens) > 1:
                steps = _core.linear_steps(layout, values, pairs, number)
            yield Lattice(
                emissions[offsets[number] : offsets[number + 1]],
                steps,
                labels=self.labels,
                start=self.first,
                end=self.last,
                tokens=tokens,
            )

    def tag(self, X: Sequence[Sequence[Any]], *, jobs: int) -> list[list[str]]:
        """The best labels of each sequence, without rules."""
        names = np.array(self.labels, dtype=object)
        answers: list[list[str]] = []
        for data, pairs, offsets in self._extract_chunks(X, jobs):
            ids = _core.linear_tag(self.weights.layout, self.weights.values, data, pairs, threads=jobs)
            labels = names[ids].tolist()
            answers += [labels[start:end] for start, end in pairwise(offsets.tolist())]
        return answers

    def marginals(self, X: Sequence[Sequence[Any]], *, jobs: int) -> list[Floats]:
        """The probability of each label at each position (T, K), without rules."""
        answers: list[Floats] = []
        for data, pairs, offsets in self._extract_chunks(X, jobs):
            layout, values = self.weights.layout, self.weights.values
            marginals, _ = _core.linear_marginals(layout, values, data, pairs, threads=jobs)
            answers += [marginals[start:end] for start, end in pairwise(offsets.tolist())]
        return answers

    def _extract_chunks(self, X: Sequence[Sequence[Any]], jobs: int) -> Iterator[Extracted]:
        done = 0
        for chunk in _chunks(X):
            try:
                yield self._extract(chunk, jobs)
            except LawfulError:
                if done:
                    self._extract(
                        X, jobs
                    )  # raise it again with the number of the sequence in X, not in its chunk
                raise
            done += len(chunk)

    def _extract(self, X: Sequence[Sequence[Any]], jobs: int) -> Extracted:
        sequences = self.weights.attribute_map.extract(X, jobs=jobs)
        pair_map = self.weights.pair_map
        pairs = None if pair_map is None else core_sequences(pair_map.extract(X, jobs=jobs))
        return core_sequences(sequences), pairs, sequences.sequence_offsets


def _chunks(sequences: Iterable[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    """The sequences, in order, in lists of about CHUNK tokens."""
    chunk: list[Sequence[Any]] = []
    tokens = 0
    for sequence in sequences:
        chunk.append(sequence)
        tokens += (
            len(sequence) if hasattr(sequence, "__len__") else 1
        )  # what has no length is refused later, with its number
        if tokens >= CHUNK or len(chunk) >= CHUNK:
            yield chunk
            chunk, tokens = [], 0
    if chunk:
        yield chunk
