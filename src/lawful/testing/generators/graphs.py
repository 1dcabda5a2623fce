"""Random graph lattices: levelled, acyclic, or with cycles that lose."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import numpy as np

from lawful.labels import LabelSet
from lawful.lattice.graph import GraphLattice
from lawful.testing.generators.label_sets import random_label_set
from lawful.testing.generators.lattices import random_scores
from lawful.testing.generators.surroundings import random_context, random_tokens

__all__ = ["GraphShape", "random_graph"]

GraphShape = Literal["levelled", "acyclic", "cyclic"]
Arc = tuple[int, int, str | None, float]


def random_graph(
    rng: np.random.Generator,
    *,
    labels: LabelSet | None = None,
    shape: GraphShape = "levelled",
    size: int | None = None,
    epsilon: float = 0.15,
    forbid: float = 0.1,
    ties: bool | None = None,
) -> GraphLattice:
    """A graph lattice. Several paths may spell the same labels, and some states lead nowhere.

    Parameters
    ----------
    rng : numpy Generator
    labels : LabelSet, optional
    shape : "levelled", "acyclic" or "cyclic"
        Levelled: every path reads the same number of labels, so there are tokens and a context. Acyclic: paths
        differ in length, and one may read nothing. Cyclic: every cycle has a negative weight.
    size : int, optional
        The number of tokens of a levelled graph, or the number of states of another; 1 to 5 if not given.
    epsilon : float
        The share of arcs that read nothing.
    forbid : float
        The share of weights that are -inf.
    ties : bool, optional
        Whether weights are small whole numbers. None: by chance.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> random_graph(rng, size=4).length
    4
    >>> random_graph(rng, shape="cyclic", size=3).core.acyclic
    False
    """
    names = random_label_set(rng) if labels is None else labels
    count = int(rng.integers(1, 6)) if size is None else size
    exact = rng.random() < 0.3 if ties is None else ties
    if shape == "levelled":
        pairs, ends = _levelled(rng, count, epsilon)
    else:
        pairs, ends = _unlevelled(rng, count, epsilon, backwards=shape == "cyclic")
    weights = random_scores(rng, len(pairs), forbid=forbid, ties=exact)
    final = random_scores(rng, len(ends), forbid=forbid, ties=exact)
    if shape == "cyclic":
        # Differences of a potential cancel out around a cycle; what is left is lost.
        height = random_scores(rng, count, forbid=0.0, ties=exact)
        weights = np.array([height[b] - height[a] for a, b, _ in pairs]) - np.abs(weights) - 0.25
    arcs: list[Arc] = [
        (a, b, None if silent else names[int(rng.integers(len(names)))], float(weight))
        for (a, b, silent), weight in zip(pairs, weights, strict=True)
    ]
    met = {0, *(state for arc in arcs for state in arc[:2])}
    finals = {state: float(score) for state, score in zip(ends, final, strict=True) if state in met}
    levelled = shape == "levelled"
    return GraphLattice.from_arcs(
        arcs,
        labels=names,
        finals=finals,
        tokens=random_tokens(rng, count) if levelled else None,
        context=random_context(rng, count, names) if levelled else None,
    )


def _levelled(
    rng: np.random.Generator, length: int, epsilon: float
) -> tuple[list[tuple[int, int, bool]], list[int]]:
    """Arcs (source, target, silent) from one level to the next, and silent ones inside a level."""
    widths = [1, *rng.integers(1, 4, size=length).tolist()]
    first = np.concatenate([[0], np.cumsum(widths)]).tolist()
    levels = [range(first[i], first[i + 1]) for i in range(length + 1)]
    pairs = []
    for here, there in pairwise(levels):
        for source in here:
            pairs += [(source, int(rng.choice(there)), False) for _ in range(rng.integers(1, 4))]
        # Every state is reached, so that the graph has all its levels.
        pairs += [(int(rng.choice(here)), target, False) for target in there]
        pairs += [(a, b, True) for a in there for b in there if a < b and rng.random() < epsilon]
    return pairs, list(levels[-1])


def _unlevelled(
    rng: np.random.Generator, states: int, epsilon: float, *, backwards: bool
) -> tuple[list[tuple[int, int, bool]], list[int]]:
    """Arcs between any two states; without `backwards`, only from lower to higher ones."""
    pairs = [(state, state + 1, bool(rng.random() < epsilon)) for state in range(states - 1)]
    if backwards:
        pairs.append((states - 1, int(rng.integers(states)), False))
    for _ in range(rng.integers(3 * states)):
        a, b = sorted(rng.integers(states, size=2).tolist())
        if backwards and rng.random() < 0.4:
            a, b = b, a
        if a != b or backwards:
            pairs.append((a, b, bool(rng.random() < epsilon)))
    ends = [state for state in range(states) if state == states - 1 or rng.random() < 0.3]
    return pairs, ends
