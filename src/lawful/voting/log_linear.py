"""The log-linear vote: probabilities multiplied, each to the power of its weight, as one lattice (Loper 6.3 and 6.4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lawful.errors import InputError, MachineError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, Lattice, TagLattice
from lawful.lattice.arrays import Floats
from lawful.models.blend import TrellisMixer
from lawful.support.limits import Limits
from lawful.voting.grouped_states import canonical_states
from lawful.voting.merged_columns import MOST_CACHED, MergedColumns
from lawful.voting.merging import merge_states

__all__ = ["LogLinear"]


class LogLinear:
    """Makes the lattice of a log-linear vote from the lattices of the taggers, one sequence after another.

    The score of a label sequence is the weighted sum of its scores. Where all taggers give trellises, over labels or over the tags of
    an encoding, the vote is a trellis too, which the compiled engine decodes; otherwise, or if it would be too large, it is the
    graph of their merged canonical graphs.

    Parameters
    ----------
    weights : sequence of float
        0 or more. A tagger of weight 0 has no say.
    labels : LabelSet
        The canonical labels. A label that one of the taggers lacks cannot win: its chance would be multiplied by 0.

    Examples
    --------
    >>> import lawful
    >>> vote = LogLinear([0.5, 0.5], lawful.LabelSet(["A", "B"]))
    >>> lattice = vote([lawful.Lattice([[1.0, 0.0]], labels=["A", "B"]), lawful.Lattice([[4.0, 0.0]], labels=["B", "A"])])
    >>> lawful.decode(lattice)
    Decoding(['B'], score=2, status='optimal')
    """

    def __init__(self, weights: Sequence[float], labels: LabelSet) -> None:
        self._used = [index for index, weight in enumerate(weights) if weight > 0]
        self._weights = [float(weights[index]) for index in self._used]
        self._labels = labels
        self._mix = TrellisMixer(self._weights, labels)
        self._merging: dict[tuple[int, ...], tuple[object, MergedColumns | None]] = {}

    def __call__(self, lattices: Sequence[AnyLattice], *, limits: Limits | None = None) -> AnyLattice:
        """The lattice of the vote on one sequence."""
        used = [lattices[index] for index in self._used]
        chains = [lattice for lattice in used if isinstance(lattice, Lattice | TagLattice)]
        if len(chains) == len(used):
            lengths = {lattice.length for lattice in chains}
            if len(lengths) > 1:
                raise InputError(
                    f"the taggers have scored {' and '.join(map(str, sorted(lengths)))} tokens: they vote on the same sequence"
                )
            trellises = [lattice for lattice in chains if isinstance(lattice, Lattice)]
            if len(trellises) == len(chains):
                return self._mix([in_order(trellis, self._labels) for trellis in trellises])
            merge = self._merged(chains)
            if merge is not None:
                return merge(chains)
        graphs = [canonical_states(lattice, self._labels, limits=limits) for lattice in used]
        return merge_states(graphs, limits=limits).to_lattice(self._weights)

    def _merged(self, lattices: Sequence[Lattice | TagLattice]) -> MergedColumns | None:
        """What merges such lattices in columns; None if that is too large."""
        shapes = [
            lattice.columns if isinstance(lattice, TagLattice) else lattice.labels for lattice in lattices
        ]
        key = tuple(map(id, shapes))
        if key not in self._merging:
            if len(self._merging) >= MOST_CACHED:
                self._merging.pop(next(iter(self._merging)))
            try:
                merged = MergedColumns(lattices, self._weights, self._labels)
            except MachineError:
                merged = None
            self._merging[key] = shapes, merged  # which stay alive, so that their ids stay their own
        return self._merging[key][1]


def in_order(lattice: Lattice, labels: LabelSet) -> Lattice:
    """A trellis over another label set, by name; labels that it lacks have no chance.

    Examples
    --------
    >>> in_order(Lattice([[1.0, 2.0]], labels=["A", "B"]), LabelSet(["B", "C", "A"])).emissions.tolist()
    [[2.0, -inf, 1.0]]
    """
    if lattice.labels == labels:
        return lattice
    column = [labels.index(label) for label in lattice.labels]
    emissions = np.full((lattice.length, len(labels)), -np.inf)
    emissions[:, column] = lattice.emissions

    def moved(scores: Floats | None) -> Floats | None:
        """Along every axis that stands for labels; what is new is forbidden already, by its emissions."""
        if scores is None:
            return None
        if scores.ndim == 1:
            wide = np.zeros(len(labels))
            wide[column] = scores
        else:
            wide = np.zeros((*scores.shape[:-2], len(labels), len(labels)))
            wide[..., np.array(column)[:, None], column] = scores
        return wide

    return Lattice(
        emissions,
        moved(lattice.transitions),
        labels=labels,
        start=moved(lattice.start),
        end=moved(lattice.end),
        tokens=lattice.tokens,
        context=lattice.context,
    )
