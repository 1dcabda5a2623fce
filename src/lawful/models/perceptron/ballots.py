"""Every weight vector that a perceptron ever had, and the votes that they cast.

The vectors themselves would be too many: what is kept is what they were learned from and every update, in order.
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
from lawful.models.features.encoded import EncodedSequences
from lawful.models.linear.attributes import core_sequences
from lawful.models.linear.scoring import Scorer
from lawful.models.linear.weights import Weights

__all__ = ["Ballots", "PositionBallots", "SequenceBallots", "VoteScorer"]

_CORPUS = ("sequence_offsets", "item_offsets", "attributes", "values")


@dataclass(frozen=True, eq=False)
class Ballots:
    """What was learned from, and the time at which learning ended."""

    encoded: EncodedSequences
    time: float

    prefix: ClassVar[str] = "ballots"

    def votes(
        self,
        weights: Weights,
        data: _core.CrfSequences,
        pairs: _core.CrfSequences | None,
        voters: int,
        jobs: int,
    ) -> Floats:
        """(M, K): the votes for each label at each position."""
        raise NotImplementedError

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays for a model file."""
        mine = {one.name: getattr(self, one.name) for one in fields(self)}
        arrays = {name: np.asarray(value) for name, value in mine.items() if isinstance(value, np.ndarray)}
        for which in ("encoded", "pairs"):
            if isinstance(corpus := mine.get(which), EncodedSequences):
                given = {name: getattr(corpus, name) for name in _CORPUS}
                arrays |= {f"{which}_{name}": array for name, array in given.items() if array is not None}
        return {
            f"{self.prefix}_{name}": array
            for name, array in (arrays | {"time": np.array([self.time])}).items()
        }

    @classmethod
    def restored(cls, arrays: Mapping[str, npt.NDArray[Any]], weights: Weights) -> Self:
        """What `saved` gave, again."""
        found = {
            name.removeprefix(f"{cls.prefix}_"): array for name, array in arrays.items() if cls.prefix in name
        }
        given: dict[str, Any] = {"time": float(found["time"][0])}
        given["encoded"] = _corpus(found, "encoded", weights.encoding.size)
        if weights.pair_encoding is not None:
            given["pairs"] = _corpus(found, "pairs", weights.pair_encoding.size)
        names = {one.name for one in fields(cls)}
        ballots = cls(**{name: array for name, array in found.items() if name in names} | given)
        nothing = core_sequences(weights.encoding.encode([]))
        ballots.votes(weights, nothing, None, -1, 1)  # checks that everything fits together
        return ballots


@dataclass(frozen=True, eq=False)
class SequenceBallots(Ballots):
    """The updates of a structured perceptron."""

    times: Floats
    rates: Floats
    sequences: npt.NDArray[np.int64]
    wanted: npt.NDArray[np.int32]
    found: npt.NDArray[np.int32]
    pairs: EncodedSequences | None = None

    def votes(
        self,
        weights: Weights,
        data: _core.CrfSequences,
        pairs: _core.CrfSequences | None,
        voters: int,
        jobs: int,
    ) -> Floats:
        """(M, K): the votes for each label at each position."""
        return _core.crf_votes(
            weights.layout,
            np.zeros(weights.layout.size),
            core_sequences(self.encoded),
            None if self.pairs is None else core_sequences(self.pairs),
            self.times,
            self.rates,
            self.sequences,
            self.wanted,
            self.found,
            self.time,
            data,
            pairs,
            voters=voters,
            threads=jobs,
        )


@dataclass(frozen=True, eq=False)
class PositionBallots(Ballots):
    """The updates of a local classifier."""

    gold: npt.NDArray[np.int32]
    times: Floats
    positions: npt.NDArray[np.int64]
    labels: npt.NDArray[np.int32]
    options: _core.LocalOptions | None = None
    """How it learned; set anew by the model when it comes from a file."""

    def votes(
        self,
        weights: Weights,
        data: _core.CrfSequences,
        pairs: _core.CrfSequences | None,
        voters: int,
        jobs: int,
    ) -> Floats:
        """(M, K): the votes for each label at each position."""
        return _core.local_votes(
            weights.layout,
            core_sequences(self.encoded),
            self.gold,
            self.options or _core.LocalOptions(),
            self.times,
            self.positions,
            self.labels,
            self.time,
            data,
            voters=voters,
            threads=jobs,
        )


class VoteScorer(Scorer):
    """Scores labels by the share of votes that they get."""

    def __init__(self, labels: LabelSet, weights: Weights, ballots: Ballots, voters: int | None) -> None:
        super().__init__(labels, weights)
        self.ballots, self.voters = ballots, -1 if voters is None else voters

    def _shares(self, X: Sequence[Sequence[Any]], jobs: int) -> tuple[Floats, npt.NDArray[np.int64]]:
        data, pairs, offsets = self._encoded(X, jobs)
        votes = self.ballots.votes(self.weights, data, pairs, self.voters, jobs)
        return votes / np.maximum(votes.sum(axis=1, keepdims=True), 1.0), offsets

    def _lattices(self, chunk: list[Sequence[Any]], jobs: int) -> Iterator[Lattice]:
        shares, offsets = self._shares(chunk, jobs)
        for tokens, (start, end) in zip(chunk, pairwise(offsets.tolist()), strict=True):
            yield Lattice(shares[start:end], labels=self.labels, tokens=tokens)

    def tag(self, X: Sequence[Sequence[Any]], *, jobs: int) -> list[list[str]]:
        """The label with most votes at each position."""
        shares, offsets = self._shares(X, jobs)
        names = np.array(self.labels, dtype=object)[shares.argmax(axis=1)].tolist() if len(shares) else []
        return [names[start:end] for start, end in pairwise(offsets.tolist())]

    def marginals(self, X: Sequence[Sequence[Any]], *, jobs: int) -> list[Floats]:
        """The shares of votes (T, K)."""
        shares, offsets = self._shares(X, jobs)
        return np.split(shares, offsets[1:-1])


def _corpus(found: Mapping[str, npt.NDArray[Any]], which: str, size: int) -> EncodedSequences:
    first, items, attributes = (found[f"{which}_{name}"] for name in _CORPUS[:3])
    return EncodedSequences(first, items, attributes, found.get(f"{which}_values"), size)
