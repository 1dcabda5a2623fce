"""General weighted graphs over labels: n-best lists, word lattices, segments, even cyclic ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import GraphError, LargeScoreError, UnboundedError
from lawful.labels import LabelSet
from lawful.lattice.arcs import ArcReader, legal_score
from lawful.lattice.arrays import Floats, without_scores
from lawful.lattice.base import UNLIMITED, AnyLattice, Block, read_only_context
from lawful.lattice.sums import UNIT
from lawful.lattice.tag_lattice import TagLattice
from lawful.lattice.trellis import Lattice

__all__ = ["Arcs", "GraphLattice", "as_graph"]

Ints = npt.NDArray[np.int32]


class Arcs(NamedTuple):
    """The arcs of a graph, one per entry. States are counted from 0; label -1 is epsilon."""

    source: Ints
    target: Ints
    label: Ints
    weight: Floats


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GraphLattice(AnyLattice):
    """A weighted acceptor over labels. Frozen. Made by `from_arcs`, `from_nbest` or `from_lattice`.

    The score of a label sequence is that of the best path that spells it. Epsilon arcs spell nothing.

    Attributes
    ----------
    arcs : Arcs
        Read-only arrays.
    final : float64 array (S,)
        The score of ending in each state; -inf where a path may not end. Read-only.
    labels : LabelSet
    start : int
        The start, as counted in `arcs`.
    states : sequence of int
        The caller's own number of each state.
    tokens : tuple or None
    context : mapping
        What rules need to know about this sequence, by name; read-only.
    core : lawful._core.Graph
        What the kernels use.

    Examples
    --------
    >>> graph = GraphLattice.from_arcs(
    ...     [(0, 1, "O", 0.5), (0, 1, "Name", 0.0), (1, 2, "Name", 1.0)], labels=["O", "Name"], finals=[2]
    ... )
    >>> graph.length, len(graph.states)
    (2, 3)
    """

    kind: ClassVar[str] = "graph"

    arcs: Arcs
    final: Floats
    labels: LabelSet = field()  # a field without a default: the property of the base is none
    start: int
    states: Sequence[int]
    tokens: Sequence[Any] | None = None
    context: Mapping[str, Any] = field(default_factory=dict)
    core: _core.Graph = field(init=False)

    def __post_init__(self) -> None:
        for array in (*self.arcs, self.final):
            array.setflags(write=False)
        self._refuse_large()
        core = _core.Graph.from_arcs(
            labels=len(self.labels),
            start=self.start,
            **self.arcs._asdict(),
            final=self.final,
            origin=np.array(self.states, dtype=np.int64),
        )
        object.__setattr__(self, "core", core)
        object.__setattr__(self, "context", read_only_context(self.context))
        if self.tokens is None:
            return
        object.__setattr__(self, "tokens", tuple(self.tokens))
        if core.states and core.length != len(self.tokens):
            read = f"read {core.length}" if core.length >= 0 else "differ in how many they read"
            raise GraphError(
                f"every path must read one label per token, {len(self.tokens)} in all, but the paths {read}"
            )

    @classmethod
    def from_arcs(
        cls,
        arcs: Iterable[tuple[int, int, str | None, float]],
        *,
        labels: LabelSet | Iterable[str],
        start: int = 0,
        finals: Mapping[int, float] | Iterable[int],
        tokens: Sequence[Any] | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> GraphLattice:
        """Build from arcs (source, target, label, weight); label None is epsilon.

        Parameters
        ----------
        arcs : iterable of (int, int, str or None, float)
            States are numbers >= 0, in any order and with any gaps.
        labels : LabelSet or iterable of str
        start : int
        finals : mapping from state to score, or iterable of states
            Where a path may end.
        tokens : sequence, optional
            Then every path must read one label per token.
        context : mapping, optional

        Examples
        --------
        >>> loop = GraphLattice.from_arcs([(0, 0, "O", -1.0), (0, 7, "Name", 2.0)], labels=["O", "Name"], finals={7: 0.0})
        >>> loop.core.acyclic, loop.length
        (False, None)
        """
        names = labels if isinstance(labels, LabelSet) else LabelSet(labels)
        reader = ArcReader(names)
        for index, arc in enumerate(arcs):
            reader.add(index, arc)
        table, final = reader.finish(start, finals)
        states = tuple(reader.number)
        return cls(Arcs(*table), final, names, reader.number[start], states, tokens, context or {})

    @classmethod
    def from_nbest(
        cls,
        candidates: Iterable[tuple[Sequence[str], float]],
        *,
        labels: LabelSet | Iterable[str] | None = None,
        tokens: Sequence[Any] | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> GraphLattice:
        """Build from candidate label sequences with their scores: a trie. Of equal sequences the best counts.

        Examples
        --------
        >>> graph = GraphLattice.from_nbest([(["O", "Name"], -0.1), (["O", "O"], -2.3)])
        >>> graph.length, len(graph.arcs.label), graph.labels
        (2, 3, LabelSet(['O', 'Name']))
        """
        ranked = [
            (tuple(names), legal_score(score, "candidates", index, None))
            for index, (names, score) in enumerate(candidates)
        ]
        for index, (_, score) in enumerate(ranked):
            if _core.MOST_SCORE < abs(score) < np.inf:
                raise LargeScoreError(f"candidates[{index}]", score, abs(score), _core.MOST_SCORE)
        if not ranked:
            raise GraphError("an n-best list needs at least one candidate, got none")
        if labels is None:
            labels = dict.fromkeys(name for names, _ in ranked for name in names)
        trie: dict[tuple[int, str], int] = {}
        arcs: list[tuple[int, int, str | None, float]] = []
        finals: dict[int, float] = {}
        for names, score in ranked:
            state = 0
            for name in names:
                step = (state, name)
                if step not in trie:
                    trie[step] = len(trie) + 1
                    arcs.append((state, trie[step], name, 0.0))
                state = trie[step]
            finals[state] = max(score, finals.get(state, score))
        return cls.from_arcs(arcs, labels=labels, finals=finals, tokens=tokens, context=context)

    @classmethod
    def from_lattice(cls, lattice: Lattice) -> GraphLattice:
        """A trellis as a graph: a state for every position and label, and one to start from.

        Examples
        --------
        >>> GraphLattice.from_lattice(Lattice([[1.0, 0.0], [0.0, 2.0]])).core.best_path().labels
        [0, 1]
        """
        length, count = lattice.emissions.shape
        first = lattice.emissions[0] + (0.0 if lattice.start is None else lattice.start)
        transitions = np.zeros((count, count)) if lattice.transitions is None else lattice.transitions
        steps = np.broadcast_to(transitions, (length - 1, count, count)) + lattice.emissions[1:, None, :]
        state = 1 + np.arange(length * count).reshape(length, count)
        shape = steps.shape
        arcs = Arcs(
            np.concatenate([np.zeros(count), np.broadcast_to(state[:-1, :, None], shape).ravel()]).astype(
                np.int32
            ),
            np.concatenate([state[0], np.broadcast_to(state[1:, None, :], shape).ravel()]).astype(np.int32),
            np.tile(np.arange(count, dtype=np.int32), 1 + (length - 1) * count),
            np.concatenate([first, steps.ravel()]),
        )
        final = np.full(1 + length * count, -np.inf)
        final[state[-1]] = 0.0 if lattice.end is None else lattice.end
        return cls(arcs, final, lattice.labels, 0, range(len(final)), lattice.tokens, lattice.context)

    def __reduce__(self) -> tuple[Any, ...]:
        """As data: arcs, labels, tokens and context."""
        fields = (self.arcs, self.final, self.labels, self.start, self.states, self.tokens)
        return GraphLattice, (*fields, dict(self.context))

    @property
    def length(self) -> int | None:
        """The number of labels of every path; None if paths differ in it."""
        if self.tokens is not None:
            return len(self.tokens)
        return self.core.length if self.core.length >= 0 else None

    @property
    def longest(self) -> int:
        """The number of labels of every path, or of states: no path without a cycle passes one twice."""
        return len(self.states)

    def with_context(self, context: Mapping[str, Any]) -> GraphLattice:
        """The same graph and tokens with another context; the arcs are shared, not copied."""
        other = object.__new__(GraphLattice)
        for name in GraphLattice.__slots__:
            object.__setattr__(other, name, getattr(self, name))
        object.__setattr__(other, "context", read_only_context(context))
        return other

    def with_tokens(self, tokens: Sequence[Any]) -> GraphLattice:
        """The same graph and context with other tokens; every path must have as many labels."""
        return replace(self, tokens=tokens)

    def unscored(self) -> GraphLattice:
        """The same paths, each with the score 0: what is possible, whatever it is worth."""
        arcs = self.arcs._replace(weight=without_scores(self.arcs.weight))
        return replace(self, arcs=arcs, final=without_scores(self.final))

    def graph(self, *, keep_dead_ends: bool = False, limits: _core.Limits = UNLIMITED) -> _core.Graph:
        """The graph as the kernels take it; it has no dead ends."""
        return self.core

    def to_build(self) -> tuple[int, int]:
        """None: the graph is there already."""
        return 0, 0

    def magnitude(self) -> float:
        """No path without a cycle has scores that add up to more, signs ignored."""
        weights = np.abs(np.concatenate([self.arcs.weight, self.final]))
        return float(weights[np.isfinite(weights)].sum())

    def _refuse_large(self) -> None:
        weight, final = (
            np.where(np.isfinite(array), np.abs(array), 0.0) for array in (self.arcs.weight, self.final)
        )
        largest = final.copy()  # a path that passes no state twice leaves each by one arc, or ends there
        np.maximum.at(largest, self.arcs.source, weight)
        with np.errstate(over="ignore"):
            total = float(largest.sum())
        if total <= _core.MOST_SCORE:
            return
        arc, state = int(weight.argmax()) if len(weight) else 0, int(final.argmax())
        if len(weight) and weight[arc] >= final[state]:
            source, target = self.states[self.arcs.source[arc]], self.states[self.arcs.target[arc]]
            where, value = f"the weight of the arc from state {source} to {target}", self.arcs.weight[arc]
        else:
            where, value = f"the weight of ending in state {self.states[state]}", self.final[state]
        raise LargeScoreError(where, float(value), total, _core.MOST_SCORE)

    # --- one labelling --------------------------------------------------------------------------------------

    def terms(self, path: npt.NDArray[np.intp]) -> list[float]:
        """The weights along the best path that spells a labelling, given as indices in the label set."""
        best = np.full(len(self.states), -np.inf)
        best[self.start] = 0.0
        layers: list[Ints] = []  # the arc by which each state is reached best, or -1 if it was reached before
        best = self._best_through_epsilons(best, layers)
        for label in path.tolist():
            best = self._best_through_epsilons(self._best_after(best, label, layers), layers)
        ends = np.where(self.final > -np.inf, best, -np.inf) + self.final
        state = int(ends.argmax())
        if ends[state] == np.inf:
            raise UnboundedError([self.states[s] for s in np.flatnonzero(best == np.inf).tolist()], np.inf)
        if ends[state] == -np.inf:
            return [-np.inf]
        terms = [float(self.final[state])]
        for layer in reversed(layers):
            if (arc := int(layer[state])) >= 0:
                terms.append(float(self.arcs.weight[arc]))
                state = int(self.arcs.source[arc])
        return terms[::-1]

    def find_block(self, labels: Sequence[str]) -> Block | None:
        """The first position at which no path goes on with the labels; None if they are one of its paths."""
        reached = np.zeros(len(self.states), dtype=np.bool_)
        reached[self.start] = True
        reached = self._reached_through_epsilons(reached)
        for t, label in enumerate(self.labels.encode(labels)):
            reached = self._reached_through_epsilons(self._reached_after(reached, label))
            if not reached.any():
                return Block(t, f"{labels[t]!r} at token {t}, after the labels before it")
        if not (self.final[reached] > -np.inf).any():
            return Block(len(labels), "an end after these labels")
        return None

    def _reached_after(self, reached: npt.NDArray[np.bool_], label: int) -> npt.NDArray[np.bool_]:
        arcs = self.arcs
        after = np.zeros_like(reached)
        after[arcs.target[(arcs.label == label) & (arcs.weight > -np.inf) & reached[arcs.source]]] = True
        return after

    def _reached_through_epsilons(self, reached: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        while (further := reached | self._reached_after(reached, -1)).sum() > reached.sum():
            reached = further
        return reached

    def _best_after(self, best: Floats, label: int, layers: list[Ints]) -> Floats:
        """Best scores after one arc with this label; the arcs are a new layer."""
        arcs = self.arcs
        chosen = np.flatnonzero(
            (arcs.label == label) & (arcs.weight > -np.inf) & (best[arcs.source] > -np.inf)
        )
        target, reached = arcs.target[chosen], best[arcs.source[chosen]] + arcs.weight[chosen]
        after = np.full_like(best, -np.inf)
        np.maximum.at(after, target, reached)
        layer = np.full(len(best), -1, dtype=np.int32)
        winners = reached == after[target]
        layer[target[winners]] = chosen[winners]
        layers.append(layer)
        return after

    def _best_through_epsilons(self, best: Floats, layers: list[Ints]) -> Floats:
        """Best scores after any number of epsilon arcs; +inf behind a cycle of them that gains."""
        if not (self.arcs.label == -1).any():
            return best
        states = len(best)
        size = np.where(
            np.isfinite(best), np.abs(best), 0.0
        )  # of all that was added up; rounding is relative to it
        for round_ in range(2 * states):
            after = self._best_after(best, -1, layers)
            layer = layers[-1]
            longer = size[self.arcs.source[layer]] + np.abs(self.arcs.weight[layer])
            # A path without a cycle has fewer arcs than there are states: what still grows then is a cycle that
            # gains, unless it is only rounding that does.
            rounding = UNIT * (2 * round_ + 4) * longer if round_ >= states else 0.0
            grows = (after > -np.inf) & (after - rounding > best)
            layer[~grows] = -1
            if not grows.any():
                break
            size = np.where(grows, longer, size)
            best = np.where(grows, np.inf if round_ >= states else after, best)
        return best

    def __repr__(self) -> str:
        return (
            f"GraphLattice({len(self.states)} states, {len(self.arcs.label)} arcs, {len(self.labels)} labels)"
        )


def as_graph(lattice: AnyLattice) -> GraphLattice:
    """A lattice of any kind with its arcs as arrays.

    Examples
    --------
    >>> as_graph(Lattice([[1.0, 0.0], [0.0, 2.0]]))
    GraphLattice(5 states, 6 arcs, 2 labels)
    """
    if isinstance(lattice, GraphLattice):
        return lattice
    if isinstance(lattice, Lattice):
        return GraphLattice.from_lattice(lattice)
    if isinstance(lattice, TagLattice):
        columns = GraphLattice.from_lattice(lattice.spread())
        arcs = columns.arcs._replace(label=lattice.columns.label_of[columns.arcs.label])
        return replace(columns, arcs=arcs, labels=lattice.labels)
    whole: Callable[[], GraphLattice] | None = getattr(
        lattice, "whole", None
    )  # of segments, which this module cannot know
    if whole is not None:
        return whole()
    raise GraphError(f"the arcs of a {lattice.kind} are not known")
