"""A lattice as a network through which one unit flows from start to end (Roth & Yih 2005, section 4.1).

The columns of a network are 1 on the arcs of a path, and 0 elsewhere. Without more rows than `add_network` adds, the
program needs no integrality: the matrix of a network is totally unimodular.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.errors import GraphError
from lawful.lattice.graph import GraphLattice
from lawful.solvers.ilp.program import Floats, Ints, Program

__all__ = ["Network", "add_network", "graph_network"]


class Network(NamedTuple):
    """Arcs, each from a lower node to a higher one. The path goes from node 0 to the last node.

    Attributes
    ----------
    source, target : int arrays (N,)
    label : int array (N,)
        What an arc reads; -1 for nothing.
    weight : float64 array (N,)
        All finite.
    nodes : int
    """

    source: Ints
    target: Ints
    label: Ints
    weight: Floats
    nodes: int

    def path(self, taken: Floats) -> list[int]:
        """The arcs on the way from start to end, given a solution whose first columns are the arcs.

        Examples
        --------
        >>> network = Network(np.array([0, 0]), np.array([1, 1]), np.array([5, 7]), np.zeros(2), 2)
        >>> network.path(np.array([0.0, 1.0])), network.labels([1])
        ([1], (7,))
        """
        arcs = np.flatnonzero(taken[: len(self.source)] > 0.5)
        leaving = dict(zip(self.source[arcs].tolist(), arcs.tolist(), strict=True))
        node, path = 0, []
        while node != self.nodes - 1:
            path.append(leaving[node])
            node = int(self.target[path[-1]])
        return path

    def labels(self, path: Sequence[int]) -> tuple[int, ...]:
        """The labels that arcs read."""
        read: list[int] = self.label[list(path)].tolist()
        return tuple(label for label in read if label >= 0)


def add_network(program: Program, network: Network, *, arc_name: Callable[[int], str], comment: str) -> Ints:
    """A binary column for each arc, and a row for each node but the last: what comes in goes out."""
    columns = program.add_columns(network.weight, binary=True, name=arc_name)
    program.begin("flow", comment)
    inner = network.target < network.nodes - 1
    arcs = np.arange(len(columns))
    program.add_rows(
        np.concatenate([network.source, network.target[inner]]),
        columns[np.concatenate([arcs, arcs[inner]])],
        np.repeat([1.0, -1.0], [len(arcs), int(inner.sum())]),
        lower=(start := np.eye(1, network.nodes - 1)[0]),
        upper=start,
    )
    return columns


def graph_network(graph: GraphLattice) -> tuple[Network, Ints]:
    """The network of a graph without cycles, and the state of each of its nodes; the end is none.

    Only states on a path from the start to an end become nodes: a cycle that no path can reach must not carry flow.

    Examples
    --------
    >>> graph = GraphLattice.from_arcs([(0, 1, "A", 2.0), (0, 2, "A", 3.0)], labels=["A"], finals=[1])
    >>> network, states = graph_network(graph)
    >>> network.weight.tolist(), states.tolist()
    ([2.0, 0.0], [0, 1])
    """
    finite = graph.arcs.weight > -np.inf
    source, target, label = (np.asarray(column[finite], dtype=np.intp) for column in graph.arcs[:3])
    ends = graph.final > -np.inf
    start = np.arange(len(ends)) == graph.start
    alive = _closure(start, source, target) & _closure(ends, target, source)
    order = _topological(np.flatnonzero(alive | start), source, target, alive)
    number = np.full(len(ends), -1)
    number[order] = np.arange(len(order))
    kept = alive[source] & alive[target]
    last = np.flatnonzero(alive & ends)
    network = Network(
        np.concatenate([number[source[kept]], number[last]]),
        np.concatenate([number[target[kept]], np.full(len(last), len(order))]),
        np.concatenate([label[kept], np.full(len(last), -1)]),
        np.concatenate([graph.arcs.weight[finite][kept], graph.final[last]]),
        len(order) + 1,
    )
    return network, order


def _closure(reached: npt.NDArray[np.bool_], source: Ints, target: Ints) -> npt.NDArray[np.bool_]:
    """The states that arcs lead to, from these on."""
    while True:
        further = reached.copy()
        further[target[reached[source]]] = True
        if (further == reached).all():
            return further
        reached = further


def _topological(states: Ints, source: Ints, target: Ints, alive: npt.NDArray[np.bool_]) -> Ints:
    """The living states, each before those that its arcs lead to."""
    inside = alive[source] & alive[target]
    waiting = np.bincount(target[inside], minlength=len(alive))
    after: dict[int, list[int]] = {}
    for a, b in zip(source[inside].tolist(), target[inside].tolist(), strict=True):
        after.setdefault(a, []).append(b)
    order = [state for state in states.tolist() if not waiting[state]]
    for state in order:  # grows while it is walked
        for following in after.get(state, ()):
            waiting[following] -= 1
            if not waiting[following]:
                order.append(following)
    if len(order) < len(states):
        raise GraphError(
            "the graph has a cycle, and a linear program would need a variable for each time it is gone through; "
            "use solver='auto' for it"
        )
    return np.array(order, dtype=np.intp)
