"""All label sequences that rules leave open, as a graph whose arcs know what they are paid for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import ProductTooLargeError
from lawful.lattice.arrays import Floats

__all__ = ["LegalPaths", "Level", "PricedPart", "find_legal_paths"]

Ints = npt.NDArray[np.int64]


class PricedPart(NamedTuple):
    """A part at a price of 1 (or hard), the kinds (T,) of the tokens for it, and the index of the price that it is paid with."""

    part: _core.Part
    kinds: npt.NDArray[np.uint16] | None
    price: int


@dataclass(frozen=True, eq=False)
class Level:
    """The arcs that read one position; each leads from a node of the position before to one of this.

    Attributes
    ----------
    source, target : (A,) nodes; the start is node 0 before the first position
    label : (A,)
    counts : (A, G)
        How often each price is paid on the arc.
    node_labels : (N,)
        The label that was read on every way into a node of this position.
    """

    source: Ints
    target: Ints
    label: Ints
    counts: Floats
    node_labels: Ints


@dataclass(frozen=True, eq=False)
class LegalPaths:
    """The legal labellings of one sequence: T levels, and how often each price is paid at the end (N, G).

    Every arc lies on a path from the start to the end; no levels at all mean that nothing is legal.
    """

    levels: tuple[Level, ...]
    final: Floats

    @property
    def arcs(self) -> int:
        """How many there are."""
        return sum(len(level.label) for level in self.levels)


def find_legal_paths(
    length: int, labels: int, prices: int, parts: list[PricedPart], *, max_states: int = 200_000
) -> LegalPaths:
    """The product of a trellis and the machines of rules: one node for each label and each state of the rules.

    Parameters
    ----------
    length, labels, prices : int
        T, K and G.
    parts : list of PricedPart
    max_states : int
        Beyond so many nodes: `ProductTooLargeError`.

    Examples
    --------
    >>> find_legal_paths(3, 2, 0, []).arcs
    10
    """
    hard = [part.mode == "hard" for part, _, _ in parts]
    states = np.zeros((1, len(parts)), dtype=np.int64)
    levels: list[Level] = []
    nodes = 0
    tables = [(part.table, part.delta, part.cost) for part, _, _ in parts]
    for position in range(length):
        alive = np.ones((len(states), labels), dtype=bool)
        then = np.zeros((len(states), labels, len(parts)), dtype=np.int64)
        paid = np.zeros((len(states), labels, prices))
        for index, ((_, kinds, price), (table, delta, cost)) in enumerate(zip(parts, tables, strict=True)):
            classes = table[0 if kinds is None else kinds[position]]
            next_states = delta[states[:, index]][:, classes]
            alive &= next_states >= 0
            then[:, :, index] = next_states
            if not hard[index]:
                paid[:, :, price] += cost[states[:, index]][:, classes]
        source, label = np.nonzero(alive)
        reached = np.column_stack([label, then[source, label]])
        reached_states, target = np.unique(reached, axis=0, return_inverse=True)
        levels.append(Level(source, target.ravel(), label, paid[source, label], reached_states[:, 0]))
        states = reached_states[:, 1:]
        nodes += len(states)
        if nodes > max_states:
            raise ProductTooLargeError("max_states", max_states, nodes, f"position {position} of {length}")
    final = np.zeros((len(states), prices))
    may_end = np.ones(len(states), dtype=bool)
    for index, (part, _, price) in enumerate(parts):
        cost = part.final_cost[states[:, index]]
        if hard[index]:
            may_end &= np.isfinite(cost)
        else:
            final[:, price] += cost
    return _trimmed(levels, final, may_end)


def _trimmed(levels: list[Level], final: Floats, alive: npt.NDArray[np.bool_]) -> LegalPaths:
    """Without nodes from which no end can be reached."""
    if not alive.any():
        return LegalPaths((), final[:0])
    kept: list[Level] = []
    final = final[alive]
    for position in range(len(levels) - 1, -1, -1):
        level = levels[position]
        number = np.cumsum(alive) - 1
        arcs = alive[level.target]
        source = level.source[arcs]
        before = np.zeros(len(levels[position - 1].node_labels) if position else 1, dtype=bool)
        before[source] = True
        kept.append(
            Level(
                (np.cumsum(before) - 1)[source],
                number[level.target[arcs]],
                level.label[arcs],
                level.counts[arcs],
                level.node_labels[alive],
            )
        )
        alive = before
    return LegalPaths(tuple(reversed(kept)), final)
