"""The history of a perceptron's weight vectors, with which the voted perceptron labels.

Storing each vector would take too much memory: the history holds the training data and every update, in order, and the
core replays them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.labels import LabelSet
from lawful.lattice import Lattice
from lawful.lattice.arrays import Floats
from lawful.models.features.attribute_sequences import AttributeSequences
from lawful.models.linear.attributes import core_sequences
from lawful.models.linear.scoring import Scorer
from lawful.models.linear.weights import Weights

__all__ = ["HistoryScorer", "PositionHistory", "SequenceHistory", "WeightHistory"]

_CORPUS_ARRAYS = ("sequence_offsets", "item_offsets", "attributes", "values")


@dataclass(frozen=True, eq=False)
class WeightHistory:
    """The training data, and the time at which learning ended."""

    corpus: AttributeSequences
    time: float

    prefix: ClassVar[str] = "history"
    """What the names of its arrays in a model file begin with."""

    def label_counts(
        self,
        weights: Weights,
        data: _core.LinearSequences,
        pairs: _core.LinearSequences | None,
        max_vectors: int,
        jobs: int,
    ) -> Floats:
        """(M, K): how often each label was a weight vector's best at each position, times the vector's lifetime.

        Only the `max_vectors` vectors that survived longest count; all of them if it is -1.
        """
        raise NotImplementedError

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays for a model file."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        arrays = {name: value for name, value in own.items() if isinstance(value, np.ndarray)}
        for which in ("corpus", "pairs"):
            if isinstance(sequences := own.get(which), AttributeSequences):
                columns = {name: getattr(sequences, name) for name in _CORPUS_ARRAYS}
                arrays |= {f"{which}_{name}": array for name, array in columns.items() if array is not None}
        arrays["time"] = np.array([self.time])
        return {f"{self.prefix}_{name}": array for name, array in arrays.items()}

    @classmethod
    def restored(cls, arrays: Mapping[str, npt.NDArray[Any]], weights: Weights) -> Self:
        """The history that `saved` gave the arrays of."""
        start = f"{cls.prefix}_"
        own = {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}
        values: dict[str, Any] = {"time": float(own["time"][0])}
        values["corpus"] = _restored_corpus(own, "corpus", weights.attribute_map.size)
        if weights.pair_map is not None:
            values["pairs"] = _restored_corpus(own, "pairs", weights.pair_map.size)
        names = {field.name for field in fields(cls)}
        history = cls(**{name: array for name, array in own.items() if name in names} | values)
        nothing = core_sequences(weights.attribute_map.extract([]))
        history.label_counts(weights, nothing, None, -1, 1)  # the core checks that everything fits together
        return history


@dataclass(frozen=True, eq=False)
class SequenceHistory(WeightHistory):
    """The updates of a structured perceptron: which sequence, from which labels to which, at what time and rate."""

    times: Floats
    rates: Floats
    sequences: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int32]
    predictions: npt.NDArray[np.int32]
    pairs: AttributeSequences | None = None

    def label_counts(
        self,
        weights: Weights,
        data: _core.LinearSequences,
        pairs: _core.LinearSequences | None,
        max_vectors: int,
        jobs: int,
    ) -> Floats:
        """(M, K): how often each label was a weight vector's best at each position, times the vector's lifetime."""
        return _core.sequence_history_counts(
            weights.layout,
            np.zeros(weights.layout.size),
            core_sequences(self.corpus),
            None if self.pairs is None else core_sequences(self.pairs),
            self.times,
            self.rates,
            self.sequences,
            self.targets,
            self.predictions,
            self.time,
            data,
            pairs,
            max_vectors=max_vectors,
            threads=jobs,
        )


@dataclass(frozen=True, eq=False)
class PositionHistory(WeightHistory):
    """The updates of a local classifier: which position, from which label, at what time."""

    gold: npt.NDArray[np.int32]
    times: Floats
    positions: npt.NDArray[np.int64]
    labels: npt.NDArray[np.int32]
    options: _core.LocalOptions | None = None
    """How it learned. A file does not hold it: the model sets it from its parameters."""

    def label_counts(
        self,
        weights: Weights,
        data: _core.LinearSequences,
        pairs: _core.LinearSequences | None,
        max_vectors: int,
        jobs: int,
    ) -> Floats:
        """(M, K): how often each label was a weight vector's best at each position, times the vector's lifetime."""
        return _core.position_history_counts(
            weights.layout,
            core_sequences(self.corpus),
            self.gold,
            self.options or _core.LocalOptions(),
            self.times,
            self.positions,
            self.labels,
            self.time,
            data,
            max_vectors=max_vectors,
            threads=jobs,
        )


class HistoryScorer(Scorer):
    """Scores each label by the share of weight vectors, by lifetime, that give it."""

    def __init__(
        self, labels: LabelSet, weights: Weights, history: WeightHistory, max_vectors: int | None
    ) -> None:
        super().__init__(labels, weights)
        self.history, self.max_vectors = history, -1 if max_vectors is None else max_vectors

    def _shares(self, X: Sequence[Sequence[Any]], jobs: int) -> tuple[Floats, npt.NDArray[np.int64]]:
        data, pairs, offsets = self._extract(X, jobs)
        counts = self.history.label_counts(self.weights, data, pairs, self.max_vectors, jobs)
        return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0), offsets

    def _lattices(self, chunk: list[Sequence[Any]], jobs: int) -> Iterator[Lattice]:
        shares, offsets = self._shares(chunk, jobs)
        for tokens, (start, end) in zip(chunk, pairwise(offsets.tolist()), strict=True):
            yield Lattice(shares[start:end], labels=self.labels, tokens=tokens)

    def tag(self, X: Sequence[Sequence[Any]], *, jobs: int) -> list[list[str]]:
        """The label with the largest share at each position."""
        shares, offsets = self._shares(X, jobs)
        names = np.array(self.labels, dtype=object)[shares.argmax(axis=1)].tolist() if len(shares) else []
        return [names[start:end] for start, end in pairwise(offsets.tolist())]

    def marginals(self, X: Sequence[Sequence[Any]], *, jobs: int) -> list[Floats]:
        """The share of each label at each position (T, K)."""
        shares, offsets = self._shares(X, jobs)
        return np.split(shares, offsets[1:-1])


def _restored_corpus(arrays: Mapping[str, npt.NDArray[Any]], which: str, size: int) -> AttributeSequences:
    sequence_offsets, item_offsets, attributes = (arrays[f"{which}_{name}"] for name in _CORPUS_ARRAYS[:3])
    return AttributeSequences(sequence_offsets, item_offsets, attributes, arrays.get(f"{which}_values"), size)
