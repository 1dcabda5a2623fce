"""A sequence that several machines accept, found without building their product."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.automata.acceptor import Dfa
from lawful.rules.languages.acceptors import Reading
from lawful.support.limits import Limits

__all__ = ["Searcher", "Step"]

FAR = np.iinfo(np.int32).max


class Step(NamedTuple):
    """One position of a sequence: the kind of its token, and its label."""

    kind: int
    label: int


class Searcher:
    """Looks for a sequence of at least one (kind, label) that all machines accept.

    States of the product from which some machine can no longer accept are never entered. `shortest` is A*: the
    number of missing positions is at least what any single machine still needs. `any` is guided by the sum of what
    all machines need, which is not a lower bound, but leads to some sequence much sooner.

    Parameters
    ----------
    readings : sequence of Reading
    limits : Limits
        Of states and time. Beyond them: `LimitError`, and whether there is a sequence is not known.

    Examples
    --------
    >>> everything = np.array([[0, 1]])
    >>> twice = Reading(Dfa([[0, 1], [1, 2], [2, 2]], [False, False, True]), everything)
    >>> Searcher([twice]).shortest()
    (Step(kind=0, label=1), Step(kind=0, label=1))
    >>> Searcher([twice, Reading(Dfa([[0, 1], [1, 1]], [True, False]), everything)]).shortest() is None
    True
    """

    def __init__(self, readings: Sequence[Reading], limits: Limits | None = None) -> None:
        shape = readings[0].columns.shape
        self.limits = limits or Limits()
        self.labels = shape[1]
        columns = [reading.columns.reshape(-1) for reading in readings]
        self.symbols = _distinct(columns)  # a (kind, label) for each column that the machines tell apart
        deltas = [
            reading.dfa.delta[:, row[self.symbols]] for reading, row in zip(readings, columns, strict=True)
        ]
        width = len(self.symbols)
        # One more machine, which requires at least one position.
        self.deltas = [*deltas, np.ones((2, width), dtype=np.int32)]
        nonempty = Dfa(self.deltas[-1], np.array([False, True]))
        machines = [
            *(Dfa(d, reading.dfa.accepting) for d, reading in zip(deltas, readings, strict=True)),
            nonempty,
        ]
        self.needs = [_distances(machine) for machine in machines]

    def shortest(self) -> tuple[Step, ...] | None:
        """A shortest sequence; None if there is none."""
        return self._search(greedy=False)

    def any(self) -> tuple[Step, ...] | None:
        """Some sequence; None if there is none."""
        return self._search(greedy=True)

    def _search(self, *, greedy: bool) -> tuple[Step, ...] | None:
        start = (0,) * len(self.deltas)
        need = self._need(np.zeros((len(start), 1), dtype=np.intp))
        if need[0, 0] == FAR:
            return None
        previous: dict[tuple[int, ...], tuple[tuple[int, ...], int]] = {}
        depth = {start: 0}
        heap = [(int(need[0, 0]), int(need[1, 0]), start)]
        done: set[tuple[int, ...]] = set()
        while heap:
            _, rest, state = heapq.heappop(heap)
            if state in done:
                continue
            done.add(state)
            if rest == 0:
                return tuple(self._path(state, start, previous))
            self.limits.after(len(done)).require_rest()
            for target, symbol, most, total in self._following(state):
                if depth.get(target, FAR) > depth[state] + 1:
                    depth[target] = depth[state] + 1
                    previous[target] = (state, symbol)
                    priority = total if greedy else depth[target] + most
                    heapq.heappush(heap, (priority, total, target))
        return None

    def _following(self, state: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int, int, int]]:
        targets = np.stack([delta[member] for delta, member in zip(self.deltas, state, strict=True)])
        need = self._need(targets)
        open_ = np.flatnonzero(need[0] < FAR)
        seen: set[tuple[int, ...]] = set()
        for symbol, column in zip(open_.tolist(), targets[:, open_].T.tolist(), strict=True):
            target = tuple(column)
            if target not in seen:
                seen.add(target)
                yield target, symbol, int(need[0, symbol]), int(need[1, symbol])

    def _need(self, states: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """For each column of states, the most positions that a machine still needs, and the sum over all machines."""
        each = np.stack([need[row] for need, row in zip(self.needs, states, strict=True)])
        return np.stack([each.max(axis=0), each.sum(axis=0)])

    def _path(
        self,
        state: tuple[int, ...],
        start: tuple[int, ...],
        previous: dict[tuple[int, ...], tuple[tuple[int, ...], int]],
    ) -> list[Step]:
        steps = []
        while state != start:
            state, symbol = previous[state]
            steps.append(Step(*divmod(int(self.symbols[symbol]), self.labels)))
        return steps[::-1]


def _distinct(rows: Sequence[npt.NDArray[np.intp]]) -> npt.NDArray[np.intp]:
    """The indices (M,) at which each combination of the rows (N,) first appears.

    Combinations are numbered row by row, which is much faster than sorting whole columns.
    """
    numbers = np.zeros(len(rows[0]), dtype=np.intp)
    first = np.zeros(1, dtype=np.intp)
    for row in rows:
        _, first, numbers = np.unique(
            numbers * (int(row.max()) + 1) + row, return_index=True, return_inverse=True
        )
    return np.sort(first)


def _distances(dfa: Dfa) -> npt.NDArray[np.int64]:
    """The number of positions from each state to acceptance: int array (S,), FAR if there is no way."""
    backward: list[set[int]] = [set() for _ in range(dfa.states)]
    for source, row in enumerate(dfa.delta.tolist()):
        for target in set(row):
            backward[target].add(source)
    distances = np.full(dfa.states, FAR, dtype=np.int64)
    layer = np.flatnonzero(dfa.accepting).tolist()
    distances[layer] = 0
    steps = 0
    while layer:
        steps += 1
        layer = [
            source for source in {s for state in layer for s in backward[state]} if distances[source] == FAR
        ]
        distances[layer] = steps
    return distances
