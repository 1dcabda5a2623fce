"""The maximum entropy Markov model.

It is trained as a classifier of single tokens that have the label before them as one more attribute.
With K labels, A attributes and P attributes that fire together with the label before, a token has the ids: its own below A;
A + j after label j, A + K if it is the first; and A + K + 1 + K p + j for attribute p after label j. Weights then stand in
the order that a CRF's layout has: state features, transitions, first labels, transition features.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.decoding import Decoder
from lawful.labels import LabelSet
from lawful.lattice import Lattice, Transitions
from lawful.lattice.arrays import Floats
from lawful.models.features.attribute_sequences import AttributeSequences
from lawful.models.linear.fitting import AttributeCorpus
from lawful.models.linear.outputs import Outputs
from lawful.models.linear.scoring import Scorer
from lawful.models.linear.weights import Weights
from lawful.models.maxent import MaxEnt, log_softmax

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["MEMM", "StepScorer", "as_chain", "log_normalisers", "with_label_before"]

Ids = npt.NDArray[np.int32]
LEAST = -575.0  # logs of sums of factors above this lack nothing that would count


class MEMM(MaxEnt):
    """A MEMM (McCallum, Freitag & Pereira 2000): the product of p(y_t | y_t-1, x, t), each a softmax of its own.

    A label's score at a token is that of its attributes, plus that of the label before, plus that of transition features
    with both. Training uses the gold label before each token; decoding finds the best sequence. The paths of
    its lattices score log-probabilities. With transition features, `transitions` (T-1, K, K) are those of each step; without them
    all positions share one matrix, and what makes the steps from a label sum to one is part of that label's emission.

    Parameters
    ----------
    features : Features, optional
        Templates. If not given: `default_features` for tokens that are strings or tuples (their text first); lists of
        attributes and dicts of values are taken as they are.
    transition_features : Features, optional
        Templates whose attributes fire together with the label before.
    algorithm, c1, c2, all_states, min_count, max_iterations, tolerance, memory, jobs, seed, verbose
        As those of `MaxEnt`. `all_states` is for transitions too.

    Examples
    --------
    >>> X = [[["w=the"], ["w=dog"]], [["w=a"], ["w=dog"]], [["w=dog"]]]
    >>> model = MEMM(c2=0.1).fit(X, [["D", "N"], ["D", "N"], ["N"]])
    >>> model.predict([[["w=a"], ["w=cat"]]])
    [['D', 'N']]
    >>> import math
    >>> from lawful.lattice import path_score
    >>> lattice = model.lattice([["w=a"], ["w=cat"]])
    >>> round(sum(math.exp(path_score(lattice, [a, b])) for a in "DN" for b in "DN"), 9)
    1.0
    """

    kind = "memm"
    feature_parameters = ("features", "transition_features")

    def __init__(
        self,
        features: Features | None = None,
        *,
        transition_features: Features | None = None,
        algorithm: str = "lbfgs",
        c1: float = 0.0,
        c2: float = 1.0,
        all_states: bool = False,
        min_count: float = 0.0,
        max_iterations: int | None = None,
        tolerance: float = 1e-5,
        memory: int = 6,
        jobs: int | None = None,
        seed: int = 0,
        verbose: bool = False,
    ) -> None:
        super().__init__(
            features,
            algorithm=algorithm,
            c1=c1,
            c2=c2,
            all_states=all_states,
            min_count=min_count,
            max_iterations=max_iterations,
            tolerance=tolerance,
            memory=memory,
            jobs=jobs,
            seed=seed,
            verbose=verbose,
        )
        self.transition_features = transition_features

    def _examples(self, corpus: AttributeCorpus, gold: Ids, labels: LabelSet) -> AttributeCorpus:
        tokens = with_label_before(corpus, gold, len(labels))
        return AttributeCorpus(None, corpus.tokens, corpus.attribute_map, tokens, None, None)

    def _as_chain(self, weights: Weights, corpus: AttributeCorpus) -> Weights:
        pairs = 0 if corpus.pair_map is None else corpus.pair_map.size
        layout = as_chain(weights.layout, weights.outputs, corpus.attribute_map.size, pairs)
        return Weights(weights.outputs, corpus.attribute_map, corpus.pair_map, layout, weights.values)

    def _scored_by(self, labels: LabelSet, weights: Weights) -> Scorer:
        return StepScorer(labels, weights)


class StepScorer(Scorer):
    """Lattices whose paths score log p(y_0 | x) + sum over t of log p(y_t | y_t-1, x, t).

    Without pair features, log p(k | j, x, t) = s(t, k) + e(j, k) - z(t, j): the normaliser depends on the label before only, so it
    goes to the emission of that label, and all positions share the transitions e. With them, steps are matrices (T-1, K, K).
    """

    def _lattices(self, chunk: list[Sequence[Any]], jobs: int) -> Iterator[Lattice]:
        data, pairs, offsets = self._extract(chunk, jobs)
        layout, values = self.weights.layout, self.weights.values
        scores = _core.linear_emissions(layout, values, data, threads=jobs)
        first = offsets[:-1][np.diff(offsets) > 0]
        starts = log_softmax(scores[first] + (0.0 if self.first is None else self.first))
        steps: Transitions | Floats = self.transitions
        if pairs is None:
            normalisers = log_normalisers(scores, np.asarray(self.transitions.scores))
            scores[first] = starts
            scores[:-1] -= normalisers[1:]
            scores[first[1:] - 1] += normalisers[first[1:]]  # nothing follows the last token of a sequence
        for number, (tokens, (start, end)) in enumerate(zip(chunk, pairwise(offsets.tolist()), strict=True)):
            emissions = scores[start:end]
            if pairs is not None:
                emissions = np.zeros((end - start, len(self.labels)))
                emissions[:1] = starts[np.searchsorted(first, start)]
                before = _core.linear_steps(layout, values, pairs, number)
                steps = log_softmax(before + scores[start + 1 : end, None, :])
            yield Lattice(emissions, steps if end - start > 1 else None, labels=self.labels, tokens=tokens)

    def tag(self, X: Sequence[Sequence[Any]], *, jobs: int) -> list[list[str]]:
        """The best labels of each sequence, without rules."""
        lattices = self.lattices(filter(len, X), jobs=jobs)
        labellings = iter(Decoder(labels=self.labels).decode_batch(lattices, jobs=jobs).labels)
        return [list(next(labellings)) if len(tokens) else [] for tokens in X]

    def marginals(self, X: Sequence[Sequence[Any]], *, jobs: int) -> list[Floats]:
        """The probability of each label at each position (T, K), without rules."""
        decoder, lattices = Decoder(labels=self.labels), iter(self.lattices(filter(len, X), jobs=jobs))
        nothing = np.zeros((0, len(self.labels)))
        return [decoder.marginals(next(lattices)).labels if len(tokens) else nothing for tokens in X]


def log_normalisers(scores: Floats, edges: Floats) -> Floats:
    """(T, K): the log of the sum over k of exp(scores[t, k] + edges[j, k]), as one product of matrices.

    Examples
    --------
    >>> log_normalisers(np.array([[0.0, 800.0]]), np.array([[0.0, 0.0], [0.0, -1600.0]])).tolist()
    [[800.0, 0.0]]
    """
    most, of_edges = scores.max(axis=1, keepdims=True), edges.max(axis=1)
    with np.errstate(divide="ignore"):
        sums = np.log(np.exp(scores - most) @ np.exp(edges - of_edges[:, None]).T)
    normalisers: Floats = sums + most + of_edges
    # Where nearly all of a sum is lost, its terms are too far apart for products of factors.
    for t, j in np.argwhere(sums < LEAST).tolist():
        terms = scores[t] + edges[j]
        normalisers[t, j] = terms.max() + np.log(np.exp(terms - terms.max()).sum())
    return normalisers


def with_label_before(corpus: AttributeCorpus, gold: Ids, labels: int) -> AttributeSequences:
    """Every token as a sequence of its own, with ids for the label before it.

    Examples
    --------
    >>> corpus = AttributeCorpus.read(None, [[["a"], ["b"]]], [None], None)
    >>> with_label_before(corpus, np.array([1, 0], dtype=np.int32), 2).attributes.tolist()  # 0: a, 1: b, 3: after 1, 4: first
    [0, 4, 1, 3]
    """
    sequences, pairs = corpus.sequences, corpus.pairs
    tokens = sequences.positions
    first = sequences.sequence_offsets[:-1]
    before = np.empty(tokens, dtype=np.int64)
    before[1:], before[first] = (
        gold[:-1],
        labels,
    )  # the first token of a sequence comes after the pseudo-label K
    occurrences: list[tuple[npt.NDArray[Any], npt.NDArray[Any], Floats | None]] = [
        (np.arange(tokens).repeat(np.diff(sequences.item_offsets)), sequences.attributes, sequences.values)
    ]
    occurrences.append((np.arange(tokens), sequences.size + before, None))
    size = sequences.size + labels + 1
    if pairs is not None:
        where = np.arange(tokens).repeat(np.diff(pairs.item_offsets))
        inside = before[where] < labels  # a first token has no pair of labels
        ids = size + pairs.attributes.astype(np.int64) * labels + before[where]
        occurrences.append(
            (where[inside], ids[inside], None if pairs.values is None else pairs.values[inside])
        )
        size += pairs.size * labels
    where = np.concatenate([positions for positions, _, _ in occurrences])
    order = np.argsort(where, kind="stable")
    values = None
    if any(values is not None for _, _, values in occurrences):
        pieces = [np.ones(len(ids)) if values is None else values for _, ids, values in occurrences]
        values = np.concatenate(pieces)[order]
    return AttributeSequences(
        np.arange(tokens + 1),
        np.concatenate([[0], np.cumsum(np.bincount(where, minlength=tokens))]),
        np.concatenate([ids for _, ids, _ in occurrences])[order],
        values,
        size,
    )


def as_chain(layout: _core.LinearLayout, outputs: Outputs, attributes: int, pairs: int) -> _core.LinearLayout:
    """The layout of a chain that has its weights in the order of such a classifier."""
    labels = layout.labels
    offsets, outputs_of_weights = layout.state_offsets, layout.state_outputs
    edges, start, rest = (int(offsets[attributes + n]) for n in (0, labels, labels + 1))
    ids = np.arange(len(offsets) - 1).repeat(np.diff(offsets))
    nothing = np.zeros(0, dtype=np.int32)
    pair_ids = ids[rest:] - (attributes + labels + 1)
    counts = np.bincount(pair_ids // labels, minlength=pairs)
    return _core.LinearLayout(
        labels,
        outputs.offsets,
        outputs.items,
        offsets[: attributes + 1],
        outputs_of_weights[:edges],
        (ids[edges:start] - attributes).astype(np.int32),
        outputs_of_weights[edges:start],
        outputs_of_weights[start:rest],
        nothing,
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        (pair_ids % labels).astype(np.int32),
        outputs_of_weights[rest:],
    )
