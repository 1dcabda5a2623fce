"""The weights of a CRF with names: to read them, to prune them, to carry them over, to save them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.lattice.arrays import Floats
from lawful.models.linear.attributes import Encoding
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
    """The features of a fitted CRF and their weights, in the order of the core's layout."""

    outputs: Outputs
    encoding: Encoding
    pair_encoding: Encoding | None
    layout: _core.CrfLayout
    values: Floats

    def parts(self) -> dict[str, slice]:
        """Where each kind of weights stands."""
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
        names, values = self.outputs.names, self.values[self.parts()["edges"]].tolist()
        ends = zip(self.layout.edge_sources.tolist(), self.layout.edge_targets.tolist(), values, strict=True)
        return {(names[source], names[target]): value for source, target, value in ends}

    def keys(self) -> npt.NDArray[np.int64]:
        """(F, 4) whole numbers that tell every feature apart: its kind, its attribute or -1, its outputs or -1."""
        layout, parts = self.layout, self.parts()
        keys = np.full((len(self.values), 4), -1, dtype=np.int64)
        for kind, part in enumerate(parts.values()):
            keys[part, 0] = kind
        keys[parts["state"], 1] = np.repeat(
            np.arange(len(layout.state_offsets) - 1), np.diff(layout.state_offsets)
        )
        keys[parts["state"], 2] = layout.state_outputs
        keys[parts["edges"], 2], keys[parts["edges"], 3] = layout.edge_sources, layout.edge_targets
        keys[parts["first"], 2], keys[parts["last"], 2] = layout.first_outputs, layout.last_outputs
        keys[parts["pairs"], 1] = np.repeat(
            np.arange(len(layout.pair_offsets) - 1), np.diff(layout.pair_offsets)
        )
        keys[parts["pairs"], 2], keys[parts["pairs"], 3] = layout.pair_sources, layout.pair_targets
        return keys

    def carried_to(self, other: Weights) -> Floats:
        """The weights of another set of features, as far as they are among these; zeros for the others."""
        keys, values = self.keys(), self.values
        names = {name: place for place, name in enumerate(other.outputs.names)}
        output = np.array([*(names.get(name, -2) for name in self.outputs.names), -1])
        keys[:, 2], keys[:, 3] = output[keys[:, 2]], output[keys[:, 3]]
        for kind, ours, theirs in (
            (0, self.encoding, other.encoding),
            (4, self.pair_encoding, other.pair_encoding),
        ):
            mine = keys[:, 0] == kind
            if ours is None or theirs is None:
                keys[mine, 1] = -2
                continue
            numbers = ours.numbers_in(theirs)
            keys[mine, 1] = np.where(numbers < 0, -2, numbers)[keys[mine, 1]]
        known = (keys != -2).all(axis=1)
        ours_by_key, theirs_by_key = _joined(keys[known], other), _joined(other.keys(), other)
        order = np.argsort(ours_by_key)
        ours_by_key, values = ours_by_key[order], values[known][order]
        carried = np.zeros(len(theirs_by_key))
        if len(ours_by_key):
            places = np.minimum(np.searchsorted(ours_by_key, theirs_by_key), len(ours_by_key) - 1)
            found = ours_by_key[places] == theirs_by_key
            carried[found] = values[places[found]]
        return carried

    def pruned(self) -> Weights:
        """Without weights that are 0 and attributes that have no weight left: the same scores."""
        layout, parts = self.layout, self.parts()
        wanted = self.values != 0
        if wanted.all():
            return self
        state = _shorter(layout.state_offsets, wanted[parts["state"]])
        pairs = _shorter(layout.pair_offsets, wanted[parts["pairs"]])
        encoding, used = self.encoding.keep(np.diff(state) > 0)
        pair_encoding, pair_used = self.pair_encoding, np.diff(pairs) > 0
        if pair_encoding is not None:
            pair_encoding, pair_used = pair_encoding.keep(pair_used)
        shorter = _core.CrfLayout(
            layout.labels,
            self.outputs.offsets,
            self.outputs.items,
            np.concatenate([[0], np.cumsum(np.diff(state)[used])]).astype(np.int64),
            layout.state_outputs[wanted[parts["state"]]],
            layout.edge_sources[wanted[parts["edges"]]],
            layout.edge_targets[wanted[parts["edges"]]],
            layout.first_outputs[wanted[parts["first"]]],
            layout.last_outputs[wanted[parts["last"]]],
            np.concatenate([[0], np.cumsum(np.diff(pairs)[pair_used])]).astype(np.int64),
            layout.pair_sources[wanted[parts["pairs"]]],
            layout.pair_targets[wanted[parts["pairs"]]],
        )
        return Weights(self.outputs, encoding, pair_encoding, shorter, self.values[wanted])

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays for a model file."""
        arrays = {name: getattr(self.layout, name) for name in _ARRAYS}
        arrays |= {"weights": self.values} | self.encoding.saved("attribute")
        return arrays | ({} if self.pair_encoding is None else self.pair_encoding.saved("pair_attribute"))

    @classmethod
    def restored(
        cls,
        outputs: Outputs,
        encoding: Encoding,
        pair_encoding: Encoding | None,
        arrays: Mapping[str, npt.NDArray[Any]],
        labels: int,
    ) -> Weights:
        """What `saved` gave, again."""
        layout = _core.CrfLayout(
            labels, outputs.offsets, outputs.items, *(np.ascontiguousarray(arrays[name]) for name in _ARRAYS)
        )
        values = np.ascontiguousarray(arrays["weights"], dtype=np.float64)
        if len(values) != layout.size or layout.attributes != encoding.size or not np.isfinite(values).all():
            raise ValueError("the weights do not fit the features")
        return cls(outputs, encoding, pair_encoding, layout, values)

    def __reduce__(self) -> tuple[Any, ...]:
        arrays = {name: getattr(self.layout, name) for name in _ARRAYS} | {"weights": self.values}
        return Weights.restored, (self.outputs, self.encoding, self.pair_encoding, arrays, self.layout.labels)


class StateFeatures(Mapping[tuple[str, str], float]):
    """The weights of state features by (attribute, label or group). Made when looked at: it takes no memory.

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
        for found in self._weights.encoding.find(attribute) if output in names else []:
            for place in range(self._offsets[found], self._offsets[found + 1]):
                if self._outputs[place] == names.index(output):
                    return float(self._weights.values[place])
        raise KeyError(key)

    def __len__(self) -> int:
        return len(self._outputs)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return (self.key(place) for place in range(len(self)))

    def key(self, place: int) -> tuple[str, str]:
        """The attribute and the output of the weight at a place."""
        attribute = int(np.searchsorted(self._offsets, place, side="right")) - 1
        return self._weights.encoding.name(attribute), self._weights.outputs.names[self._outputs[place]]

    def top(self, count: int, label: str | None = None) -> list[tuple[str, str, float]]:
        """The features of largest absolute weight, of one output or of all."""
        values = self._weights.values[: len(self)]
        places = np.arange(len(values))
        if label is not None:
            if label not in self._weights.outputs.names:
                raise KeyError(label)
            places = places[self._outputs == self._weights.outputs.names.index(label)]
        chosen = places[np.argsort(-np.abs(values[places]), kind="stable")[: max(0, count)]]
        return [(*self.key(int(place)), float(values[place])) for place in chosen]


def _joined(keys: npt.NDArray[np.int64], like: Weights) -> npt.NDArray[np.int64]:
    """Rows of keys, each as one whole number; attributes and outputs are those of `like`."""
    attributes = max(like.encoding.size, like.pair_encoding.size if like.pair_encoding else 0) + 1
    outputs = len(like.outputs.names) + 1
    shifted = keys + np.array([0, 1, 1, 1])
    joined: npt.NDArray[np.int64] = (
        (shifted[:, 0] * attributes + shifted[:, 1]) * outputs + shifted[:, 2]
    ) * outputs + shifted[:, 3]
    return joined


def _shorter(offsets: npt.NDArray[np.int64], wanted: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Offsets into what remains of a list of lists."""
    return np.concatenate([[0], np.cumsum(wanted)])[offsets].astype(np.int64)
