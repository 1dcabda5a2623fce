"""Trying encodings by codes: attributes are extracted once, and the model of a bit is trained once."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

from lawful.encodings.codes import BITS, Coded, prefix_code
from lawful.encodings.encoding import Encoding
from lawful.encodings.search.counted_tagger import seen_tags
from lawful.encodings.search.encodable import EncodableCorpus, Labelled
from lawful.encodings.search.flat_decoding import TagScores, best_labels
from lawful.encodings.search.joint_tagger import Reader
from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.models.crf import CRF

__all__ = ["CodedTagger"]


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
        self.train = EncodableCorpus(train.tokens, train.labels)
        self.held_out = EncodableCorpus(held_out.tokens, held_out.labels)
        self._reader = Reader(model.model, train, held_out)
        self._bits: dict[
            bytes, TagScores
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
            digits = np.array([bit.tags.index(BITS[digit]) for digit in word])
            emissions += bit.emissions[:, digits]
            steps += bit.transitions[np.ix_(digits, digits)]
            start += 0.0 if bit.start is None else bit.start[digits]
            end += 0.0 if bit.end is None else bit.end[digits]
        return best_labels(self.held_out, encoding, TagScores(tags, emissions, steps, start, end))

    def _scores(self, digits: npt.NDArray[np.int32]) -> TagScores:
        key = np.packbits(digits).tobytes()
        if key in self._bits:
            self.reused += 1
            return self._bits[key]
        began = time.process_time()
        present = np.unique(digits)
        labels = LabelSet([BITS[digit] for digit in present])
        gold = digits if len(labels) == 2 else np.zeros_like(digits)
        self._bits[key] = self._reader.scores(gold, labels)
        self.trained += 1
        self.training_seconds += time.process_time() - began
        return self._bits[key]
