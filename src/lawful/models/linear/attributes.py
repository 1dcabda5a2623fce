"""From sequences to the attribute ids that a CRF has weights for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.models.features.encoded import EncodedSequences
from lawful.models.features.index import AttributeIndex
from lawful.models.features.items import encode_attributes, fit_attributes

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["Encoding", "Part", "core_sequences", "side_by_side"]


@dataclass(frozen=True)
class Part:
    """Templates (None: items hold attributes already), and the attributes that are known (None: they are hashed)."""

    features: Features | None
    index: AttributeIndex | None
    size: int
    prefix: str = ""
    """Put before its attributes' names, to tell parts apart."""

    def encode(self, X: Sequence[Sequence[Any]], *, jobs: int) -> EncodedSequences:
        """Encode sequences with the attributes that are known; others are dropped."""
        if self.features is not None:
            return self.features.encode(X, self.index, jobs=jobs)
        return encode_attributes(X, self.index or AttributeIndex())

    def name(self, attribute: int) -> str:
        """The attribute with an id; its number in brackets if attributes are hashed."""
        return self.prefix + (f"[{attribute}]" if self.index is None else self.index[attribute])

    def find(self, attribute: str) -> int:
        """The id of an attribute; -1 if there is none."""
        if not attribute.startswith(self.prefix):
            return -1
        attribute = attribute.removeprefix(self.prefix)
        if self.index is not None:
            return self.index.find(attribute)
        number = attribute[1:-1]
        known = attribute == f"[{number}]" and number.isdecimal() and int(number) < self.size
        return int(number) if known else -1

    def numbers_in(self, other: Part) -> npt.NDArray[np.int64]:
        """(size,): the id that each attribute has in another part, -1 if it has none."""
        if self.index is other.index and self.size == other.size:
            return np.arange(self.size)
        if self.index is None or other.index is None:
            return np.full(self.size, -1)
        return np.fromiter(map(other.index.find, self.index.strings()), np.int64, self.size)

    def keep(self, wanted: npt.NDArray[np.bool_]) -> Part:
        """With some of the attributes only. (Hashed ones all stay.)"""
        if self.index is None or wanted.all():
            return self
        index = self.index.keep(wanted)
        return replace(self, index=index, size=len(index))


@dataclass(frozen=True)
class Encoding:
    """How a fitted CRF reads a sequence: the attributes of each of its parts, numbered one part after another.

    Examples
    --------
    >>> encoding, encoded = Encoding.fit([None], [[["w=a", "caps"], ["w=b"]]])
    >>> encoded.attributes.tolist(), encoding.name(1)
    ([0, 1, 2], 'caps')
    >>> encoding.encode([[["w=b", "w=c"]]]).attributes.tolist()
    [2]
    """

    parts: tuple[Part, ...]

    @classmethod
    def fit(
        cls, collections: Sequence[Features | None], X: Sequence[Sequence[Any]]
    ) -> tuple[Encoding, EncodedSequences]:
        """Encode sequences and learn their attributes, for each collection of templates."""
        fitted = [fit_attributes(X) if one is None else one.fit(X) for one in collections]
        parts = [
            Part(one, index, encoded.size) for one, (encoded, index) in zip(collections, fitted, strict=True)
        ]
        return cls(tuple(parts)), reduce(side_by_side, (encoded for encoded, _ in fitted))

    def encode(self, X: Sequence[Sequence[Any]], *, jobs: int = 1) -> EncodedSequences:
        """Encode sequences with the attributes that are known; others are dropped."""
        return reduce(side_by_side, (part.encode(X, jobs=jobs) for part in self.parts))

    @property
    def size(self) -> int:
        """How many attributes there are."""
        return sum(part.size for part in self.parts)

    @property
    def starts(self) -> list[int]:
        """The first id of each part."""
        return [sum(part.size for part in self.parts[:i]) for i in range(len(self.parts))]

    def name(self, attribute: int) -> str:
        """The attribute with an id."""
        place = max(i for i, start in enumerate(self.starts) if start <= attribute)
        return self.parts[place].name(attribute - self.starts[place])

    def find(self, attribute: str) -> list[int]:
        """The ids of an attribute: at most one in each part."""
        found = [(start, part.find(attribute)) for start, part in zip(self.starts, self.parts, strict=True)]
        return [start + number for start, number in found if number >= 0]

    def numbers_in(self, other: Encoding) -> npt.NDArray[np.int64]:
        """(size,): the id that each attribute has in another encoding of as many parts, -1 if it has none."""
        if len(self.parts) != len(other.parts):
            return np.full(self.size, -1)
        found = [ours.numbers_in(theirs) for ours, theirs in zip(self.parts, other.parts, strict=True)]
        return np.concatenate(
            [np.where(ids < 0, -1, ids + start) for ids, start in zip(found, other.starts, strict=True)]
        )

    def keep(self, wanted: npt.NDArray[np.bool_]) -> tuple[Encoding, npt.NDArray[np.bool_]]:
        """With some of the attributes only, and which those are: hashed ones all stay."""
        pieces = np.split(wanted, self.starts[1:])
        parts = [part.keep(piece) for part, piece in zip(self.parts, pieces, strict=True)]
        kept = [piece | (part.index is None) for part, piece in zip(self.parts, pieces, strict=True)]
        return Encoding(tuple(parts)), np.concatenate(kept)

    def saved(self, prefix: str) -> dict[str, npt.NDArray[Any]]:
        """The arrays for a model file."""
        return {
            f"{prefix}_{place}_{name}": array
            for place, part in enumerate(self.parts)
            if part.index is not None
            for name, array in part.index.arrays().items()
        }

    @classmethod
    def restored(
        cls, collections: Sequence[Features | None], arrays: Mapping[str, npt.NDArray[Any]], prefix: str
    ) -> Encoding:
        """What `saved` gave, again."""
        parts = []
        for place, features in enumerate(collections):
            if features is not None and features.hash_bits is not None:
                parts.append(Part(features, None, 2**features.hash_bits))
                continue
            program = None if features is None else features.program
            index = AttributeIndex.from_arrays(
                arrays[f"{prefix}_{place}_bytes"], arrays[f"{prefix}_{place}_offsets"], program=program
            )
            parts.append(Part(features, index, len(index)))
        return cls(tuple(parts))


def core_sequences(encoded: EncodedSequences) -> _core.CrfSequences:
    """The same arrays, as the CRF's kernels take them.

    Examples
    --------
    >>> core_sequences(EncodedSequences([0, 1], [0, 2], [0, 1], None, size=2)).size
    2
    """
    return _core.CrfSequences(
        encoded.sequence_offsets, encoded.item_offsets, encoded.attributes, encoded.values, encoded.size
    )


def side_by_side(one: EncodedSequences, other: EncodedSequences) -> EncodedSequences:
    """The attributes of both at every position, those of the second with ids behind the first's."""
    ours, theirs = one.item_offsets, other.item_offsets
    places = np.arange(len(one.attributes)) + np.repeat(theirs[:-1], np.diff(ours))
    others = np.arange(len(other.attributes)) + np.repeat(ours[1:], np.diff(theirs))
    attributes = np.empty(len(places) + len(others), dtype=np.int32)
    attributes[places], attributes[others] = one.attributes, other.attributes + np.int32(one.size)
    values = None
    if one.values is not None or other.values is not None:
        values = np.ones(len(attributes))
        values[places] = 1.0 if one.values is None else one.values
        values[others] = 1.0 if other.values is None else other.values
    return EncodedSequences.from_core(
        (one.sequence_offsets, ours + theirs, attributes, values), one.size + other.size
    )
