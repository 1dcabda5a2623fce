"""Every label sequence of a lattice with its score, straight from the definition and without the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.errors import EnumerationError
from lawful.lattice import AnyLattice, GraphLattice, Lattice
from lawful.lattice.arrays import Floats
from lawful.lattice.graph import as_graph

__all__ = ["Spellings", "spell_out"]


class Spellings(NamedTuple):
    """The label sequences that a lattice allows, rules aside.

    Attributes
    ----------
    sequences : N sequences of label positions, in label order
    scores : float64 array (N,)
    beyond : float
        No sequence that is missing here scores more. -inf if none is missing.
    """

    sequences: Sequence[Sequence[int]]
    scores: Floats
    beyond: float = -np.inf


def spell_out(lattice: AnyLattice, *, max_sequences: int, max_length: int) -> Spellings:
    """All label sequences, of at most `max_length` labels if the lattice is a graph with cycles.

    Examples
    --------
    >>> found = spell_out(Lattice([[1.0, 0.0], [0.0, 2.0]]), max_sequences=4, max_length=2)
    >>> found.scores
    array([1., 3., 0., 2.])
    """
    if isinstance(lattice, Lattice):
        return _of_trellis(lattice, max_sequences)
    return _of_graph(as_graph(lattice), max_sequences, max_length)


# --- trellises -----------------------------------------------------------------------------------------------


def _of_trellis(lattice: Lattice, max_sequences: int) -> Spellings:
    length, count = lattice.emissions.shape
    if count**length > max_sequences:
        raise EnumerationError("max_sequences", max_sequences)
    paths = _all_paths(length, count)
    scores: Floats = lattice.emissions[np.arange(length), paths].sum(axis=1)
    if lattice.transitions is not None:
        steps = np.broadcast_to(lattice.transitions, (length - 1, count, count))
        scores += steps[np.arange(length - 1), paths[:, :-1], paths[:, 1:]].sum(axis=1)
    if lattice.start is not None:
        scores += lattice.start[paths[:, 0]]
    if lattice.end is not None:
        scores += lattice.end[paths[:, -1]]
    allowed = scores > -np.inf
    return Spellings(paths[allowed].tolist(), scores[allowed])


@lru_cache(maxsize=64)
def _all_paths(length: int, count: int) -> npt.NDArray[np.intp]:
    """All label sequences (K**T, T)."""
    return np.indices((count,) * length).reshape(length, -1).T


# --- graphs: best scores (S,) of every state after every label sequence -------------------------------------


def _of_graph(graph: GraphLattice, max_sequences: int, max_length: int) -> Spellings:
    steps, best = _step_scores(graph)
    to_end = _best_completion(steps.max(axis=0), graph.final)
    useful = to_end > -np.inf
    prefixes: list[tuple[int, ...]] = [()]
    layer: Floats = np.where(useful, best, -np.inf)[None]
    scores: dict[tuple[int, ...], float] = {}
    while prefixes:
        ends = (layer + graph.final).max(axis=1)
        scores |= {prefix: float(end) for prefix, end in zip(prefixes, ends, strict=True) if end > -np.inf}
        if len(scores) + len(prefixes) > max_sequences:
            raise EnumerationError("max_sequences", max_sequences)
        if not graph.core.acyclic and len(prefixes[0]) == max_length:
            break
        following = np.stack([_max_plus(layer, step) for step in steps], axis=1)  # (N, K, S)
        following[:, :, ~useful] = -np.inf
        alive = np.argwhere((following > -np.inf).any(axis=2))
        layer = following[alive[:, 0], alive[:, 1]]
        prefixes = [(*prefixes[index], label) for index, label in alive.tolist()]
    beyond = (layer + to_end).max() if prefixes else -np.inf
    order = sorted(scores)
    return Spellings(order, np.array([scores[sequence] for sequence in order]), float(beyond))


def _step_scores(graph: GraphLattice) -> tuple[Floats, Floats]:
    """Best scores (K, S, S) of reading one label from state to state, and (S,) of getting anywhere by reading none."""
    states, source, target = len(graph.states), graph.arcs.source, graph.arcs.target
    matrices = np.full((len(graph.labels) + 1, states, states), -np.inf)
    np.maximum.at(matrices, (graph.arcs.label, source, target), graph.arcs.weight)
    silent = matrices[-1]  # label -1
    np.fill_diagonal(silent, np.maximum(silent.diagonal(), 0.0))
    for _ in range(states.bit_length()):
        silent = _max_plus(silent, silent)
    return np.stack([_max_plus(step, silent) for step in matrices[:-1]]), silent[graph.start]


def _best_completion(step: Floats, final: Floats) -> Floats:
    """The best score (S,) of getting to an end. Cycles lose, so a best way visits no state twice."""
    best: Floats = final
    for _ in range(len(final)):
        best = np.maximum(best, _max_plus(step, best[:, None])[:, 0])
    return best


def _max_plus(left: Floats, right: Floats) -> Floats:
    product: Floats = (left[:, :, None] + right[None]).max(axis=1)
    return product
