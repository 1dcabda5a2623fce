"""Trying encodings with one CRF over all tags: attributes are extracted once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.encodings.encoding import Encoding
from lawful.encodings.search.counted_tagger import seen_tags
from lawful.encodings.search.encodable import EncodableCorpus, Labelled
from lawful.encodings.search.flat_decoding import TagScores, best_labels
from lawful.labels import LabelSet
from lawful.models.base.estimator import SequenceModel
from lawful.models.crf import CRF
from lawful.models.linear.attributes import core_sequences

__all__ = ["JointTagger", "Reader", "scored_by_attributes"]


def scored_by_attributes(model: SequenceModel) -> bool:
    """Whether a model is a CRF whose scores are those of attributes and one matrix of transitions, over whatever labels it meets."""
    if type(model) is not CRF:
        return False
    return (
        model.transition_features is None
        and model.allowed_transitions is None
        and model.given_labels is None
        and not model.warm_start
    )


class Reader:
    """The attributes of training and held-out data, read once for all that a CRF is to learn of them."""

    def __init__(self, model: CRF, train: Labelled, held_out: Labelled) -> None:
        self.model = model
        self._corpus = model.read(train.tokens)
        self._asked = core_sequences(self._corpus.attribute_map.extract(held_out.tokens))

    def scores(self, gold: npt.NDArray[np.int32], labels: LabelSet) -> TagScores:
        """What a CRF that learned these labels of the training data says of the held-out data."""
        weights, _ = self.model.fit_corpus(self._corpus, gold, labels)
        steps, start, end = _core.linear_transitions(weights.layout, weights.values)
        emissions = _core.linear_emissions(weights.layout, weights.values, self._asked, threads=1)
        return TagScores(labels, emissions, steps, start, end)


class JointTagger:
    """Trains a CRF over all tags of one encoding after another, and labels held-out data; the same as `Encoded` would.

    Examples
    --------
    >>> from lawful.encodings import history_encoding
    >>> data = Labelled([["a", "b"]], [["A", "B"]])
    >>> JointTagger(CRF(), data, data).predict(history_encoding(["A", "B"], 2))
    [['A', 'B']]
    """

    def __init__(self, model: CRF, train: Labelled, held_out: Labelled) -> None:
        self.train = EncodableCorpus(train.tokens, train.labels)
        self.held_out = EncodableCorpus(held_out.tokens, held_out.labels)
        self._reader = Reader(model, train, held_out)

    def predict(self, encoding: Encoding) -> list[list[str]]:
        """The labels of the held-out data."""
        tags, gold = seen_tags(self.train, encoding)
        return best_labels(self.held_out, encoding, self._reader.scores(gold.astype(np.int32), tags))
