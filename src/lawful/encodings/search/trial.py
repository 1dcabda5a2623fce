"""Trying one encoding: train a model in it, and score that on held-out data."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias

from lawful.encodings.codes import Coded
from lawful.encodings.encoded_model import Encoded
from lawful.encodings.encoding import Encoding
from lawful.encodings.model_store import digest_of
from lawful.encodings.search.coded_tagger import CodedTagger
from lawful.encodings.search.counted_tagger import CountedTagger
from lawful.encodings.search.encodable import Labelled
from lawful.encodings.search.joint_tagger import JointTagger, scored_by_attributes
from lawful.errors import InfeasibleError
from lawful.models.base.estimator import SequenceModel
from lawful.models.crf import CRF
from lawful.models.hmm.model import HMM

__all__ = ["Metric", "Trial", "accuracy"]

Metric: TypeAlias = Callable[[Sequence[Sequence[str]], Sequence[Sequence[str]]], float]


def accuracy(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> float:
    """The share of tokens that get their label.

    Examples
    --------
    >>> accuracy([["A", "B"]], [["A", "A"]])
    0.5
    """
    pairs = [pair for ours in zip(gold, predicted, strict=True) for pair in zip(*ours, strict=True)]
    return sum(first == second for first, second in pairs) / len(pairs)


@dataclass(frozen=True)
class Trial:
    """What is needed to score an encoding; workers get a copy of it.

    HMMs, and CRFs over all tags or by codes, are trained on what was extracted from the tokens once; other models by `Encoded`.

    Attributes
    ----------
    model : SequenceModel
        Trained anew for each encoding.
    train, held_out : Labelled
    metric : function of gold and predicted labels
        Higher is better.

    Examples
    --------
    >>> import lawful
    >>> from lawful.encodings import identity_encoding
    >>> data = Labelled([["a", "b"]], [["A", "B"]])
    >>> Trial(lawful.HMM(), data, data).score(identity_encoding(["A", "B"]).to_dict())[0]
    1.0
    """

    model: SequenceModel
    train: Labelled
    held_out: Labelled
    metric: Metric = accuracy

    def score(self, encoding: Mapping[str, Any]) -> tuple[float, float]:
        """The score of an encoding, given as data, and the seconds that it took; -inf if a sequence is left without labels."""
        started = time.perf_counter()
        try:
            predicted = self.tagger.predict(Encoding.from_dict(encoding))
        except InfeasibleError:  # the training data lack a tag that a held-out sequence cannot do without
            return -math.inf, time.perf_counter() - started
        return float(self.metric(self.held_out.labels, predicted)), time.perf_counter() - started

    @cached_property
    def tagger(self) -> HeldOutTagger:
        """What trains and labels."""
        if type(self.model) is HMM:
            return CountedTagger(self.model, self.train, self.held_out)
        if isinstance(self.model, CRF) and scored_by_attributes(self.model):
            return JointTagger(self.model, self.train, self.held_out)
        if (
            isinstance(self.model, Coded)
            and self.model.store is None
            and scored_by_attributes(self.model.model)
        ):
            return CodedTagger(self.model, self.train, self.held_out)
        return EncodedTagger(self.model, self.train, self.held_out)

    def __getstate__(self) -> dict[str, Any]:
        """For workers: without what they make themselves, once."""
        return {name: value for name, value in self.__dict__.items() if name != "tagger"}

    def fingerprint(self) -> str:
        """What the scores depend on, as far as it is data."""
        name = getattr(self.metric, "__qualname__", repr(self.metric))
        data = [(tuple(map(tuple, part.labels)), repr(part.tokens)) for part in (self.train, self.held_out)]
        return digest_of(repr(self.model), data, name)


class HeldOutTagger(Protocol):
    """Trains in one encoding after another, and labels held-out data."""

    def predict(self, encoding: Encoding) -> list[list[str]]:
        """The labels of the held-out data."""


@dataclass(frozen=True)
class EncodedTagger:
    """The general way, for all models."""

    model: SequenceModel
    train: Labelled
    held_out: Labelled

    def predict(self, encoding: Encoding) -> list[list[str]]:
        """The labels of the held-out data."""
        encoded = Encoded(self.model.unfitted(), encoding)
        return encoded.fit(self.train.tokens, self.train.labels).predict(self.held_out.tokens)
