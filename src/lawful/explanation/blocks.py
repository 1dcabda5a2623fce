"""Where a lattice forbids a label sequence, whatever the rules say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.lattice import GraphLattice, Lattice

__all__ = ["Block", "find_block"]


class Block(NamedTuple):
    """The first position at which a lattice forbids to go on.

    Attributes
    ----------
    position : int
        Of the token; the number of tokens if it is the end.
    what : str
        What is forbidden there, in words.
    """

    position: int
    what: str


def find_block(lattice: Lattice | GraphLattice, labels: Sequence[str]) -> Block | None:
    """Find the first position at which the lattice forbids the labels; None if they are one of its paths.

    Examples
    --------
    >>> lattice = Lattice([[1.0, 0.0], [0.0, float("-inf")]], labels=["A", "B"])
    >>> find_block(lattice, ["A", "B"])
    Block(position=1, what="'B' at token 1")
    """
    if isinstance(lattice, Lattice):
        return _in_trellis(lattice, labels)
    return _in_graph(lattice, labels)


def _in_trellis(lattice: Lattice, labels: Sequence[str]) -> Block | None:
    path = lattice.labels.encode(labels)
    steps = lattice.transitions
    if lattice.start is not None and lattice.start[path[0]] == -np.inf:
        return Block(0, f"{labels[0]!r} as the first label")
    for t, label in enumerate(path):
        if t and steps is not None:
            step = steps if steps.ndim == 2 else steps[t - 1]
            if step[path[t - 1], label] == -np.inf:
                return Block(t, f"{labels[t - 1]!r} before {labels[t]!r} at token {t}")
        if lattice.emissions[t, label] == -np.inf:
            return Block(t, f"{labels[t]!r} at token {t}")
    if lattice.end is not None and lattice.end[path[-1]] == -np.inf:
        return Block(len(path), f"{labels[-1]!r} as the last label")
    return None


def _in_graph(graph: GraphLattice, labels: Sequence[str]) -> Block | None:
    reached = np.zeros(len(graph.states), dtype=bool)
    reached[graph.start] = True
    reached = _through_epsilons(graph, reached)
    for t, label in enumerate(graph.labels.encode(labels)):
        reached = _through_epsilons(graph, _step(graph, reached, label))
        if not reached.any():
            return Block(t, f"{labels[t]!r} at token {t}, after the labels before it")
    if not (graph.final[reached] > -np.inf).any():
        return Block(len(labels), "an end after these labels")
    return None


def _step(graph: GraphLattice, reached: npt.NDArray[np.bool_], label: int) -> npt.NDArray[np.bool_]:
    arcs = graph.arcs
    after = np.zeros_like(reached)
    after[arcs.target[(arcs.label == label) & (arcs.weight > -np.inf) & reached[arcs.source]]] = True
    return after


def _through_epsilons(graph: GraphLattice, reached: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    while (further := reached | _step(graph, reached, -1)).sum() > reached.sum():
        reached = further
    return reached
