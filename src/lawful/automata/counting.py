"""Deterministic machines that count violations: what every rule compiles to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.errors import MachineError

__all__ = ["CountingMachine", "explore"]

Table = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class CountingMachine:
    """A complete deterministic machine over the classes 0..C-1 that counts violations as it reads.

    State 0 is the start. Reading class `c` in state `s` leads to `delta[s, c]` and counts `violations[s, c]`;
    ending in state `s` counts `final[s]`. A sequence obeys the rule if its count is 0. Frozen; compared by
    identity, so that it can key a cache.

    Attributes
    ----------
    delta : int32 array (S, C)
    violations : int32 array (S, C)
    final : int32 array (S,)

    Examples
    --------
    At most one `1` in a row of zeros and ones:

    >>> machine = CountingMachine.from_lists([[0, 1], [1, 1]], [[0, 0], [0, 1]], [0, 0])
    >>> machine.count([0, 1, 0, 1, 1])
    2
    """

    delta: Table
    violations: Table
    final: Table

    def __post_init__(self) -> None:
        for field in ("delta", "violations", "final"):
            array = np.array(getattr(self, field), dtype=np.int32, order="C")
            array.setflags(write=False)
            object.__setattr__(self, field, array)
        if self.delta.ndim != 2 or self.delta.shape[0] == 0:
            raise MachineError(f"delta must have shape (states, classes), got {self.delta.shape}")
        if self.violations.shape != self.delta.shape:
            raise MachineError(
                f"violations must have delta's shape {self.delta.shape}, got {self.violations.shape}"
            )
        if self.final.shape != self.delta.shape[:1]:
            raise MachineError(f"final must have one count per state ({self.states}), got {self.final.shape}")
        if self.delta.size and (self.delta.min() < 0 or self.delta.max() >= self.states):
            raise MachineError(
                f"delta must hold states 0 to {self.states - 1}; it is complete, so none is missing"
            )
        if (self.violations < 0).any() or (self.final < 0).any():
            raise MachineError("violation counts must be 0 or more")

    @classmethod
    def from_lists(
        cls, delta: Sequence[Sequence[int]], violations: Sequence[Sequence[int]], final: Sequence[int]
    ) -> CountingMachine:
        """Build from nested lists."""
        return cls(np.asarray(delta), np.asarray(violations), np.asarray(final))

    @property
    def states(self) -> int:
        """The number of states S."""
        return int(self.delta.shape[0])

    @property
    def classes(self) -> int:
        """The number of symbol classes C."""
        return int(self.delta.shape[1])

    def count(self, symbols: Sequence[int]) -> int:
        """The number of violations of a sequence of classes, the end included."""
        state = total = 0
        for symbol in symbols:
            total += int(self.violations[state, symbol])
            state = int(self.delta[state, symbol])
        return total + int(self.final[state])

    def until_violation(self) -> Table:
        """The table (S + 1, C) with one more state, to which every violation leads and which is never left."""
        stopped = self.states
        cut = np.where(self.violations > 0, np.int32(stopped), self.delta)
        return np.vstack([cut, np.full(self.classes, stopped, dtype=np.int32)])


def explore(
    start: Hashable,
    classes: int,
    step: Callable[[Any, int], tuple[Hashable, int]],
    end: Callable[[Any], int],
    *,
    limit: int = 100_000,
) -> CountingMachine:
    """Build a machine from a step function over any hashable states, by visiting all that can be reached.

    Parameters
    ----------
    start : hashable
    classes : int
        The number of symbol classes C.
    step : function of (state, class)
        Gives the next state and the violations that the step counts.
    end : function of state
        The violations that ending there counts.
    limit : int
        More states than this raise `MachineError`.

    Examples
    --------
    >>> explore(0, 2, lambda seen, c: (min(seen + c, 1), int(seen + c > 1)), lambda seen: 0).states
    2
    """
    order: dict[Hashable, int] = {start: 0}
    queue = [start]
    delta: list[list[int]] = []
    violations: list[list[int]] = []
    for state in queue:  # grows inside the loop
        row, counts = [], []
        for symbol in range(classes):
            target, count = step(state, symbol)
            if target not in order:
                if len(order) >= limit:
                    raise MachineError(f"the machine has more than {limit} states")
                order[target] = len(order)
                queue.append(target)
            row.append(order[target])
            counts.append(count)
        delta.append(row)
        violations.append(counts)
    shape = (len(queue), classes)
    return CountingMachine(
        np.asarray(delta, dtype=np.int32).reshape(shape),
        np.asarray(violations, dtype=np.int32).reshape(shape),
        np.asarray([end(state) for state in queue], dtype=np.int32),
    )
