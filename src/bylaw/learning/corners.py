"""The corner of a linear model's weights that one sequence looks at: what online learning works on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bylaw import _core
from bylaw.lattice.arrays import Floats
from bylaw.models.crf_weights import Weights
from bylaw.models.features.encoded import EncodedSequences

__all__ = ["Corner", "cut_corner"]

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Corner:
    """The features that can fire in one sequence, and where their weights stand among all weights.

    Scoring and updating a sequence then costs what the sequence is long, however many weights the model has.

    Attributes
    ----------
    places : (f,) int64
        The place of each of its weights.
    layout : CrfLayout
        Its f features, with attributes numbered anew.
    data, pairs : CrfSequences
        The sequence's attributes in those numbers.
    """

    places: Places
    layout: _core.CrfLayout
    data: _core.CrfSequences
    pairs: _core.CrfSequences | None

    def counts(self, path: npt.NDArray[np.int32]) -> Floats:
        """(f,): how often each feature fires for a labelling (T,) of the sequence."""
        return _core.crf_counts(self.layout, self.data, path, self.pairs)

    def emissions(self, weights: Floats) -> Floats:
        """(T, K) scores, from its own weights (f,)."""
        return _core.crf_emissions(self.layout, weights, self.data, threads=1)

    def transitions(self, weights: Floats, length: int) -> tuple[Floats, Floats | None, Floats | None]:
        """(K, K) or (T - 1, K, K) scores, and those of first and last labels."""
        edges, first, last = _core.crf_transitions(self.layout, weights)
        if self.pairs is not None and length > 1:
            edges = _core.crf_steps(self.layout, weights, self.pairs, 0)
        return (
            edges,
            first if len(self.layout.first_outputs) else None,
            last if len(self.layout.last_outputs) else None,
        )


def cut_corner(
    weights: Weights, encoded: EncodedSequences, pairs: EncodedSequences | None, sequence: int
) -> Corner:
    """The corner of one sequence of an encoded corpus."""
    layout, parts = weights.layout, weights.parts()
    used, data = _renumbered(encoded, sequence)
    state, state_offsets = _places(layout.state_offsets, used)
    shared = np.arange(parts["edges"].start, parts["pairs"].start)
    pair_data, pair, pair_offsets = None, np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64)
    if pairs is not None:
        pair_used, pair_data = _renumbered(pairs, sequence)
        pair, pair_offsets = _places(layout.pair_offsets, pair_used)
    own = _core.CrfLayout(
        layout.labels,
        layout.output_offsets,
        layout.output_labels,
        state_offsets,
        layout.state_outputs[state],
        layout.edge_sources,
        layout.edge_targets,
        layout.first_outputs,
        layout.last_outputs,
        pair_offsets,
        layout.pair_sources[pair],
        layout.pair_targets[pair],
    )
    return Corner(np.concatenate([state, shared, parts["pairs"].start + pair]), own, data, pair_data)


def _renumbered(encoded: EncodedSequences, sequence: int) -> tuple[Places, _core.CrfSequences]:
    """The attributes of one sequence, and the sequence with their places in that list instead of their ids."""
    begin, end = encoded.sequence_offsets[sequence : sequence + 2]
    items = encoded.item_offsets[begin : end + 1]
    chosen = slice(items[0], items[-1])
    used, numbers = np.unique(encoded.attributes[chosen], return_inverse=True)
    values = None if encoded.values is None else np.ascontiguousarray(encoded.values[chosen])
    offsets = np.array([0, end - begin], dtype=np.int64)
    return used.astype(np.int64), _core.CrfSequences(
        offsets, items - items[0], numbers.astype(np.int32), values, len(used)
    )


def _places(offsets: npt.NDArray[np.int64], chosen: Places) -> tuple[Places, npt.NDArray[np.int64]]:
    """The places of some of many lists that stand behind one another, and the offsets of those lists alone."""
    sizes = np.diff(offsets)[chosen]
    own = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return np.repeat(offsets[chosen] - own[:-1], sizes) + np.arange(own[-1]), own
