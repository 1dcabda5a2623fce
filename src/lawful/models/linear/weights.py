"""The weights of a linear model with the names of their features: to read, prune, carry over and save."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.lattice.arrays import Floats
from lawful.models.linear.attributes import AttributeMap
from lawful.models.linear.outputs import Outputs

__all__ = ["StateFeatures", "Weights"]

_ARRAYS = (
    "state_offsets",
    "state_outputs",
    "edge_sources",
    "edge_targets",
    "first_outputs",
    "last_outputs",
    "pair_offsets",
    "pair_sources",
    "pair_targets",
)


@dataclass(frozen=True, eq=False)
class Weights:
    """The features of a model and their weights, in the order of the core's layout."""

    outputs: Outputs
    attribute_map: AttributeMap
    pair_map: AttributeMap | None
    layout: _core.LinearLayout
    values: Floats

    def slices(self) -> dict[str, slice]:
        """The slice of each kind of weights."""
        layout = self.layout
        sizes = [
            len(layout.state_outputs),
            len(layout.edge_sources),
            len(layout.first_outputs),
            len(layout.last_outputs),
            len(layout.pair_sources),
        ]
        borders = np.cumsum([0, *sizes]).tolist()
        return {
            name: slice(borders[i], borders[i + 1])
            for i, name in enumerate(("state", "edges", "first", "last", "pairs"))
        }

    def edges(self) -> dict[tuple[str, str], float]:
        """The weights of transitions between outputs, by their names."""
        names, values = self.outputs.names, self.values[self.slices()["edges"]].tolist()
        ends = zip(self.layout.edge_sources.tolist(), self.layout.edge_targets.tolist(), values, strict=True)
        return {(names[source], names[target]): value for source, target, value in ends}

    def keys(self) -> npt.NDArray[np.int64]:
        """(F, 4): for every feature its kind, its attribute or -1, and its two outputs or -1."""
        layout, slices = self.layout, self.slices()
        keys = np.full((len(self.values), 4), -1, dtype=np.int64)
        for kind, where in enumerate(slices.values()):
            keys[where, 0] = kind
        keys[slices["state"], 1] = np.repeat(
            np.arange(len(layout.state_offsets) - 1), np.diff(layout.state_offsets)
        )
        keys[slices["state"], 2] = layout.state_outputs
        keys[slices["edges"], 2], keys[slices["edges"], 3] = layout.edge_sources, layout.edge_targets
        keys[slices["first"], 2], keys[slices["last"], 2] = layout.first_outputs, layout.last_outputs
        keys[slices["pairs"], 1] = np.repeat(
            np.arange(len(layout.pair_offsets) - 1), np.diff(layout.pair_offsets)
        )
        keys[slices["pairs"], 2], keys[slices["pairs"], 3] = layout.pair_sources, layout.pair_targets
        return keys

    def carried_to(self, other: Weights) -> Floats:
        """Weights for another set of features: those that are among these keep their weights, the others get 0."""
        keys, values = self.keys(), self.values
        names = {name: number for number, name in enumerate(other.outputs.names)}
        # -2 marks what the other model does not know. The last entry is for -1 (no output), which indexes from the end.
        output = np.array([*(names.get(name, -2) for name in self.outputs.names), -1])
        keys[:, 2], keys[:, 3] = output[keys[:, 2]], output[keys[:, 3]]
        for kind, ours, theirs in (
            (0, self.attribute_map, other.attribute_map),
            (4, self.pair_map, other.pair_map),
        ):
            mine = keys[:, 0] == kind
            if ours is None or theirs is None:
                keys[mine, 1] = -2
                continue
            numbers = ours.numbers_in(theirs)
            keys[mine, 1] = np.where(numbers < 0, -2, numbers)[keys[mine, 1]]
        known = (keys != -2).all(axis=1)
        # Matching rows of four numbers is a search among whole numbers once each row is one.
        ours_by_key, theirs_by_key = _joined(keys[known], other), _joined(other.keys(), other)
        order = np.argsort(ours_by_key)
        ours_by_key, values = ours_by_key[order], values[known][order]
        carried = np.zeros(len(theirs_by_key))
        if len(ours_by_key):
            indices = np.minimum(np.searchsorted(ours_by_key, theirs_by_key), len(ours_by_key) - 1)
            known_here = ours_by_key[indices] == theirs_by_key
            carried[known_here] = values[indices[known_here]]
        return carried

    def pruned(self) -> Weights:
        """Without weights that are 0 and attributes that have no weight left: the same scores."""
        layout, slices = self.layout, self.slices()
        kept = self.values != 0
        if kept.all():
            return self
        state = _shorter(layout.state_offsets, kept[slices["state"]])
        pairs = _shorter(layout.pair_offsets, kept[slices["pairs"]])
        attribute_map, used = self.attribute_map.keep(np.diff(state) > 0)
        pair_map, pair_used = self.pair_map, np.diff(pairs) > 0
        if pair_map is not None:
            pair_map, pair_used = pair_map.keep(pair_used)
        shorter = _core.LinearLayout(
            layout.labels,
            self.outputs.offsets,
            self.outputs.items,
            np.concatenate([[0], np.cumsum(np.diff(state)[used])]).astype(np.int64),
            layout.state_outputs[kept[slices["state"]]],
            layout.edge_sources[kept[slices["edges"]]],
            layout.edge_targets[kept[slices["edges"]]],
            layout.first_outputs[kept[slices["first"]]],
            layout.last_outputs[kept[slices["last"]]],
            np.concatenate([[0], np.cumsum(np.diff(pairs)[pair_used])]).astype(np.int64),
            layout.pair_sources[kept[slices["pairs"]]],
            layout.pair_targets[kept[slices["pairs"]]],
        )
        return Weights(
            self.outputs, attribute_map, pair_map, self.outputs.restrict(shorter), self.values[kept]
        )

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays for a model file."""
        arrays = {name: getattr(self.layout, name) for name in _ARRAYS}
        arrays |= {"weights": self.values} | self.attribute_map.saved("attribute")
        return arrays | ({} if self.pair_map is None else self.pair_map.saved("pair_attribute"))

    @classmethod
    def restored(
        cls,
        outputs: Outputs,
        attribute_map: AttributeMap,
        pair_map: AttributeMap | None,
        arrays: Mapping[str, npt.NDArray[Any]],
        labels: int,
    ) -> Weights:
        """The weights that `saved` made arrays of."""
        layout = outputs.restrict(
            _core.LinearLayout(
                labels,
                outputs.offsets,
                outputs.items,
                *(np.ascontiguousarray(arrays[name]) for name in _ARRAYS),
            )
        )
        values = np.ascontiguousarray(arrays["weights"], dtype=np.float64)
        if (
            len(values) != layout.size
            or layout.attributes != attribute_map.size
            or not np.isfinite(values).all()
        ):
            raise ValueError("the weights do not fit the features")
        return cls(outputs, attribute_map, pair_map, layout, values)

    def __reduce__(self) -> tuple[Any, ...]:
        # The core's layout cannot be pickled; it is made again from its arrays.
        arrays = {name: getattr(self.layout, name) for name in _ARRAYS} | {"weights": self.values}
        return Weights.restored, (self.outputs, self.attribute_map, self.pair_map, arrays, self.layout.labels)


class StateFeatures(Mapping[tuple[str, str], float]):
    """The weights of state features by (attribute, label or group); a view that takes no memory of its own.

    Examples
    --------
    >>> import lawful
    >>> model = lawful.CRF(c2=0.1).fit([[["w=a"], ["w=b"]]], [["A", "B"]])
    >>> sorted(model.state_features_)
    [('w=a', 'A'), ('w=b', 'B')]
    >>> model.state_features_["w=a", "A"] > 0, ("w=a", "B") in model.state_features_
    (True, False)
    """

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._offsets, self._outputs = weights.layout.state_offsets, weights.layout.state_outputs

    def __getitem__(self, key: tuple[str, str]) -> float:
        attribute, output = key
        names = self._weights.outputs.names
        for id in self._weights.attribute_map.find(attribute) if output in names else []:
            for index in range(self._offsets[id], self._offsets[id + 1]):
                if self._outputs[index] == names.index(output):
                    return float(self._weights.values[index])
        raise KeyError(key)

    def __len__(self) -> int:
        return len(self._outputs)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return (self.key(index) for index in range(len(self)))

    def key(self, index: int) -> tuple[str, str]:
        """The attribute and the output of the weight at an index."""
        attribute = int(np.searchsorted(self._offsets, index, side="right")) - 1
        return self._weights.attribute_map.name(attribute), self._weights.outputs.names[self._outputs[index]]

    def top(self, count: int, label: str | None = None) -> list[tuple[str, str, float]]:
        """The features of largest absolute weight, of one output or of all."""
        values = self._weights.values[: len(self)]
        indices = np.arange(len(values))
        if label is not None:
            if label not in self._weights.outputs.names:
                raise KeyError(label)
            indices = indices[self._outputs == self._weights.outputs.names.index(label)]
        chosen = indices[np.argsort(-np.abs(values[indices]), kind="stable")[: max(0, count)]]
        return [(*self.key(int(index)), float(values[index])) for index in chosen]


def _joined(keys: npt.NDArray[np.int64], like: Weights) -> npt.NDArray[np.int64]:
    """Each row of keys as one whole number; attributes and outputs are those of `like`."""
    attributes = max(like.attribute_map.size, like.pair_map.size if like.pair_map else 0) + 1
    outputs = len(like.outputs.names) + 1
    shifted = keys + np.array([0, 1, 1, 1])  # -1 becomes 0
    joined: npt.NDArray[np.int64] = (
        (shifted[:, 0] * attributes + shifted[:, 1]) * outputs + shifted[:, 2]
    ) * outputs + shifted[:, 3]
    return joined


def _shorter(offsets: npt.NDArray[np.int64], kept: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Offsets into the lists of which only some items are kept."""
    return np.concatenate([[0], np.cumsum(kept)])[offsets].astype(np.int64)
