"""The attributes that a model knows, and their ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import FeatureError

__all__ = ["AttributeIndex"]


class AttributeIndex:
    """Attribute strings and their ids, 0 to n - 1. Frozen.

    `fit_attributes` and `Features.fit` make it; a model file holds it as two arrays. The core keeps the strings in a hash
    table or, if templates make all of them, only the values that they consist of: that takes less memory.

    Examples
    --------
    >>> index = AttributeIndex(["word=the", "word=pound"])
    >>> len(index), index.find("word=pound"), index.find("word=yen"), index[0]
    (2, 1, -1, 'word=the')
    >>> AttributeIndex.from_arrays(**index.arrays()) == index
    True
    """

    __slots__ = ("_compiled", "_table")

    _table: _core.StringTable | None
    _compiled: tuple[_core.FeatureProgram, _core.FeatureTables] | None  # at least one of the two is there

    def __init__(self, strings: Iterable[str] = ()) -> None:
        try:
            self._table = _core.StringTable.of(list(strings))
        except (TypeError, ValueError) as error:
            raise FeatureError(f"attributes must be different strings, but {error}") from None
        self._compiled = None

    @classmethod
    def from_table(cls, table: _core.StringTable) -> AttributeIndex:
        """An index of a table of the core."""
        index = cls.__new__(cls)
        index._table, index._compiled = table, None
        return index

    @classmethod
    def from_arrays(
        cls,
        bytes: npt.NDArray[np.uint8],
        offsets: npt.NDArray[np.int64],
        *,
        program: _core.FeatureProgram | None = None,
    ) -> AttributeIndex:
        """The index that `arrays` made data of. With the program of its templates it takes less memory.

        Examples
        --------
        >>> AttributeIndex.from_arrays(np.frombuffer(b"abc", dtype=np.uint8), np.array([0, 1, 3]))
        AttributeIndex(['a', 'bc'])
        """
        if bytes.dtype != np.uint8 or offsets.dtype != np.int64 or bytes.ndim != 1 or offsets.ndim != 1:
            got = f"{bytes.dtype} {bytes.shape} and {offsets.dtype} {offsets.shape}"
            raise FeatureError(
                f"these arrays are not an attribute index: expected uint8 (B,) and int64 (n + 1,), got {got}"
            )
        try:
            tables = None if program is None else program.read_tables(bytes, offsets)
            if program is None or tables is None:
                return cls.from_table(_core.StringTable(bytes, offsets))
            index = cls.__new__(cls)
            index._table, index._compiled = None, (program, tables)
            return index
        except ValueError as error:
            raise FeatureError(f"these arrays are not an attribute index: {error}") from None

    @property
    def table(self) -> _core.StringTable:
        """The strings in the core's hash table; made anew if the core holds only values."""
        return self._names().strings() if self._table is None else self._table

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The index as data: `bytes` (B,) uint8, the UTF-8 of all, and `offsets` (n + 1,) int64 into it."""
        table = self.table
        return {"bytes": table.bytes, "offsets": table.offsets}

    def tables_for(self, program: _core.FeatureProgram) -> _core.FeatureTables:
        """The index in the form that a program reads; made once per program."""
        if self._compiled is None or self._compiled[0] is not program:
            self._table = (
                self.table
            )  # keep the strings: they may only exist in the tables that are replaced here
            self._compiled = program, program.tables(self._table)
        return self._compiled[1]

    def find(self, attribute: str) -> int:
        """The id of an attribute; -1 if it is not known."""
        return self._names().find(attribute) if self._table is None else self._table.find(attribute)

    def strings(self) -> list[str]:
        """All attributes, by id."""
        return self.table.strings()

    def _names(self) -> _core.FeatureTables:
        assert self._compiled is not None  # noqa: S101 - there is either a table or this
        return self._compiled[1]

    def keep(self, mask: npt.ArrayLike) -> AttributeIndex:
        """The index of the attributes in a mask (n,), with new ids in the old order.

        Examples
        --------
        >>> AttributeIndex(["a", "b", "c"]).keep([True, False, True])
        AttributeIndex(['a', 'c'])
        """
        mask = np.asarray(mask, dtype=np.bool_)
        if mask.shape != (len(self),):
            raise FeatureError(f"the mask must have shape ({len(self)},), got {mask.shape}")
        return AttributeIndex(self[int(i)] for i in np.flatnonzero(mask))

    def __len__(self) -> int:
        return len(self._names()) if self._table is None else len(self._table)

    def __getitem__(self, id: int) -> str:
        return self._names().string(id) if self._table is None else self._table.string(id)

    def __contains__(self, attribute: object) -> bool:
        return isinstance(attribute, str) and self.find(attribute) >= 0

    def __iter__(self) -> Iterator[str]:
        return iter(self.strings())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AttributeIndex):
            return NotImplemented
        ours, theirs = self.arrays(), other.arrays()
        return all(np.array_equal(ours[name], theirs[name]) for name in ours)

    def __hash__(self) -> int:
        return hash((len(self), *(self[i] for i in range(min(len(self), 50)))))

    def __repr__(self) -> str:
        shown = [self[i] for i in range(min(len(self), 6))]
        return (
            f"AttributeIndex({shown!r})"
            if len(self) <= 6
            else f"<AttributeIndex of {len(self)}: {shown[0]!r}, ...>"
        )

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _from_mapping, (self.arrays(),)


def _from_mapping(arrays: Mapping[str, npt.NDArray[Any]]) -> AttributeIndex:
    return AttributeIndex.from_arrays(arrays["bytes"], arrays["offsets"])
