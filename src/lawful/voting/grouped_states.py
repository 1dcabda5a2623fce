"""Grouped-state Viterbi graphs: the canonical graph of any tagger's scores, in which taggers can meet (Loper 6.4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.decoding.answers.product import ProductBuilder
from lawful.errors import GraphError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, GraphLattice, Lattice
from lawful.lattice.arrays import Floats
from lawful.lattice.graph import Arcs
from lawful.lattice.trellis import as_trellis
from lawful.solvers.problem import Problem
from lawful.support.limits import Limits

__all__ = ["DEAD", "GroupedStates", "Ints", "canonical_states", "weighted_sum"]

Ints = npt.NDArray[np.int32]

DEAD = -1
"""The state of a tagger that gives no chance to what has been read: the last row of every layer, so that it is row -1."""


@dataclass(frozen=True, eq=False)
class GroupedStates:
    """The scores of one sequence by one or more taggers, as states that are grouped by the canonical label just read. Frozen.

    From a state, each label leads to at most one state, which is in the label's group. So each label sequence is one path through
    the groups, and has one score by each tagger: the sum along its path. What a tagger knows beyond the last label (a tag that it
    has yet to write, labels further back) is what tells the states of a group apart.

    Attributes
    ----------
    labels : LabelSet
        The K canonical labels, which are the groups.
    following : tuple of int arrays (S, K)
        For each token the state after it, by the state before it and the label; DEAD if there is none. The last row of each is
        that of the dead state.
    weights : tuple of float64 arrays (S, K, N)
        For each token what each of N taggers adds to its score.
    final : float64 array (S, N)
        What each adds for ending in a state.
    tokens : tuple or None
    context : mapping
        What rules need to know about the sequence.

    Examples
    --------
    >>> states = canonical_states(Lattice([[1.0, 0.0], [0.0, 2.0]], labels=["A", "B"]))
    >>> states.length, states.taggers, states.sizes, states.score(["A", "B"])
    (2, 1, (1, 2, 2), array([3.]))
    """

    labels: LabelSet
    following: tuple[Ints, ...]
    weights: tuple[Floats, ...]
    final: Floats
    tokens: Sequence[Any] | None = None
    context: Mapping[str, Any] = field(default_factory=dict)

    @property
    def length(self) -> int:
        """The number of tokens T."""
        return len(self.following)

    @property
    def taggers(self) -> int:
        """How many taggers give scores."""
        return int(self.final.shape[1])

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of states before each token and at the end, without the dead one."""
        return (*(len(table) - 1 for table in self.following), len(self.final) - 1)

    def groups(self, position: int) -> Ints:
        """The label that was read last in each state before a token, or at the end (T); -1 in the first and the dead state."""
        group = np.full(self.sizes[position] + 1, -1, dtype=np.int32)
        if position:
            table = self.following[position - 1]
            for label in range(len(self.labels)):
                group[table[:, label]] = label
            group[DEAD] = -1
        return group

    def score(self, labels: Sequence[str]) -> Floats:
        """What each tagger (N,) scores a label sequence; -inf if it gives it no chance."""
        if len(labels) != self.length:
            raise GraphError(f"there are {self.length} tokens but {len(labels)} labels")
        return self.score_indices(self.labels.encode(labels))

    def score_indices(self, labels: Iterable[int]) -> Floats:
        """The same for labels (T,) that are given as indices in the label set."""
        state, total = 0, np.zeros(self.taggers)
        for following, weights, label in zip(self.following, self.weights, labels, strict=True):
            total = total + weights[state, label]
            state = int(following[state, label])
        return np.asarray(total + self.final[state], dtype=np.float64)

    def completions(self) -> list[Floats]:
        """The best that each tagger can still add, from each state (S, N) before each token and at the end."""
        best = [self.final]
        for following, weights in zip(reversed(self.following), reversed(self.weights), strict=True):
            best.append(np.max(weights + best[-1][following], axis=1))
        return best[::-1]

    def log_partitions(self) -> Floats:
        """For each tagger (N,) the log of the sum of exp(score) over all label sequences."""
        sums = self.final
        with np.errstate(divide="ignore"):
            for following, weights in zip(reversed(self.following), reversed(self.weights), strict=True):
                terms = weights + sums[following]
                highest = np.max(terms, axis=1)
                finite = np.where(np.isfinite(highest), highest, 0.0)
                sums = finite + np.log(np.sum(np.exp(terms - finite[:, None]), axis=1))
        return np.asarray(sums[0], dtype=np.float64)

    def to_lattice(self, shares: Sequence[float]) -> GraphLattice:
        """The weighted sum of the taggers' scores as a lattice; the share of each must be above 0."""
        offset = np.concatenate([[0], np.cumsum([size + 1 for size in self.sizes])])
        columns: list[tuple[Any, ...]] = []
        for position, (following, weights) in enumerate(zip(self.following, self.weights, strict=True)):
            total = weighted_sum(weights, np.asarray(shares, dtype=np.float64))
            source, label = np.nonzero((following != DEAD) & (total > -np.inf))
            target = following[source, label]
            columns.append(
                (offset[position] + source, offset[position + 1] + target, label, total[source, label])
            )
        final = np.full(offset[-1], -np.inf)
        ends = weighted_sum(self.final, np.asarray(shares, dtype=np.float64))
        final[offset[-2] : offset[-1] - 1] = ends[:-1]
        source, target, label, weight = (np.concatenate(column) for column in zip(*columns, strict=True))
        arcs = Arcs(source.astype(np.int32), target.astype(np.int32), label.astype(np.int32), weight)
        return GraphLattice(arcs, final, self.labels, 0, range(len(final)), self.tokens, self.context)


