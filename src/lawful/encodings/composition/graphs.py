"""A lattice of tags composed with an encoding as a graph over canonical labels: the way for any encoding."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from lawful.automata.transducers.transducer import Symbol
from lawful.encodings.encoding import Encoding
from lawful.encodings.symbols import FeatureSymbol, matches
from lawful.labels import LabelSet
from lawful.lattice import GraphLattice, Lattice
from lawful.lattice.arrays import Floats
from lawful.lattice.graph import Arcs

__all__ = ["ComposedGraphs"]

NOTHING = -1  # no tag has been written yet


class _Step(NamedTuple):
    """Reading one label in a state of the encoding, after a tag: from and to are pairs of both, by number."""

    source: int
    target: int
    label: int
    symbol: Symbol
    offset: int
    after: int
    output: tuple[int, ...]


class _Ending(NamedTuple):
    state: int
    offset: int
    after: int
    output: tuple[int, ...]


class ComposedGraphs:
    """Makes graphs over canonical labels from trellises over the tags of an encoding.

    A path reads the labels of one sequence, one per token, and has the score of its tags.
    """

    def __init__(self, encoding: Encoding, tags: LabelSet) -> None:
        self.encoding, self.tags = encoding, tags
        self._states: dict[tuple[int, int], int] = {(0, NOTHING): 0}
        self._steps = list(self._all_steps())
        self._endings = list(self._all_endings())

    def _all_steps(self) -> Iterator[_Step]:
        """Every arc of the transducer after every tag that can stand before it."""
        encoding = self.encoding
        for (state, after), source in (queue := _Growing(self._states)):
            for arcs in encoding.transducer.steps[state].values():
                for arc in arcs:
                    output = self._by_index(arc.output)
                    if output is None:
                        continue
                    target = queue.number((arc.target, output[-1] if output else after))
                    label = arc.input.label if isinstance(arc.input, FeatureSymbol) else str(arc.input)
                    yield _Step(
                        source,
                        target,
                        encoding.labels.index(label),
                        arc.input,
                        encoding.offsets[state],
                        after,
                        output,
                    )

    def _all_endings(self) -> Iterator[_Ending]:
        for (state, after), number in self._states.items():
            for ending in self.encoding.transducer.endings_of.get(state, ()):
                output = self._by_index(ending.output)
                if output is not None:
                    yield _Ending(number, self.encoding.offsets[state], after, output)

    def _by_index(self, output: Sequence[Symbol]) -> tuple[int, ...] | None:
        """The indices of tags; None if the lattices lack one of them."""
        names = list(map(str, output))
        return self.tags.encode(names) if all(name in self.tags for name in names) else None

    def __call__(self, trellis: Lattice) -> GraphLattice:
        """The lattice over canonical labels."""
        length, count = trellis.length, len(self._states)
        attributes = self.encoding.attributes_of(trellis.tokens, length)
        times = np.arange(length)
        columns: list[tuple[Any, ...]] = []
        for step in self._steps:
            weights = _score(trellis, times - step.offset, step.after, step.output)
            weights[~_allowed(step, self.encoding.labels, attributes)] = -np.inf
            kept = np.flatnonzero(weights > -np.inf)
            sources, targets = kept * count + step.source, (kept + 1) * count + step.target
            columns.append((sources, targets, np.full(len(kept), step.label), weights[kept]))
        final = np.full((length + 1) * count, -np.inf)
        for ending in self._endings:
            at = length * count + ending.state
            final[at] = max(final[at], _score_ending(trellis, ending))
        source, target, label, weight = (np.concatenate(column) for column in zip(*columns, strict=True))
        arcs = Arcs(
            source.astype(np.int32),
            target.astype(np.int32),
            label.astype(np.int32),
            weight.astype(np.float64),
        )
        return GraphLattice(
            arcs, final, self.encoding.labels, 0, range(len(final)), trellis.tokens, trellis.context
        )


class _Growing:
    """The pairs of states that have been met, in order, while new ones are met."""

    def __init__(self, numbers: dict[tuple[int, int], int]) -> None:
        self._numbers, self._queue = numbers, list(numbers)

    def number(self, pair: tuple[int, int]) -> int:
        if pair not in self._numbers:
            self._numbers[pair] = len(self._numbers)
            self._queue.append(pair)
        return self._numbers[pair]

    def __iter__(self) -> Iterator[tuple[tuple[int, int], int]]:
        for pair in self._queue:  # grows inside the loop
            yield pair, self._numbers[pair]


def _allowed(step: _Step, labels: LabelSet, attributes: Sequence[Collection[str]]) -> np.ndarray:
    if not isinstance(step.symbol, FeatureSymbol):
        return np.ones(len(attributes), dtype=np.bool_)
    return np.array([matches(step.symbol, labels[step.label], of_token) for of_token in attributes])


def _score(trellis: Lattice, positions: np.ndarray, after: int, output: tuple[int, ...]) -> Floats:
    """What it scores to write tags from each position on; -inf where they do not fit."""
    scores = np.zeros(len(positions))
    for tag in output:
        fits = (positions >= 0) & (positions < trellis.length)
        fits &= (positions == 0) == (after == NOTHING)
        at = positions[fits]
        scores[~fits] = -np.inf
        scores[fits] += trellis.emissions[at, tag]
        if after != NOTHING:
            scores[fits] += _transition(trellis, at, after, tag)
        elif trellis.start is not None:
            scores[fits] += trellis.start[tag]
        after, positions = tag, positions + 1
    return scores


def _transition(trellis: Lattice, positions: np.ndarray, before: int, after: int) -> Any:
    transitions = trellis.transitions
    if transitions is None:
        return 0.0
    return transitions[before, after] if transitions.ndim == 2 else transitions[positions - 1, before, after]


def _score_ending(trellis: Lattice, ending: _Ending) -> float:
    position = trellis.length - ending.offset
    if position + len(ending.output) != trellis.length:
        return -np.inf
    score = float(_score(trellis, np.array([position]), ending.after, ending.output)[0])
    last = ending.output[-1] if ending.output else ending.after
    return score + (float(trellis.end[last]) if trellis.end is not None and last != NOTHING else 0.0)
