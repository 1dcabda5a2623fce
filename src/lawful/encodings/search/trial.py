"""Trying one encoding: train a model in it, and score that on held-out data."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lawful.encodings.encoded_model import Encoded
from lawful.encodings.encoding import Encoding
from lawful.encodings.model_store import digest_of
from lawful.models.base.estimator import SequenceModel

__all__ = ["Labelled", "Metric", "Trial", "accuracy"]

Metric: TypeAlias = Callable[[Sequence[Sequence[str]], Sequence[Sequence[str]]], float]


@dataclass(frozen=True)
class Labelled:
    """Token sequences and their canonical labels."""

    tokens: Sequence[Sequence[Any]]
    labels: Sequence[Sequence[str]]


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
        """The score of an encoding, given as data, and the seconds that it took."""
        started = time.perf_counter()
        encoded = Encoded(self.model.unfitted(), Encoding.from_dict(encoding))
        predicted = encoded.fit(self.train.tokens, self.train.labels).predict(self.held_out.tokens)
        return float(self.metric(self.held_out.labels, predicted)), time.perf_counter() - started

    def fingerprint(self) -> str:
        """What the scores depend on, as far as it is data."""
        name = getattr(self.metric, "__qualname__", repr(self.metric))
        data = [(tuple(map(tuple, part.labels)), repr(part.tokens)) for part in (self.train, self.held_out)]
        return digest_of(repr(self.model), data, name)
