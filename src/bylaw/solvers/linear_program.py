"""A mixed integer linear program as it is being built: columns, rows, and the names by which people read them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Arrays", "Excess", "Ints", "Program", "Section"]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

NONE = np.empty(0, dtype=np.intp)


class Excess(NamedTuple):
    """The column by which a row may go beyond its bound, each unit of it by `each`."""

    column: int
    each: float


class Section(NamedTuple):
    """The rows from `first` on say one thing: their name, and a line of explanation."""

    first: int
    name: str
    comment: str


class Arrays(NamedTuple):
    """A program as a solver takes it: maximise `cost @ x`, with `row_lower <= A x <= row_upper` and `0 <= x`.

    `A` is given by rows: those of row r are `columns[starts[r]:starts[r + 1]]`, and `values` alike. Binary columns
    are at most 1; the others have no upper bound, nor do they need one.
    """

    cost: Floats
    binary: npt.NDArray[np.bool_]
    starts: npt.NDArray[np.int32]
    columns: npt.NDArray[np.int32]
    values: Floats
    row_lower: Floats
    row_upper: Floats

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays together."""
        return sum(array.nbytes for array in self)


class _Block(NamedTuple):
    row: Ints
    column: Ints
    value: Floats
    lower: Floats
    upper: Floats


class Program:
    """Columns and rows, added a block at a time.

    Examples
    --------
    >>> program = Program()
    >>> x = program.add_columns([2.0, 1.0], binary=True, name=lambda i: f"x{i}")
    >>> program.begin("choice", "one of the two")
    >>> program.add_row(x, upper=1)
    >>> arrays = program.arrays()
    >>> arrays.columns.tolist(), arrays.row_upper.tolist()
    ([0, 1], [1.0])
    """

    def __init__(self) -> None:
        self.columns = self.rows = 0
        self.sections: list[Section] = []
        self._costs: list[Floats] = []
        self._binary: list[npt.NDArray[np.bool_]] = []
        self._names: list[tuple[int, Callable[[int], str]]] = []
        self._blocks: list[_Block] = []

    def begin(self, name: str, comment: str) -> None:
        """The rows to come say this."""
        self.sections.append(Section(self.rows, name, comment))

    @property
    def section(self) -> str:
        """The name of what the rows to come say."""
        return self.sections[-1].name

    def add_columns(self, cost: npt.ArrayLike, *, binary: bool, name: Callable[[int], str]) -> Ints:
        """New columns with these gains in the objective; `name` gives the name of the i-th of them."""
        costs = np.atleast_1d(np.asarray(cost, dtype=np.float64))
        first = self.columns
        self.columns += len(costs)
        self._costs.append(costs)
        self._binary.append(np.full(len(costs), binary))
        self._names.append((first, name))
        return np.arange(first, self.columns)

    def add_row(
        self,
        plus: Ints,
        minus: Ints = NONE,
        *,
        lower: float = -math.inf,
        upper: float = math.inf,
        excess: Excess | None = None,
    ) -> None:
        """The sum of some columns less that of others lies in a range, or beyond its upper end by the excess."""
        column = np.concatenate([plus, minus])
        value = np.repeat([1.0, -1.0], [len(plus), len(minus)])
        if excess is not None:
            column, value = np.append(column, excess.column), np.append(value, -excess.each)
        self.add_rows(np.zeros_like(column), column, value, lower=[lower], upper=[upper])

    def add_rows(
        self, row: Ints, column: Ints, value: npt.ArrayLike, *, lower: npt.ArrayLike, upper: npt.ArrayLike
    ) -> None:
        """Several rows: `value[i]` stands in the row `row[i]`, counted from 0, at a column; what meets is added."""
        values = np.broadcast_to(np.asarray(value, dtype=np.float64), row.shape)
        low, up = (np.asarray(bound, dtype=np.float64) for bound in (lower, upper))
        self._blocks.append(_Block(row + self.rows, column, values, low, up))
        self.rows += len(low)

    def arrays(self) -> Arrays:
        """The program so far. Entries that cancel out are gone; the columns of a row are sorted."""
        row, column, value, lower, upper = (_joined([block[i] for block in self._blocks]) for i in range(5))
        order = np.lexsort((column, row))
        row, column, value = row[order].astype(np.intp), column[order], value[order]
        new = np.ones(len(row), dtype=bool)
        new[1:] = (np.diff(row) != 0) | (np.diff(column) != 0)
        if len(row):
            value = np.add.reduceat(value, np.flatnonzero(new))
        row, column = row[new], column[new]
        kept = value != 0
        row, column, value = row[kept], column[kept], value[kept]
        starts = np.searchsorted(row, np.arange(self.rows + 1))
        return Arrays(
            _joined(self._costs),
            np.concatenate([np.zeros(0, dtype=bool), *self._binary]),
            starts.astype(np.int32),
            column.astype(np.int32),
            value,
            lower,
            upper,
        )

    def column_names(self) -> list[str]:
        """The names of all columns."""
        ends = [*(first for first, _ in self._names[1:]), self.columns]
        return [
            name(i) for (first, name), end in zip(self._names, ends, strict=True) for i in range(end - first)
        ]


def _joined(arrays: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    return np.concatenate([np.zeros(0), *arrays])
