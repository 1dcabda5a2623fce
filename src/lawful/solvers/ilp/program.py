"""A mixed integer linear program as it is being built: columns, rows, and the names by which people read them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.solvers.problem import Limits

__all__ = ["Arrays", "Charge", "Excess", "Ints", "Program", "Section", "plain_names"]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

NONE = np.empty(0, dtype=np.intp)
NO_LIMITS = Limits()
# What one entry of the matrix takes, here while it is built and in HiGHS, which copies it several times; an estimate.
BYTES_AN_ENTRY = 200
# What it takes at least until HiGHS can begin, in steps of numpy that nothing can stop; an estimate.
SECONDS_AN_ENTRY = 3e-7


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

    def without(self, columns: Sequence[int]) -> Arrays:
        """The same program without the solutions in which all these columns are 1."""
        return self._replace(
            starts=np.append(self.starts, self.starts[-1] + np.int32(len(columns))),
            columns=np.append(self.columns, np.array(sorted(columns), dtype=np.int32)),
            values=np.append(self.values, np.ones(len(columns))),
            row_lower=np.append(self.row_lower, -np.inf),
            row_upper=np.append(self.row_upper, len(columns) - 1.0),
        )

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays together."""
        return sum(array.nbytes for array in self)


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

    def __init__(self, limits: Limits = NO_LIMITS) -> None:
        self.columns = 0
        self._limits = limits
        self._most = limits.max_memory or _core.default_memory()
        self._entries = 0
        self.sections: list[Section] = []
        self._costs: list[Floats] = []
        self._binary: list[npt.NDArray[np.bool_]] = []
        self._names: list[tuple[int, Callable[[int], str]]] = []
        self._lower: list[float] = []
        self._upper: list[float] = []
        self._pieces: list[tuple[int, Ints, float]] = []  # the value of all these columns in one row
        self._blocks: list[tuple[Ints, Ints, Floats]] = []  # rows, columns, values

    def expect(self, entries: int) -> None:
        """So many more entries of the matrix are about to be made. Raises `LimitError` if that is too much, or too late."""
        self._entries += entries
        if self._entries * BYTES_AN_ENTRY > self._most:
            raise self._limits.reached("max_memory")
        left = self._limits.seconds_left
        if left is not None and left <= self._entries * SECONDS_AN_ENTRY:
            raise self._limits.reached("timeout")

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
        self.expect(len(plus) + len(minus))
        self._pieces.append((self.rows, plus, 1.0))
        if len(minus):
            self._pieces.append((self.rows, minus, -1.0))
        if excess is not None:
            self._pieces.append((self.rows, np.array([excess.column]), -excess.each))
        self._lower.append(lower)
        self._upper.append(upper)

    def add_rows(self, row: Ints, column: Ints, value: Floats, *, lower: Floats, upper: Floats) -> None:
        """Several rows: `value[i]` stands in the row `row[i]`, counted from 0, at a column; what meets is added."""
        self.expect(len(row))
        self._blocks.append((row + self.rows, column, value))
        self._lower += lower.tolist()
        self._upper += upper.tolist()

    @property
    def rows(self) -> int:
        """The number of rows so far."""
        return len(self._lower)

    def costs(self) -> Floats:
        """The gains of all columns in the objective."""
        return np.concatenate([np.zeros(0), *self._costs])

    def arrays(self) -> Arrays:
        """The program so far. Entries that cancel out are gone; the columns of a row are sorted."""
        lengths = [len(columns) for _, columns, _ in self._pieces]
        row = np.repeat(np.array([row for row, _, _ in self._pieces], dtype=np.intp), lengths)
        value = np.repeat(np.array([value for _, _, value in self._pieces], dtype=np.float64), lengths)
        row = np.concatenate([row, *(block[0] for block in self._blocks)])
        value = np.concatenate([value, *(block[2] for block in self._blocks)])
        column = np.concatenate(
            [NONE, *(piece[1] for piece in self._pieces), *(block[1] for block in self._blocks)]
        )
        order = np.lexsort((column, row))
        row, column, value = row[order], column[order], value[order]
        new = np.ones(len(row), dtype=bool)
        new[1:] = (np.diff(row) != 0) | (np.diff(column) != 0)
        if len(row):
            value = np.add.reduceat(value, np.flatnonzero(new))
        row, column = row[new], column[new]
        kept = value != 0
        return Arrays(
            self.costs(),
            np.concatenate([np.zeros(0, dtype=bool), *self._binary]),
            np.searchsorted(row[kept], np.arange(self.rows + 1)).astype(np.int32),
            column[kept].astype(np.int32),
            value[kept],
            np.array(self._lower, dtype=np.float64),
            np.array(self._upper, dtype=np.float64),
        )

    def column_names(self) -> list[str]:
        """The names of all columns."""
        ends = [*(first for first, _ in self._names[1:]), self.columns]
        return [
            name(i) for (first, name), end in zip(self._names, ends, strict=True) for i in range(end - first)
        ]


class Charge:
    """Slack for the rows of one rule.

    Parameters
    ----------
    program : Program
    mode : "hard", "once" or "counted"
    price : float
    switch : int, optional
        For "once": the binary column that is 1 if the rule is broken. By default a new one, at the price.

    Examples
    --------
    >>> program = Program()
    >>> program.begin("some_rule", "")
    >>> charge = Charge(program, "once", 2.0)
    >>> charge.excess(3), charge.excess()
    (Excess(column=0, each=3), Excess(column=0, each=1))
    >>> program.column_names(), program.arrays().cost.tolist()
    (['broken.some_rule'], [-2.0])
    """

    def __init__(self, program: Program, mode: str, price: float, switch: int | None = None) -> None:
        self.program, self.mode, self.price = program, mode, price
        self._switch = switch
        self._counted = 0

    def excess(self, most: float = 1) -> Excess | None:
        """Slack for rows that fail together, by at most so much; one unit of it is one violation."""
        if self.mode == "hard":
            return None
        if self.mode == "once":
            if self._switch is None:
                self._switch = self._column(f"broken.{self.program.section}", binary=True)
            return Excess(self._switch, most)
        self._counted += 1
        return Excess(self._column(f"broken.{self.program.section}.{self._counted}", binary=False), 1)

    def once(self) -> Charge:
        """The charge for a rule that cannot be broken more than once."""
        return Charge(self.program, "once", self.price) if self.mode == "counted" else self

    def _column(self, name: str, *, binary: bool) -> int:
        return int(self.program.add_columns(-self.price, binary=binary, name=lambda _: name)[0])


LONGEST_NAME = 60  # the names that are made of them must stay below 255 characters


def plain_names(names: Iterable[str]) -> list[str]:
    """The names with nothing but letters, digits and underscores in them, each different from the others.

    Examples
    --------
    >>> plain_names(["B-PER", "B.PER", "at_most(1, 'A')", "$"])
    ['B_PER', 'B_PER_2', 'at_most_1_A', 'unnamed']
    """
    taken: set[str] = set()
    free_names = []
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")[:LONGEST_NAME] or "unnamed"
        free, number = plain, 1
        while free.lower() in taken:
            number += 1
            free = f"{plain}_{number}"
        taken.add(free.lower())
        free_names.append(free)
    return free_names
