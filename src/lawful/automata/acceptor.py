"""Machines that accept or reject a sequence of symbols: nondeterministic to build with, deterministic to run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from lawful.errors import MachineError

__all__ = ["EPSILON", "Arc", "Dfa", "Nfa"]

EPSILON = -1
Arc = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Nfa:
    """A nondeterministic acceptor over the symbols 0..C-1, with any number of start states.

    Its states are the numbers that occur in it. Arcs are kept sorted and without repeats. Frozen; compared by
    identity, so that it can key a cache.

    Attributes
    ----------
    classes : int
        The number of symbols C.
    starts, finals : tuple of int
    arcs : tuple of (source, symbol, target)
        The symbol `EPSILON` (-1) is a step that reads nothing.

    Examples
    --------
    Zeros, then perhaps one `1`:

    >>> nfa = Nfa(2, [0], [1], [(0, 0, 0), (0, 1, 1), (0, EPSILON, 1)])
    >>> nfa.accepts([0, 0]), nfa.accepts([0, 1]), nfa.accepts([1, 0])
    (True, True, False)
    """

    classes: int
    starts: Sequence[int]
    finals: Sequence[int]
    arcs: Sequence[Arc]

    def __post_init__(self) -> None:
        for field in ("starts", "finals"):
            object.__setattr__(self, field, tuple(sorted({int(state) for state in getattr(self, field)})))
        arcs = {(int(source), int(symbol), int(target)) for source, symbol, target in self.arcs}
        object.__setattr__(self, "arcs", tuple(sorted(arcs)))
        if self.classes < 0:
            raise MachineError(f"the number of classes must be 0 or more, got {self.classes}")
        if min((*self.starts[:1], *self.finals[:1], *(min(arc[0], arc[2]) for arc in arcs)), default=0) < 0:
            raise MachineError("states are numbered from 0, got a negative one")
        for arc in arcs:
            if not EPSILON <= arc[1] < self.classes:
                raise MachineError(
                    f"arc {arc} reads {arc[1]}; symbols are 0 to {self.classes - 1}, or -1 for none"
                )

    @cached_property
    def states(self) -> int:
        """One more than the highest state."""
        highest = (*self.starts[-1:], *self.finals[-1:], *(max(arc[0], arc[2]) for arc in self.arcs))
        return 1 + max(highest, default=-1)

    @cached_property
    def steps(self) -> tuple[dict[int, frozenset[int]], ...]:
        """For every state, the targets of each symbol (`EPSILON` too) that it can read."""
        targets: list[dict[int, set[int]]] = [{} for _ in range(self.states)]
        for source, symbol, target in self.arcs:
            targets[source].setdefault(symbol, set()).add(target)
        return tuple({symbol: frozenset(states) for symbol, states in row.items()} for row in targets)

    def closure(self, states: Iterable[int]) -> frozenset[int]:
        """The states that can be reached from these without reading anything, these included."""
        reached = set(states)
        stack = list(reached)
        while stack:
            fresh = self.steps[stack.pop()].get(EPSILON, frozenset()) - reached
            reached |= fresh
            stack.extend(fresh)
        return frozenset(reached)

    def accepts(self, symbols: Iterable[int]) -> bool:
        """Whether some path from a start to a final reads exactly these symbols."""
        current = self.closure(self.starts)
        for symbol in symbols:
            _check_symbol(symbol, self.classes)
            current = self.closure(t for s in current for t in self.steps[s].get(symbol, ()))
        return not current.isdisjoint(self.finals)


@dataclass(frozen=True, eq=False)
class Dfa:
    """A complete deterministic acceptor over the symbols 0..C-1. State 0 is the start.

    Frozen; compared by identity, so that it can key a cache (`lawful.automata.equivalent` compares languages).

    Attributes
    ----------
    delta : int32 array (S, C)
        Reading symbol `c` in state `s` leads to `delta[s, c]`.
    accepting : bool array (S,)

    Examples
    --------
    An even number of ones:

    >>> dfa = Dfa([[0, 1], [1, 0]], [True, False])
    >>> dfa.accepts([1, 0, 1]), dfa.accepts([1])
    (True, False)
    """

    delta: npt.NDArray[np.int32]
    accepting: npt.NDArray[np.bool_]

    def __post_init__(self) -> None:
        for field, dtype in (("delta", np.int32), ("accepting", np.bool_)):
            array = np.array(getattr(self, field), dtype=dtype, order="C")
            array.setflags(write=False)
            object.__setattr__(self, field, array)
        if self.delta.ndim != 2 or self.delta.shape[0] == 0:
            raise MachineError(f"delta must have shape (states, classes), got {self.delta.shape}")
        if self.accepting.shape != self.delta.shape[:1]:
            raise MachineError(
                f"accepting must have one flag per state ({self.states}), got {self.accepting.shape}"
            )
        if self.delta.size and (self.delta.min() < 0 or self.delta.max() >= self.states):
            raise MachineError(
                f"delta must hold states 0 to {self.states - 1}; it is complete, so none is missing"
            )

    @property
    def states(self) -> int:
        """The number of states S."""
        return int(self.delta.shape[0])

    @property
    def classes(self) -> int:
        """The number of symbols C."""
        return int(self.delta.shape[1])

    def accepts(self, symbols: Iterable[int]) -> bool:
        """Whether reading these symbols from the start ends in an accepting state."""
        state = 0
        for symbol in symbols:
            _check_symbol(symbol, self.classes)
            state = int(self.delta[state, symbol])
        return bool(self.accepting[state])

    def to_nfa(self) -> Nfa:
        """The same machine as an `Nfa`, to go on building with."""
        arcs = [(s, c, t) for s, row in enumerate(self.delta.tolist()) for c, t in enumerate(row)]
        return Nfa(self.classes, (0,), np.flatnonzero(self.accepting).tolist(), arcs)


def _check_symbol(symbol: int, classes: int) -> None:
    if not 0 <= symbol < classes:
        raise MachineError(f"symbol {symbol} is not one of 0 to {classes - 1}")
