"""Sums over all legal labellings of a corpus: log-partitions, and the expectations that their gradients are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lawful.lattice.arrays import Floats
from lawful.learning.likelihood.legal_paths import Ints, LegalPaths

__all__ = ["Expectations", "LegalCorpus"]


class Expectations(NamedTuple):
    """What a corpus gives on average under a distribution over legal labellings.

    Attributes
    ----------
    log_partition : float
        The sum over sequences.
    labels : (M, K)
        The probability of each label at each position.
    edges : (K, K)
        How often two labels stand side by side.
    violations : (G,)
        How often each price is paid.
    """

    log_partition: float
    labels: Floats
    edges: Floats
    violations: Floats


@dataclass(frozen=True, eq=False)
class _Layer:
    """The arcs of one position in all sequences, by their targets."""

    source: Ints  # nodes of the layer before
    cell: Ints  # position * K + label
    edge: Ints  # label before * K + label; -1 at the first position
    counts: Floats
    segment: Ints  # target of each arc, ascending from 0 without gaps
    first: Ints  # the first arc of each target
    sequence: Ints
    by_source: Ints  # the same arcs in the order of their sources
    goes_on: Ints  # the nodes of the layer before that have arcs, ascending
    first_by_source: Ints
    ends: Ints  # nodes of this layer where a sequence ends
    end_sequence: Ints
    end_counts: Floats


class LegalCorpus:
    """The legal paths of many sequences, walked through all at once, one position a step.

    Parameters
    ----------
    paths : sequence of LegalPaths
        None of them empty.
    labels : int

    Examples
    --------
    >>> from lawful.learning.likelihood.legal_paths import find_legal_paths
    >>> corpus = LegalCorpus([find_legal_paths(2, 3, 0, [])], 3)
    >>> found = corpus.expect(np.zeros((2, 3)), np.zeros((3, 3)), np.zeros(3), np.zeros(3), np.zeros(0))
    >>> round(float(np.exp(found.log_partition)), 6), found.edges.round(3).tolist()[0]
    (9.0, [0.111, 0.111, 0.111])
    """

    def __init__(self, paths: Sequence[LegalPaths], labels: int) -> None:
        self.labels, self.sequences = labels, len(paths)
        lengths = np.array([len(legal.levels) for legal in paths])
        starts = np.concatenate([[0], np.cumsum(lengths)])
        self.positions = int(starts[-1])
        self.first_positions, self.last_positions = starts[:-1], starts[1:] - 1
        self._layers = [self._layer(paths, starts, depth) for depth in range(int(lengths.max()))]

    def _layer(self, paths: Sequence[LegalPaths], starts: Ints, depth: int) -> _Layer:
        source, target, cell, edge, counts, sequence = [], [], [], [], [], []
        ends, end_sequence, end_counts = [], [], []
        nodes_before = nodes = 0
        for number, legal in enumerate(paths):
            if depth < len(legal.levels):
                level = legal.levels[depth]
                source.append(level.source + nodes_before)
                target.append(level.target + nodes)
                cell.append((starts[number] + depth) * self.labels + level.label)
                before = legal.levels[depth - 1].node_labels[level.source] if depth else None
                edge.append(
                    np.full(len(level.label), -1) if before is None else before * self.labels + level.label
                )
                counts.append(level.counts)
                sequence.append(np.full(len(level.label), number))
                if depth == len(legal.levels) - 1:
                    ends.append(nodes + np.arange(len(level.node_labels)))
                    end_sequence.append(np.full(len(level.node_labels), number))
                    end_counts.append(legal.final)
                nodes += len(level.node_labels)
            if depth - 1 < len(legal.levels):
                nodes_before += len(legal.levels[depth - 1].node_labels) if depth else 1
        prices = paths[0].final.shape[1]
        order = np.argsort(np.concatenate(target), kind="stable")
        src, seg = np.concatenate(source)[order], np.concatenate(target)[order]
        by_source = np.argsort(src, kind="stable")
        return _Layer(
            source=src,
            cell=np.concatenate(cell)[order],
            edge=np.concatenate(edge)[order],
            counts=np.concatenate(counts)[order],
            segment=seg,
            first=np.flatnonzero(np.diff(seg, prepend=-1)),
            sequence=np.concatenate(sequence)[order],
            by_source=by_source,
            goes_on=np.unique(src),
            first_by_source=np.flatnonzero(np.diff(src[by_source], prepend=-1)),
            ends=np.concatenate([*ends, np.zeros(0, dtype=np.int64)]).astype(np.int64),
            end_sequence=np.concatenate([*end_sequence, np.zeros(0, dtype=np.int64)]).astype(np.int64),
            end_counts=np.concatenate([*end_counts, np.zeros((0, prices))]),
        )

    def expect(
        self, emissions: Floats, edges: Floats, first: Floats, last: Floats, prices: Floats
    ) -> Expectations:
        """The log-partition and its derivatives.

        Parameters
        ----------
        emissions : (M, K)
        edges : (K, K)
        first, last : (K,)
            Scores of the first and the last label of a sequence.
        prices : (G,)
        """
        cells = emissions.copy()
        cells[self.first_positions] += first
        cells[self.last_positions] += last
        flat, steps = cells.ravel(), np.append(edges.ravel(), 0.0)  # the last one is for edge -1
        scores, alphas = [], [np.zeros(self.sequences)]
        for layer in self._layers:
            score = flat[layer.cell] + steps[layer.edge] - layer.counts @ prices
            scores.append(score)
            alphas.append(_sum_segments(alphas[-1][layer.source] + score, layer.first, layer.segment))
        totals = self._totals(alphas, prices)
        labels, pairs = np.zeros(flat.size), np.zeros(steps.size)
        violations = np.zeros(len(prices))
        beta = np.zeros(0)
        for layer, score, before, after in zip(
            self._layers[::-1], scores[::-1], alphas[-2::-1], alphas[:0:-1], strict=True
        ):
            here = np.full(len(after), -np.inf)
            here[: len(beta)] = beta
            ending = -(layer.end_counts @ prices)
            here[layer.ends] = ending
            arrive = score + here[layer.segment]
            chance = np.exp(before[layer.source] + arrive - totals[layer.sequence])
            labels += np.bincount(layer.cell, chance, len(labels))
            pairs += np.bincount(layer.edge % len(pairs), chance, len(pairs))
            violations += chance @ layer.counts
            at_end = np.exp(after[layer.ends] + ending - totals[layer.end_sequence])
            violations += at_end @ layer.end_counts
            beta = np.full(len(before), -np.inf)
            ordered = arrive[layer.by_source]
            segment = np.repeat(
                np.arange(len(layer.goes_on)), np.diff(np.append(layer.first_by_source, len(ordered)))
            )
            beta[layer.goes_on] = _sum_segments(ordered, layer.first_by_source, segment)
        shape = (self.labels, self.labels)
        return Expectations(
            float(totals.sum()), labels.reshape(-1, self.labels), pairs[:-1].reshape(shape), violations
        )

    def _totals(self, alphas: list[Floats], prices: Floats) -> Floats:
        """(N,): the log-partition of each sequence."""
        totals = np.full(self.sequences, -np.inf)
        for layer, alpha in zip(self._layers, alphas[1:], strict=True):
            if len(layer.ends):
                values = alpha[layer.ends] - layer.end_counts @ prices
                first = np.flatnonzero(np.diff(layer.end_sequence, prepend=-1))
                segment = np.cumsum(np.diff(layer.end_sequence, prepend=-1) != 0) - 1
                totals[layer.end_sequence[first]] = _sum_segments(values, first, segment)
        return totals


def _sum_segments(values: Floats, first: Ints, segment: Ints) -> Floats:
    """The log of the sum of exp within each segment; a segment begins at each place of `first`."""
    highest = np.maximum.reduceat(values, first)
    sums: Floats = highest + np.log(np.add.reduceat(np.exp(values - highest[segment]), first))
    return sums
