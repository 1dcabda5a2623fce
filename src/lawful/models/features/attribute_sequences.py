"""Sequences as feature-based models take them: the attribute ids of every position, in four flat arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.errors import DtypeError, InputError, ShapeError

__all__ = ["AttributeSequences"]


@dataclass(frozen=True, eq=False)
class AttributeSequences:
    """The attributes of N sequences, M positions and A occurrences; frozen, with read-only arrays.

    Position m has the attributes `attributes[item_offsets[m]:item_offsets[m + 1]]`, sequence n the positions
    `sequence_offsets[n]` to `sequence_offsets[n + 1]`. Labels, where there are any, are a flat (M,) array beside it.

    Parameters
    ----------
    sequence_offsets : (N + 1,) int64
        Where each sequence's positions start.
    item_offsets : (M + 1,) int64
        Where each position's attributes start.
    attributes : (A,) int32
        Ids, from 0 to `size` - 1.
    values : (A,) float64, optional
        The value of each occurrence; None where all are 1.
    size : int
        How many attribute ids there are.

    Examples
    --------
    >>> sequences = AttributeSequences([0, 2, 3], [0, 2, 3, 4], [0, 1, 1, 2], None, size=3)
    >>> len(sequences), sequences.positions
    (2, 3)
    >>> sequences.attributes_at(0).tolist()
    [0, 1]
    """

    sequence_offsets: npt.NDArray[np.int64]
    item_offsets: npt.NDArray[np.int64]
    attributes: npt.NDArray[np.int32]
    values: npt.NDArray[np.float64] | None
    size: int

    def __post_init__(self) -> None:
        _set(self, "sequence_offsets", _flat("sequence_offsets", self.sequence_offsets, np.int64))
        _set(self, "item_offsets", _flat("item_offsets", self.item_offsets, np.int64))
        _set(self, "attributes", _flat("attributes", self.attributes, np.int32))
        if self.values is not None:
            _set(self, "values", _flat("values", self.values, np.float64))
            if self.values.shape != self.attributes.shape:
                raise ShapeError(
                    "values", f"({len(self.attributes)},), one per occurrence", self.values.shape
                )
            if not np.isfinite(self.values).all():
                where = int(np.flatnonzero(~np.isfinite(self.values))[0])
                raise InputError(f"values[{where}] is {self.values[where]}: values must be finite")
        _check_offsets("sequence_offsets", self.sequence_offsets, self.positions, "the number of positions")
        _check_offsets("item_offsets", self.item_offsets, len(self.attributes), "the length of attributes")
        if self.size < 0:
            raise InputError(f"size must be 0 or more, got {self.size}")
        if len(self.attributes) and not 0 <= self.attributes.min() <= self.attributes.max() < self.size:
            where = int(np.flatnonzero((self.attributes < 0) | (self.attributes >= self.size))[0])
            raise InputError(
                f"attributes[{where}] is {self.attributes[where]}: with size={self.size}, ids go from 0 to {self.size - 1}"
            )

    @classmethod
    def from_core(
        cls,
        arrays: tuple[
            npt.NDArray[np.int64],
            npt.NDArray[np.int64],
            npt.NDArray[np.int32],
            npt.NDArray[np.float64] | None,
        ],
        size: int,
    ) -> AttributeSequences:
        """From arrays of the core, which need no checks.

        Examples
        --------
        >>> from lawful import _core
        >>> table, arrays = _core.fit_items([[["a"], ["b", "a"]]], 1)
        >>> AttributeSequences.from_core(arrays, len(table)).attributes.tolist()
        [0, 1, 0]
        """
        sequences = cls.__new__(cls)
        for name, array in zip(
            ("sequence_offsets", "item_offsets", "attributes", "values"), arrays, strict=True
        ):
            _set(sequences, name, array)
        _set(sequences, "size", size)
        return sequences

    def __len__(self) -> int:
        return len(self.sequence_offsets) - 1

    @property
    def positions(self) -> int:
        """M, the number of positions of all sequences together."""
        return len(self.item_offsets) - 1

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """(N,): the length of each sequence."""
        return np.diff(self.sequence_offsets)

    def attributes_at(self, position: int) -> npt.NDArray[np.int32]:
        """The ids of one position, counted through all sequences."""
        return self.attributes[self.item_offsets[position] : self.item_offsets[position + 1]]

    def take(self, sequences: npt.ArrayLike) -> AttributeSequences:
        """Some of the sequences, in the order asked for.

        Examples
        --------
        >>> sequences = AttributeSequences([0, 2, 3], [0, 2, 3, 4], [0, 1, 1, 2], None, size=3)
        >>> sequences.take([1]).attributes.tolist(), sequences.take([1, 0]).lengths.tolist()
        ([2], [1, 2])
        """
        chosen = np.asarray(sequences, dtype=np.int64).reshape(-1)
        sequence_offsets, positions = _gather(self.sequence_offsets, chosen)
        item_offsets, occurrences = _gather(self.item_offsets, positions)
        values = None if self.values is None else self.values[occurrences]
        return AttributeSequences(
            sequence_offsets, item_offsets, self.attributes[occurrences], values, self.size
        )


def _gather(
    offsets: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The offsets of some rows, one after another, and the indices of their contents."""
    lengths = offsets[rows + 1] - offsets[rows] if len(rows) else np.zeros(0, dtype=np.int64)
    chosen = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return chosen, np.arange(chosen[-1]) + np.repeat(offsets[rows] - chosen[:-1], lengths)


def _set(sequences: AttributeSequences, name: str, value: Any) -> None:
    object.__setattr__(sequences, name, value)


def _flat(name: str, values: Any, dtype: type[np.generic]) -> npt.NDArray[Any]:
    array = np.asarray(values)
    if array.ndim != 1:
        raise ShapeError(name, "(n,)", array.shape)
    kinds = "iu" if np.issubdtype(dtype, np.integer) else "iufb"
    if array.size and array.dtype.kind not in kinds:
        raise DtypeError(name, "integers" if kinds == "iu" else "numbers", str(array.dtype))
    if array.size and array.dtype.kind in "iu" and kinds == "iu":
        limits = np.iinfo(dtype)  # type: ignore[type-var]
        if array.min() < limits.min or array.max() > limits.max:
            raise DtypeError(
                name, f"integers from {limits.min} to {limits.max}", f"{array.min()} to {array.max()}"
            )
    kept = array.astype(dtype, copy=array.flags.writeable)  # no caller may change the arrays afterwards
    kept.setflags(write=False)
    return kept


def _check_offsets(name: str, offsets: npt.NDArray[np.int64], end: int, what: str) -> None:
    if len(offsets) == 0:
        raise ShapeError(name, "(n + 1,)", offsets.shape)
    if offsets[0] != 0 or offsets[-1] != end:
        raise InputError(
            f"{name} must go from 0 to {what}, {end}; it goes from {offsets[0]} to {offsets[-1]}"
        )
    if (np.diff(offsets) < 0).any():
        where = int(np.flatnonzero(np.diff(offsets) < 0)[0])
        raise InputError(
            f"{name} must not fall, but {offsets[where]} is followed by {offsets[where + 1]} at {where + 1}"
        )
