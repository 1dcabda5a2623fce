"""A lattice as an integer program: a binary variable for each of its edges, and flow through them (Roth & Yih, 2005).

With transitions there is an edge for each pair of neighbouring labels; without, one for each label at each token.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

import lawful

__all__ = ["LinearModel", "Program"]

Integers = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]


class Program:
    """The arrays of an integer program that maximises `cost @ x`; all its variables are whole numbers.

    Attributes
    ----------
    cost, upper : float arrays (N,)
        Every variable starts at 0.
    starts, columns, values : arrays
        The rows, each a range of columns and values, from starts[r] to starts[r+1].
    row_lower, row_upper : float arrays (R,)
    """

    def __init__(self, cost: Floats) -> None:
        self.cost, self.upper = cost, np.ones(len(cost))
        self._extra: list[tuple[float, float]] = []
        self._blocks: list[tuple[Integers, Floats, float, float]] = []

    def add_variables(self, count: int, *, cost: float = 0.0, upper: float = 1.0) -> Integers:
        """The columns of new variables."""
        first = len(self.cost) + len(self._extra)
        self._extra += [(cost, upper)] * count
        return np.arange(first, first + count)

    def add_rows(
        self, columns: Integers, values: Any = 1.0, *, lower: float = -math.inf, upper: float = math.inf
    ) -> None:
        """Rows (rows, width) of columns, or a single row (width,); values may be any shape that stretches to theirs."""
        columns = np.atleast_2d(columns)
        self._blocks.append(
            (columns, np.broadcast_to(np.asarray(values, dtype=float), columns.shape), lower, upper)
        )

    def finish(self) -> None:
        """Put the pieces together."""
        if self._extra:
            cost, upper = np.array(self._extra).T
            self.cost, self.upper = np.concatenate([self.cost, cost]), np.concatenate([self.upper, upper])
        counts = [len(columns) for columns, *_ in self._blocks]
        widths = np.repeat([columns.shape[1] for columns, *_ in self._blocks], counts)
        self.starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int32)
        self.columns = np.concatenate([columns.ravel() for columns, *_ in self._blocks]).astype(np.int32)
        self.values = np.concatenate([values.ravel() for _, values, *_ in self._blocks])
        self.row_lower = np.repeat([lower for *_, lower, _ in self._blocks], counts)
        self.row_upper = np.repeat([upper for *_, upper in self._blocks], counts)


class LinearModel:
    """The program of one lattice, and the columns that rules speak about.

    Attributes
    ----------
    at : int array (T, K, width)
        The columns whose sum says whether a token has a label; -1 where there is none.
    changes : int array (T, K, K-1), or None without transitions
        The columns whose sum says that a segment of a label begins; -1 where there is none.
    """

    def __init__(self, lattice: lawful.Lattice) -> None:
        scores = lattice.emissions
        self.length, self.size = length, size = scores.shape
        first = np.arange(size)
        if lattice.transitions is None:
            self.program = Program(scores.ravel().copy())
            self.at = np.arange(length * size).reshape(length, size, 1)
            self.changes: Integers | None = None
            self.program.add_rows(self.at[:, :, 0], lower=1, upper=1)
            return
        steps = lattice.transitions[None] + scores[1:, None, :]
        self.program = Program(np.concatenate([scores[0], steps.ravel()]))
        edges = size + np.arange(steps.size).reshape(steps.shape)
        self.at = np.full((length, size, size), -1)
        self.at[0, :, 0] = first
        self.at[1:] = edges.transpose(0, 2, 1)
        others = np.array([[source for source in range(size) if source != label] for label in range(size)])
        self.changes = np.take_along_axis(self.at, np.broadcast_to(others, (length, *others.shape)), axis=2)
        self.changes[0, :, 0] = first
        self.changes[0, :, 1:] = -1
        self._flow(first, edges)

    def _flow(self, first: Integers, edges: Integers) -> None:
        self.program.add_rows(first, lower=1, upper=1)
        if self.length == 1:
            return
        out = np.hstack([first[:, None], edges[0]])  # what the first label brings leaves by one of its edges
        self.program.add_rows(out, np.where(np.arange(out.shape[1]), -1.0, 1.0), lower=0, upper=0)
        through = np.concatenate([edges[:-1].transpose(0, 2, 1), edges[1:]], axis=2).reshape(
            -1, 2 * self.size
        )
        if len(through):
            self.program.add_rows(through, np.repeat([1.0, -1.0], self.size), lower=0, upper=0)

    def labels(self, solution: Floats) -> list[int]:
        """The labels that a solution says."""
        taken = np.where(self.at < 0, 0.0, solution[self.at]).sum(axis=2)
        return [int(label) for label in taken.argmax(axis=1)]
