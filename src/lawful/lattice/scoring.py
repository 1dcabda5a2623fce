"""The independent judge of scores: adds up a path by the definition, and shares nothing with the kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lawful.errors import ShapeError, UnboundedError, UnknownLabelError
from lawful.labels import LabelSet
from lawful.lattice.arrays import Floats
from lawful.lattice.graph import GraphLattice
from lawful.lattice.trellis import Lattice

__all__ = ["path_score"]


def path_score(lattice: Lattice | GraphLattice, labels: Sequence[str] | Sequence[int]) -> float:
    """The score that a lattice gives to one label sequence; -inf if it forbids it. No rules.

    Parameters
    ----------
    lattice : Lattice or GraphLattice
        In a graph, the best of the paths that spell the labels counts.
    labels : sequence of str, or of int
        Label names, or their positions in `lattice.labels`.

    Examples
    --------
    >>> lattice = Lattice([[1.0, 0.0], [0.0, 2.0]], [[0.0, -0.5], [0.0, 0.0]], labels=["O", "Name"])
    >>> path_score(lattice, ["O", "Name"])
    2.5
    """
    path = _positions(labels, lattice.labels)
    return _in_trellis(lattice, path) if isinstance(lattice, Lattice) else _in_graph(lattice, path)


def _positions(labels: Sequence[str] | Sequence[int], known: LabelSet) -> npt.NDArray[np.intp]:
    path = [known.index(label) if isinstance(label, str) else int(label) for label in labels]
    for label in path:
        if not 0 <= label < len(known):
            raise UnknownLabelError(str(label), tuple(known))
    return np.array(path, dtype=np.intp)


def _in_trellis(lattice: Lattice, path: npt.NDArray[np.intp]) -> float:
    if len(path) != lattice.length:
        raise ShapeError("labels", f"({lattice.length},), one for each token", path.shape)
    score = lattice.emissions[np.arange(len(path)), path].sum()
    transitions = lattice.transitions
    if transitions is not None and len(path) > 1:
        steps = (
            (path[:-1], path[1:])
            if transitions.ndim == 2
            else (np.arange(len(path) - 1), path[:-1], path[1:])
        )
        score += transitions[steps].sum()
    if lattice.start is not None:
        score += lattice.start[path[0]]
    if lattice.end is not None:
        score += lattice.end[path[-1]]
    return float(score)


def _in_graph(graph: GraphLattice, path: npt.NDArray[np.intp]) -> float:
    best = np.full(len(graph.states), -np.inf)
    best[graph.start] = 0.0
    best = _through_epsilons(graph, best)
    for label in path:
        best = _through_epsilons(graph, _step(graph, best, int(label)))
    ends = graph.final > -np.inf
    score = float((best[ends] + graph.final[ends]).max(initial=-np.inf))
    if score == np.inf:
        raise UnboundedError([graph.states[s] for s in np.flatnonzero(best == np.inf).tolist()], np.inf)
    return score


def _step(graph: GraphLattice, best: Floats, label: int) -> Floats:
    """Best scores after one arc with this label."""
    source, target, labels, weight = graph.arcs
    chosen = (labels == label) & (weight > -np.inf)
    after = np.full_like(best, -np.inf)
    np.maximum.at(after, target[chosen], best[source[chosen]] + weight[chosen])
    return after


def _through_epsilons(graph: GraphLattice, best: Floats) -> Floats:
    """Best scores after any number of epsilon arcs; +inf behind a cycle of them that gains."""
    if not (graph.arcs.label == -1).any():
        return best
    states = len(best)
    for round_ in range(2 * states):
        further = np.maximum(best, _step(graph, best, -1))
        grows = ~np.isclose(further, best, rtol=1e-12, atol=1e-12)
        if not grows.any():
            break
        # A path without a cycle has fewer arcs than there are states.
        best = np.where(grows, np.inf, further) if round_ >= states else further
    return best
