"""The constrained likelihood of a labelled corpus and its gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lawful import _core
from lawful.labels import LabelSet
from lawful.lattice.arrays import Floats
from lawful.learning.likelihood.legal_corpus import LegalCorpus
from lawful.learning.prices.learned_prices import LearnedPrices
from lawful.models.crf import CRF
from lawful.models.linear.attributes import core_sequences
from lawful.models.linear.fitting import read_features
from lawful.models.linear.weights import Weights
from lawful.support.extras import require

__all__ = ["Likelihood"]


class Likelihood:
    """Minus the log of the probability of gold labels among legal ones, with penalties: a function of (weights, prices).

    Its gradient is what the features (and prices) count on average over legal labellings, minus what they count in
    the gold ones.

    Attributes
    ----------
    weights : int
        How many of the parameters are weights; learned prices follow.
    size : int
        How many parameters there are.
    """

    def __init__(
        self,
        crf: CRF,
        tokens: Sequence[Sequence[Any]],
        gold: Sequence[Sequence[str]],
        labels: LabelSet,
        corpus: LegalCorpus,
        prices: LearnedPrices,
        fixed: Sequence[float],
        price_penalty: float,
    ) -> None:
        self.crf, self.labels, self.corpus, self.prices = crf, labels, corpus, prices
        self._fixed, self._price_penalty = np.array(fixed, dtype=np.float64), price_penalty
        paths = [np.array(labels.encode(labelling), dtype=np.int32) for labelling in gold]
        read, self._start, self._observed = read_features(crf, tokens, np.concatenate(paths), labels)
        outputs = self._start.outputs
        self._gold_violations = np.sum(
            [prices.violations(number, path) for number, path in enumerate(paths)], axis=0
        )
        # What the gold labels pay at fixed prices is a constant: it is left out of the objective.
        self._data = core_sequences(read.sequences)
        self._parts, self._layout = self._start.slices(), self._start.layout
        sparse = require("constrained likelihood", "scipy.sparse", "likelihood")
        sequences = read.sequences
        values = np.ones(len(sequences.attributes)) if sequences.values is None else sequences.values
        self._by_attribute = sparse.csr_matrix(
            (values, sequences.attributes, sequences.item_offsets), (sequences.positions, sequences.size)
        ).T.tocsr()
        self._members = np.zeros((len(labels), len(outputs.names)))
        for number, members in enumerate(outputs.members):
            self._members[list(members), number] = 1.0
        self._attributes = np.repeat(
            np.arange(len(self._layout.state_offsets) - 1), np.diff(self._layout.state_offsets)
        )
        self.weights = self._layout.size
        self.size = self.weights + len(prices.names)

    def value_and_gradient(self, parameters: Floats) -> tuple[float, Floats]:
        """The objective and its gradient (size,) at weights and prices (size,)."""
        weights, learned = parameters[: self.weights], parameters[self.weights :]
        weights = np.ascontiguousarray(weights)
        emissions = _core.linear_emissions(self._layout, weights, self._data, threads=1)
        edges, first, last = _core.linear_transitions(self._layout, weights)
        expectations = self.corpus.expect(
            emissions, edges, first, last, np.concatenate([learned, self._fixed])
        )
        value = expectations.log_partition - weights @ self._observed + learned @ self._gold_violations
        value += self.crf.c2 * (weights @ weights) + self._price_penalty * (learned @ learned)
        gradient = np.empty(self.size)
        gradient[: self.weights] = self._expected(expectations.labels, expectations.edges) - self._observed
        gradient[: self.weights] += 2 * self.crf.c2 * weights
        gradient[self.weights :] = self._gold_violations - expectations.violations[: len(learned)]
        gradient[self.weights :] += 2 * self._price_penalty * learned
        return float(value), gradient

    def _expected(self, labels: Floats, edges: Floats) -> Floats:
        """(F,): how often each feature fires on average."""
        layout, parts, members = self._layout, self._parts, self._members
        by_output = labels @ members
        counts = np.zeros(self.weights)
        counts[parts["state"]] = (self._by_attribute @ by_output)[self._attributes, layout.state_outputs]
        counts[parts["edges"]] = (members.T @ edges @ members)[layout.edge_sources, layout.edge_targets]
        firsts = by_output[self.corpus.first_positions].sum(axis=0)
        lasts = by_output[self.corpus.last_positions].sum(axis=0)
        counts[parts["first"]] = firsts[layout.first_outputs]
        counts[parts["last"]] = lasts[layout.last_outputs]
        return counts

    def into_model(self, weights: Floats, objective: float) -> CRF:
        """A fitted CRF with these weights."""
        now, model = self._start, self.crf.unfitted()
        model.history_, model.objective_ = [], objective
        return model._set(
            Weights(now.outputs, now.attribute_map, now.pair_map, now.layout, np.array(weights)), self.labels
        )