def weighted_sum(scores: Floats, shares: Floats) -> Floats:
    """Sums over the last axis, which stands for taggers, by shares above 0 (N,) or (N, G); -inf where one of them is.

    Examples
    --------
    >>> weighted_sum(np.array([[1.0, 2.0], [0.0, -np.inf]]), np.array([0.5, 0.5]))
    array([ 1.5, -inf])
    """
    # Not by the product alone: a BLAS may multiply -inf by the zeros that it pads with.
    forbidden = np.isneginf(scores).any(axis=-1)
    total = np.where(np.isneginf(scores), 0.0, scores) @ shares
    total[forbidden] = -np.inf
    return np.asarray(total, dtype=np.float64)


def canonical_states(
    lattice: AnyLattice, labels: LabelSet | None = None, *, limits: Limits | None = None
) -> GroupedStates:
    """The canonical graph of one tagger's scores.

    A model in an encoding gives a lattice over canonical labels already (`encodings.Encoded`), with the tags that are written late
    and those that are written at the end. Here its states are told apart by position and by label, and paths that spell
    the same labels become one, with the score of the best.

    Parameters
    ----------
    lattice : Lattice or GraphLattice
        All paths must have the same length.
    labels : LabelSet, optional
        The canonical labels; the lattice's own if not given. What the lattice lacks has no chance.
    limits : Limits, optional
        For making the paths of a graph unique, which can take many states.

    Examples
    --------
    >>> from lawful.encodings import ComposedLattices, scheme_encoding
    >>> encoding = scheme_encoding("IOB1", "IOE2")
    >>> tags = Lattice([[0.0, 1.0, 0.0], [0.0, 0.0, 2.0]], labels=["O", "I", "E"])
    >>> states = canonical_states(ComposedLattices(encoding, tags.labels)(tags))
    >>> states.labels, states.score(["I", "I"])
    (LabelSet(['O', 'I', 'B']), array([3.]))
    """
    names = lattice.labels if labels is None else labels
    column = np.array([names.index(label) for label in lattice.labels])
    trellis = as_trellis(lattice)
    if trellis is not None:
        return _from_trellis(trellis, names, column)
    return _from_graph(lattice, names, column, Limits() if limits is None else limits)


def _from_trellis(lattice: Lattice, names: LabelSet, column: npt.NDArray[np.intp]) -> GroupedStates:
    count, length = len(lattice.labels), lattice.length
    emissions, steps = lattice.emissions, lattice.transitions
    following, weights = [], []
    for position in range(length):
        before = 1 if position == 0 else count
        scores = np.broadcast_to(emissions[position], (before, count))
        if position == 0 and lattice.start is not None:
            scores = scores + lattice.start
        elif position and steps is not None:
            scores = scores + (steps if steps.ndim == 2 else steps[position - 1])
        table = np.full((before + 1, len(names)), DEAD, dtype=np.int32)
        weight = np.full((before + 1, len(names), 1), -np.inf)
        table[:-1, column] = np.where(scores > -np.inf, np.arange(count), DEAD)
        weight[:-1, column, 0] = scores
        following.append(table)
        weights.append(weight)
    final = np.full((count + 1, 1), -np.inf)
    final[:-1, 0] = 0.0 if lattice.end is None else lattice.end
    return GroupedStates(names, tuple(following), tuple(weights), final, lattice.tokens, lattice.context)


def _from_graph(
    lattice: AnyLattice, names: LabelSet, column: npt.NDArray[np.intp], limits: Limits
) -> GroupedStates:
    length = lattice.length
    if length is None:
        raise GraphError(
            "the paths of the graph differ in how many labels they read, so they cannot be voted on"
        )
    builder = ProductBuilder(Problem(lattice, limits=limits))
    graph: _core.Graph = builder.deterministic(builder.build())
    source, target, label, weight, final, position = graph.as_arrays()
    read = column[label]
    # A group has states of its own: one for each state of the graph and label that leads to it, in the order of the graph's.
    arrivals, arrival = np.unique(target.astype(np.int64) * len(names) + read, return_inverse=True)
    owner = arrivals // len(names)
    at = position[owner] if len(owner) else np.zeros(0, dtype=np.int32)
    row = np.zeros(len(arrivals), dtype=np.int32)  # in its layer
    for step in range(1, length + 1):
        row[at == step] = np.arange(np.count_nonzero(at == step))
    # The arcs of a state leave from each state that it has become; the start is one that none leads to.
    first, last = np.searchsorted(owner, source, "left"), np.searchsorted(owner, source, "right")
    times = np.where(source == 0, 1, last - first)
    arc = np.repeat(np.arange(len(source)), times)
    turn = np.arange(len(arc)) - np.repeat(np.cumsum(times) - times, times)
    from_row = np.where(source[arc] == 0, 0, row[np.minimum(first[arc] + turn, len(row) - 1)])
    step_of = position[source[arc]] if len(arc) else np.zeros(0, dtype=np.int32)
    following, weights = [], []
    for step in range(length):
        before = 1 if step == 0 else int(np.count_nonzero(at == step))
        table = np.full((before + 1, len(names)), DEAD, dtype=np.int32)
        scores = np.full((before + 1, len(names), 1), -np.inf)
        here = step_of == step
        leaving = arc[here]
        table[from_row[here], read[leaving]] = row[arrival[leaving]]
        scores[from_row[here], read[leaving], 0] = weight[leaving]
        following.append(table)
        weights.append(scores)
    ends = np.full((np.count_nonzero(at == length) + 1, 1), -np.inf)
    ends[:-1, 0] = final[owner[at == length]]
    return GroupedStates(names, tuple(following), tuple(weights), ends, lattice.tokens, lattice.context)
