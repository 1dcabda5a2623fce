"""What fixed weights say of sequences: lattices, labels, marginals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bylaw import _core
from bylaw.labels import LabelSet
from bylaw.lattice import Lattice, Transitions
from bylaw.lattice.arrays import Floats
from bylaw.models.crf_encoding import core_sequences
from bylaw.models.crf_weights import Weights

__all__ = ["Scorer"]

CHUNK = 4096  # sequences that are scored at a time


class Scorer:
    """Scores sequences with the weights of a fitted CRF."""

    def __init__(self, labels: LabelSet, weights: Weights) -> None:
        self.labels, self.weights = labels, weights
        layout = weights.layout
        edges, first, last = _core.crf_transitions(layout, weights.values)
        self.transitions = Transitions(edges, labels=labels)
        self.first = first if len(layout.first_outputs) else None
        self.last = last if len(layout.last_outputs) else None

    def lattices(self, sequences: Iterable[Sequence[Any]], *, jobs: int) -> Iterator[Lattice]:
        """The lattice of each sequence, some thousand at a time."""
        sequences = iter(sequences)
        while chunk := list(islice(sequences, CHUNK)):
            yield from self._lattices(chunk, jobs)

    def _lattices(self, chunk: list[Sequence[Any]], jobs: int) -> Iterator[Lattice]:
        data, pairs, offsets = self._encoded(chunk, jobs)
        layout, values = self.weights.layout, self.weights.values
        emissions = _core.crf_emissions(layout, values, data, threads=jobs)
        for place, tokens in enumerate(chunk):
            steps: Transitions | Floats = self.transitions
            if pairs is not None and len(tokens) > 1:
                steps = _core.crf_steps(layout, values, pairs, place)
            yield Lattice(
                emissions[offsets[place] : offsets[place + 1]],
                steps,
                labels=self.labels,
                start=self.first,
                end=self.last,
                tokens=tokens,
            )

    def tag(self, X: Sequence[Sequence[Any]], *, jobs: int) -> list[list[str]]:
        """The best labels of each sequence, without rules."""
        data, pairs, offsets = self._encoded(X, jobs)
        found = _core.crf_tag(self.weights.layout, self.weights.values, data, pairs, threads=jobs)
        names = np.array(self.labels, dtype=object)[found].tolist()
        borders = offsets.tolist()
        return [names[start:end] for start, end in pairwise(borders)]

    def marginals(self, X: Sequence[Sequence[Any]], *, jobs: int) -> list[Floats]:
        """The probability of each label at each position (T, K), without rules."""
        data, pairs, offsets = self._encoded(X, jobs)
        found, _ = _core.crf_marginals(self.weights.layout, self.weights.values, data, pairs, threads=jobs)
        return [found[start:end] for start, end in pairwise(offsets.tolist())]

    def _encoded(
        self, X: Sequence[Sequence[Any]], jobs: int
    ) -> tuple[_core.CrfSequences, _core.CrfSequences | None, npt.NDArray[np.int64]]:
        encoded = self.weights.encoding.encode(X, jobs=jobs)
        pair_encoding = self.weights.pair_encoding
        pairs = None if pair_encoding is None else core_sequences(pair_encoding.encode(X, jobs=jobs))
        return core_sequences(encoded), pairs, encoded.sequence_offsets
