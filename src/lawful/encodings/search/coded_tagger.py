"""Trying encodings by codes: attributes are extracted once, and the model of a bit is trained once."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.encodings.codes import BITS, Coded, prefix_code
from lawful.encodings.encoding import Encoding
from lawful.encodings.search.counted_tagger import seen_tags
from lawful.encodings.search.encodable import EncodableCorpus, Labelled
from lawful.encodings.search.flat_decoding import TagScores, best_labels
from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice.arrays import Floats
from lawful.models.base.estimator import SequenceModel
from lawful.models.crf import CRF
from lawful.models.linear.attributes import core_sequences

__all__ = ["CodedTagger", "can_be_coded"]


def can_be_coded(model: SequenceModel) -> bool:
    """Whether a model of bits is a CRF whose scores are those of attributes and one matrix of transitions."""
    return type(model) is CRF and model.transition_features is None and not model.warm_start


class _BitScores(NamedTuple):
    """What the model of one bit says of the held-out data."""

    labels: tuple[str, ...]
    emissions: Floats
    transitions: Floats
    start: Floats
    end: Floats


class CodedTagger:
    """Trains `Coded` CRFs in one encoding after another, and labels held-out data; the same as `Encoded` would.

    Attributes
    ----------
    trained, reused : int
        How many binary models were trained, and how often one was there already.
    training_seconds : float
        CPU time of training them.

    Examples
    --------
    >>> from lawful.encodings import history_encoding
    >>> data = Labelled([["a", "b"]], [["A", "B"]])
    >>> tagger = CodedTagger(Coded(CRF()), data, data)
    >>> tagger.predict(history_encoding(["A", "B"], 1)), tagger.predict(history_encoding(["A", "B"], 1))
    ([['A', 'B']], [['A', 'B']])
    >>> tagger.trained, tagger.reused
    (2, 2)
    """

    def __init__(self, model: Coded, train: Labelled, held_out: Labelled) -> None:
        if not isinstance(model.model, CRF):
            raise InputError(f"bits must be those of a CRF, not of {type(model.model).__name__}")
        self.model = model.model
        self.train = EncodableCorpus(train.tokens, train.labels)
        self.held_out = EncodableCorpus(held_out.tokens, held_out.labels)
        self._corpus = self.model.read(train.tokens)
        self._asked = core_sequences(self._corpus.attribute_map.extract(held_out.tokens))
        self._bits: dict[
            bytes, _BitScores
        ] = {}  # by the labels themselves: no two can be taken for each other
        self.trained = self.reused = 0
        self.training_seconds = 0.0

    def predict(self, encoding: Encoding) -> list[list[str]]:
        """The labels of the held-out data."""
        tags, gold = seen_tags(self.train, encoding)
        code = np.array(list(prefix_code(tags).values()), dtype=np.int32)
        size = len(tags)
        emissions = np.zeros((int(self.held_out.offsets[-1]), size))
        steps, start, end = np.zeros((size, size)), np.zeros(size), np.zeros(size)
        for word in code.T:
            bit = self._scores(word[gold])
            digits = np.array([bit.labels.index(BITS[digit]) for digit in word])
            emissions += bit.emissions[:, digits]
            steps += bit.transitions[np.ix_(digits, digits)]
            start += bit.start[digits]
            end += bit.end[digits]
        return best_labels(self.held_out, encoding, TagScores(tags, emissions, steps, start, end))

    def _scores(self, digits: npt.NDArray[np.int32]) -> _BitScores:
        key = np.packbits(digits).tobytes()
        if key in self._bits:
            self.reused += 1
            return self._bits[key]
        began = time.process_time()
        present = np.unique(digits)
        labels = LabelSet([BITS[digit] for digit in present])
        gold = digits if len(labels) == 2 else np.zeros_like(digits)
        weights, _ = self.model.fit_corpus(self._corpus, gold, labels)
        steps, start, end = _core.linear_transitions(weights.layout, weights.values)
        emissions = _core.linear_emissions(weights.layout, weights.values, self._asked, threads=1)
        self._bits[key] = _BitScores(tuple(labels), emissions, steps, start, end)
        self.trained += 1
        self.training_seconds += time.process_time() - began
        return self._bits[key]
