"""General weighted graphs over labels: n-best lists, word lattices, segments, even cyclic ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import GraphError
from lawful.labels import LabelSet
from lawful.lattice.arcs import ArcReader, legal_score
from lawful.lattice.arrays import Floats
from lawful.lattice.trellis import Lattice, read_only_context

__all__ = ["Arcs", "GraphLattice"]

Ints = npt.NDArray[np.int32]


class Arcs(NamedTuple):
    """The arcs of a graph, one an entry. States are counted from 0; label -1 is epsilon."""

    source: Ints
    target: Ints
    label: Ints
    weight: Floats


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GraphLattice:
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

    arcs: Arcs
    final: Floats
    labels: LabelSet
    start: int
    states: Sequence[int]
    tokens: Sequence[Any] | None = None
    context: Mapping[str, Any] = field(default_factory=dict)
    core: _core.Graph = field(init=False)

    def __post_init__(self) -> None:
        for array in (*self.arcs, self.final):
            array.setflags(write=False)
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
                f"every path must read one label a token, {len(self.tokens)} in all, but the paths {read}"
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
            Then every path must read one label a token.
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

    @property
    def length(self) -> int | None:
        """The number of labels of every path; None if paths differ in it."""
        if self.tokens is not None:
            return len(self.tokens)
        return self.core.length if self.core.length >= 0 else None

    def __repr__(self) -> str:
        return (
            f"GraphLattice({len(self.states)} states, {len(self.arcs.label)} arcs, {len(self.labels)} labels)"
        )
