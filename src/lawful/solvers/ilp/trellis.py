"""The trellis of a lattice in a linear program: a column for each edge (Roth & Yih 2005, section 4.2).

Without transitions the edges into a label all score the same, and one column for each label at each token does.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.lattice.trellis import Lattice
from lawful.rules.example import Example
from lawful.solvers.ilp.network import Network, add_network
from lawful.solvers.ilp.program import NONE, Floats, Ints, Program, plain_names

__all__ = ["AtMost", "LinearTrellis", "Mask", "linear_trellis"]

Mask = npt.NDArray[np.bool_]


class AtMost(NamedTuple):
    """Columns whose sum may be at most so much."""

    columns: Ints
    upper: float


class LinearTrellis:
    """What rules can say about the labels of a trellis, as columns.

    Attributes
    ----------
    program : Program
    lattice : Lattice
    network : Network
        Its arcs are the first columns of the program.
    length, size : int
        T and K.
    """

    network: Network

    def __init__(self, program: Program, lattice: Lattice) -> None:
        self.program, self.lattice = program, lattice
        self.length, self.size = lattice.emissions.shape
        self.names = plain_names(lattice.labels)

    @cached_property
    def example(self) -> Example:
        """What rules may look at."""
        return Example(self.length, self.lattice.tokens, self.lattice.context)

    def mask(self, names: tuple[str, ...]) -> Mask:
        """Labels as a mask (K,)."""
        mask = np.zeros(self.size, dtype=bool)
        labels = self.lattice.labels
        mask[[labels.index(name) for name in names if name in labels]] = True  # the others never occur
        return mask

    def at(self, t: int, labels: Mask) -> Ints:
        """Columns whose sum is 1 if token t has one of the labels, and 0 if not."""
        raise NotImplementedError

    def step(self, t: int, before: Mask, after: Mask) -> Ints:
        """Columns whose sum is 1 if token t - 1 has a label of the one kind and token t one of the other."""
        raise NotImplementedError

    def not_step(self, t: int, bad: Mask) -> list[AtMost]:
        """What holds unless the labels of tokens t - 1 and t are a bad pair (K, K); then it fails by 1."""
        raise NotImplementedError

    def anywhere(self, labels: Mask) -> Ints:
        """Columns whose sum is the number of tokens with one of the labels."""
        return np.concatenate([self.at(t, labels) for t in range(self.length)])

    def enters(self, t: int, labels: Mask) -> Ints:
        """Columns whose sum is 1 if a segment of the labels begins at token t."""
        return self.at(0, labels) if t == 0 else self.step(t, ~labels, labels)

    def leaves(self, t: int, labels: Mask) -> Ints:
        """Columns whose sum is 1 if a segment of the labels ended at token t - 1."""
        return self.step(t, labels, ~labels)


class _Edges(LinearTrellis):
    """A column for each edge between neighbouring labels, and for each first label."""

    def __init__(self, program: Program, lattice: Lattice, transitions: Floats) -> None:
        super().__init__(program, lattice)
        length, size = self.length, self.size
        weight = np.full((length, size, size), -np.inf)
        weight[0, 0] = lattice.emissions[0] + (0.0 if lattice.start is None else lattice.start)
        weight[1:] = transitions + lattice.emissions[1:, None, :]
        if lattice.end is not None:
            weight[-1] += lattice.end
        t, before, label = np.nonzero(weight > -np.inf)
        end = 1 + (length - 1) * size
        self.network = Network(
            np.where(t == 0, 0, 1 + (t - 1) * size + before),
            np.where(t == length - 1, end, 1 + t * size + label),
            label,
            weight[t, before, label],
            end + 1,
        )
        self._column = np.full(weight.shape, -1)
        names = self.names

        def name(arc: int) -> str:
            if t[arc] == 0:
                return f"x0.{names[label[arc]]}"
            return f"x{t[arc]}.{names[before[arc]]}.{names[label[arc]]}"

        self._column[t, before, label] = add_network(
            program,
            self.network,
            arc_name=name,
            comment="what comes into a label at a token goes out of it; x3.A.B is 1 if token 2 is A and token 3 is B",
        )

    def at(self, t: int, labels: Mask) -> Ints:
        return _present(self._column[t][:, labels])

    def step(self, t: int, before: Mask, after: Mask) -> Ints:
        return _present(self._column[t][before][:, after])

    def not_step(self, t: int, bad: Mask) -> list[AtMost]:
        return [AtMost(_present(self._column[t][bad]), 0)]


class _Labels(LinearTrellis):
    """A column for each label at each token. That two neighbours have given labels takes columns of its own."""

    def __init__(self, program: Program, lattice: Lattice) -> None:
        super().__init__(program, lattice)
        weight = lattice.emissions.copy()
        if lattice.start is not None:
            weight[0] += lattice.start
        if lattice.end is not None:
            weight[-1] += lattice.end
        t, label = np.nonzero(weight > -np.inf)
        self.network = Network(t, t + 1, label, weight[t, label], self.length + 1)
        self._column = np.full(weight.shape, -1)
        self._column[t, label] = add_network(
            program,
            self.network,
            arc_name=lambda arc: f"x{t[arc]}.{self.names[label[arc]]}",
            comment="every token has one label; x3.A is 1 if token 3 is A",
        )
        self._steps: dict[tuple[int, bytes, bytes], Ints] = {}

    def at(self, t: int, labels: Mask) -> Ints:
        return _present(self._column[t, labels])

    def step(self, t: int, before: Mask, after: Mask) -> Ints:
        key = t, before.tobytes(), after.tobytes()
        if key not in self._steps:
            self._steps[key] = self._new_step(t, self.at(t - 1, before), self.at(t, after))
        return self._steps[key]

    def _new_step(self, t: int, before: Ints, after: Ints) -> Ints:
        if not (len(before) and len(after)):
            return NONE
        number = len(self._steps) + 1
        both = self.program.add_columns(0.0, binary=True, name=lambda _: f"step{t}.{number}")
        self.program.add_row(np.concatenate([before, after]), both, upper=1)
        self.program.add_row(both, before, upper=0)
        self.program.add_row(both, after, upper=0)
        return both

    def not_step(self, t: int, bad: Mask) -> list[AtMost]:
        never: Mask = np.logical_and.reduce(bad)
        rows = [AtMost(self.at(t, never), 0)] if never.any() else []
        steps = bad & ~never
        for before in np.flatnonzero(steps.any(axis=1)).tolist():
            here = np.arange(self.size) == before
            rows.append(AtMost(np.concatenate([self.at(t - 1, here), self.at(t, steps[before, :])]), 1))
        return rows


def linear_trellis(program: Program, lattice: Lattice) -> LinearTrellis:
    """Put the trellis of a lattice into a program that is still empty.

    Examples
    --------
    >>> program = Program()
    >>> trellis = linear_trellis(program, Lattice([[1.0, 0.0], [0.0, 2.0]], [[0, 0], [0, 0]], labels=["A", "B"]))
    >>> program.column_names()
    ['x0.A', 'x0.B', 'x1.A.A', 'x1.A.B', 'x1.B.A', 'x1.B.B']
    >>> trellis.at(1, trellis.mask(("B",))).tolist()
    [3, 5]
    """
    if lattice.transitions is None:
        return _Labels(program, lattice)
    return _Edges(program, lattice, lattice.transitions)


def _present(columns: Ints) -> Ints:
    flat = columns.ravel()
    return flat[flat >= 0]
