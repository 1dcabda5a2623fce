"""From sequences to the attribute ids that a linear model has weights for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.models.features.attribute_sequences import AttributeSequences
from lawful.models.features.collection import Features
from lawful.models.features.defaults import features_for
from lawful.models.features.index import AttributeIndex
from lawful.models.features.items import extract_attributes, fit_attributes

__all__ = [
    "AttributeBlock",
    "AttributeMap",
    "core_sequences",
    "restored_defaults",
    "saved_defaults",
    "side_by_side",
    "single_tokens",
]


@dataclass(frozen=True)
class AttributeBlock:
    """The attributes of one collection of templates, with ids from 0.

    `features` is None if tokens are items, which hold attributes already; `index` is None if attributes are hashed.
    """

    features: Features | None
    index: AttributeIndex | None
    size: int
    prefix: str = ""
    """Added before the names of its attributes, to tell blocks apart."""

    @classmethod
    def fit(
        cls, features: Features | None, X: Sequence[Sequence[Any]], prefix: str = ""
    ) -> tuple[AttributeBlock, AttributeSequences]:
        """Extract the attributes of sequences and learn them. Without templates, the tokens decide; see `features_for`."""
        templates = features_for(X) if features is None else features
        sequences, index = fit_attributes(X) if templates is None else templates.fit(X)
        return cls(templates, index, sequences.size, prefix), sequences

    def extract(self, X: Sequence[Sequence[Any]], *, jobs: int) -> AttributeSequences:
        """Encode sequences with the attributes that are known; others are dropped."""
        if self.features is not None:
            return self.features.extract(X, self.index, jobs=jobs)
        return extract_attributes(X, self.index or AttributeIndex())

    def name(self, attribute: int) -> str:
        """The name of an attribute; its id in brackets if attributes are hashed."""
        return self.prefix + (f"[{attribute}]" if self.index is None else self.index[attribute])

    def find(self, attribute: str) -> int:
        """The id of an attribute; -1 if it is unknown."""
        if not attribute.startswith(self.prefix):
            return -1
        attribute = attribute.removeprefix(self.prefix)
        if self.index is not None:
            return self.index.find(attribute)
        number = attribute[1:-1]
        known = attribute == f"[{number}]" and number.isdecimal() and int(number) < self.size
        return int(number) if known else -1

    def numbers_in(self, other: AttributeBlock) -> npt.NDArray[np.int64]:
        """(size,): the id of each attribute in another block, -1 if it has none there."""
        if self.index is other.index and self.size == other.size:  # the same ids, or hashed to as many
            return np.arange(self.size)
        if self.index is None or other.index is None:
            return np.full(self.size, -1)
        return np.fromiter(map(other.index.find, self.index.strings()), np.int64, self.size)

    def keep(self, mask: npt.NDArray[np.bool_]) -> AttributeBlock:
        """Only the attributes in the mask. (Hashed ones all stay.)"""
        if self.index is None or mask.all():
            return self
        index = self.index.keep(mask)
        return replace(self, index=index, size=len(index))


@dataclass(frozen=True)
class AttributeMap:
    """From tokens to attribute ids, as a fitted model does it: the ids of each block follow those of the block before.

    Examples
    --------
    >>> attribute_map, sequences = AttributeMap.fit([None], [[["w=a", "caps"], ["w=b"]]])
    >>> sequences.attributes.tolist(), attribute_map.name(1)
    ([0, 1, 2], 'caps')
    >>> attribute_map.extract([[["w=b", "w=c"]]]).attributes.tolist()
    [2]
    """

    blocks: tuple[AttributeBlock, ...]

    @classmethod
    def fit(
        cls, collections: Sequence[Features | None], X: Sequence[Sequence[Any]]
    ) -> tuple[AttributeMap, AttributeSequences]:
        """Encode sequences and learn their attributes, for each collection of templates."""
        fitted = [AttributeBlock.fit(features, X) for features in collections]
        blocks = tuple(block for block, _ in fitted)
        return cls(blocks), reduce(side_by_side, (sequences for _, sequences in fitted))

    def extract(self, X: Sequence[Sequence[Any]], *, jobs: int = 1) -> AttributeSequences:
        """Encode sequences with the attributes that are known; others are dropped."""
        return reduce(side_by_side, (block.extract(X, jobs=jobs) for block in self.blocks))

    @property
    def size(self) -> int:
        """How many attributes there are."""
        return sum(block.size for block in self.blocks)

    @property
    def starts(self) -> list[int]:
        """The first id of each block."""
        return [sum(block.size for block in self.blocks[:i]) for i in range(len(self.blocks))]

    def name(self, attribute: int) -> str:
        """The name of an attribute."""
        number = max(i for i, start in enumerate(self.starts) if start <= attribute)
        return self.blocks[number].name(attribute - self.starts[number])

    def find(self, attribute: str) -> list[int]:
        """The ids of an attribute: at most one per block."""
        ids = [(start, block.find(attribute)) for start, block in zip(self.starts, self.blocks, strict=True)]
        return [start + id for start, id in ids if id >= 0]

    def numbers_in(self, other: AttributeMap) -> npt.NDArray[np.int64]:
        """(size,): the id of each attribute in another map with as many blocks, -1 if it has none there."""
        if len(self.blocks) != len(other.blocks):
            return np.full(self.size, -1)
        ids_of_blocks = [
            ours.numbers_in(theirs) for ours, theirs in zip(self.blocks, other.blocks, strict=True)
        ]
        return np.concatenate(
            [
                np.where(ids < 0, -1, ids + start)
                for ids, start in zip(ids_of_blocks, other.starts, strict=True)
            ]
        )

    def keep(self, mask: npt.NDArray[np.bool_]) -> tuple[AttributeMap, npt.NDArray[np.bool_]]:
        """Only the attributes in the mask, and which those are: hashed ones all stay."""
        pieces = np.split(mask, self.starts[1:])
        blocks = [block.keep(piece) for block, piece in zip(self.blocks, pieces, strict=True)]
        kept = [piece | (block.index is None) for block, piece in zip(self.blocks, pieces, strict=True)]
        return AttributeMap(tuple(blocks)), np.concatenate(kept)

    def saved(self, prefix: str) -> dict[str, npt.NDArray[Any]]:
        """The arrays for a model file."""
        return {
            f"{prefix}_{number}_{name}": array
            for number, block in enumerate(self.blocks)
            if block.index is not None
            for name, array in block.index.arrays().items()
        }

    @classmethod
    def restored(
        cls, collections: Sequence[Features | None], arrays: Mapping[str, npt.NDArray[Any]], prefix: str
    ) -> AttributeMap:
        """The map that `saved` made arrays of."""
        blocks = []
        for number, features in enumerate(collections):
            if features is not None and features.hash_bits is not None:
                blocks.append(AttributeBlock(features, None, 2**features.hash_bits))
                continue
            program = None if features is None else features.program
            index = AttributeIndex.from_arrays(
                arrays[f"{prefix}_{number}_bytes"], arrays[f"{prefix}_{number}_offsets"], program=program
            )
            blocks.append(AttributeBlock(features, index, len(index)))
        return cls(tuple(blocks))


def saved_defaults(features: Features | None, attribute_map: AttributeMap) -> dict[str, Any]:
    """For a model file: the templates that a model without any of its own used, if it used some."""
    used = attribute_map.blocks[0].features
    return {"default_features": used.to_dict()} if features is None and used is not None else {}


def restored_defaults(features: Features | None, meta: Mapping[str, Any]) -> Features | None:
    """The templates of a model from a file: its own, or those that `saved_defaults` noted."""
    data = meta.get("default_features")
    return features if data is None else Features.from_dict(data)


def core_sequences(sequences: AttributeSequences) -> _core.LinearSequences:
    """The same arrays, as the kernels take them.

    Examples
    --------
    >>> core_sequences(AttributeSequences([0, 1], [0, 2], [0, 1], None, size=2)).size
    2
    """
    return _core.LinearSequences(
        sequences.sequence_offsets,
        sequences.item_offsets,
        sequences.attributes,
        sequences.values,
        sequences.size,
    )


def side_by_side(first: AttributeSequences, second: AttributeSequences) -> AttributeSequences:
    """The attributes of both at every position; ids of the second follow those of the first."""
    first_offsets, second_offsets = first.item_offsets, second.item_offsets
    # At each position the second's attributes follow the first's: what comes before shifts each by the other's offset.
    first_indices = np.arange(len(first.attributes)) + np.repeat(second_offsets[:-1], np.diff(first_offsets))
    second_indices = np.arange(len(second.attributes)) + np.repeat(first_offsets[1:], np.diff(second_offsets))
    attributes = np.empty(len(first_indices) + len(second_indices), dtype=np.int32)
    attributes[first_indices], attributes[second_indices] = (
        first.attributes,
        second.attributes + np.int32(first.size),
    )
    values = None
    if first.values is not None or second.values is not None:
        values = np.ones(len(attributes))
        values[first_indices] = 1.0 if first.values is None else first.values
        values[second_indices] = 1.0 if second.values is None else second.values
    return AttributeSequences.from_core(
        (first.sequence_offsets, first_offsets + second_offsets, attributes, values), first.size + second.size
    )


def single_tokens(sequences: AttributeSequences) -> AttributeSequences:
    """The same positions, each as a sequence of its own.

    Examples
    --------
    >>> single_tokens(AttributeSequences([0, 2], [0, 1, 2], [0, 1], None, size=2)).sequence_offsets.tolist()
    [0, 1, 2]
    """
    borders = np.arange(sequences.positions + 1)
    arrays = (borders, sequences.item_offsets, sequences.attributes, sequences.values)
    return AttributeSequences.from_core(arrays, sequences.size)
