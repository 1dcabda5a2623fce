"""Classifiers of single tokens that learn from one token at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import InputError
from lawful.models.base.sequences import check_pairs, labels_in
from lawful.models.features.encoded import EncodedSequences
from lawful.models.linear.attributes import core_sequences
from lawful.models.linear.fitting import EncodedCorpus, FeatureChoice
from lawful.models.linear.outputs import Outputs
from lawful.models.linear.progress import Progress
from lawful.models.linear.weights import Weights
from lawful.models.perceptron.ballots import Ballots, PositionBallots
from lawful.models.perceptron.online import OnlineModel, check_online

__all__ = ["LocalClassifier", "single_tokens"]

SCHEMES = ("multiclass", "one_vs_all")


class LocalClassifier(OnlineModel):
    """The base of `Perceptron` and `Winnow`: they say with which options to learn."""

    scheme: str
    all_states: bool
    min_count: float

    def _options(self) -> _core.LocalOptions:
        raise NotImplementedError

    def _checked(self) -> _core.LocalOptions:
        check_online(self)
        if self.scheme not in SCHEMES:
            raise InputError(f"scheme must be one of {', '.join(SCHEMES)}, got {self.scheme!r}")
        return self._options()

    def fit(
        self,
        X: Iterable[Sequence[Any]],
        y: Iterable[Sequence[str]],
        *,
        callback: Callable[[Progress], object] | None = None,
    ) -> Self:
        """Learn from labelled sequences, whose tokens count for themselves.

        Parameters
        ----------
        X, y : sequences of tokens and of labels
        callback : function of a `Progress`, optional
            Called after every epoch; training ends early if it returns True.
        """
        options = self._checked()
        sequences, given = check_pairs(X, y)
        labels = labels_in(given)
        read = EncodedCorpus.read(None, sequences, [self.features], None)
        tokens = single_tokens(read.encoded)
        self._check_values(tokens)
        corpus = EncodedCorpus(None, read.tokens, read.encoding, tokens, None, None)
        number = {label: place for place, label in enumerate(labels)}
        gold = np.fromiter((number[label] for one in given for label in one), np.int32, corpus.tokens)
        choice = FeatureChoice(
            self.all_states, all_transitions=False, min_count=self.min_count, start=False, end=False
        )
        start, _ = choice.weights(corpus, gold, labels, Outputs.of(labels))
        learner = _core.LocalLearner(start.layout, core_sequences(tokens), gold, options)
        history = self._run(corpus.tokens, learner.epoch, callback)
        self._ballots = None
        if self.combine == "vote":
            self._ballots = PositionBallots(tokens, learner.time, gold, *learner.updates, options)
        values = learner.current if self.combine == "last" else learner.averaged
        self._set(Weights(start.outputs, start.encoding, None, start.layout, values), labels)
        self.history_ = history
        return self

    def _check_values(self, tokens: EncodedSequences) -> None:
        """Refuse values of attributes that this kind cannot learn from."""

    def _ballots_from(self, arrays: Mapping[str, npt.NDArray[Any]], weights: Weights) -> Ballots:
        found = PositionBallots.restored(arrays, weights)
        return PositionBallots(
            found.encoded, found.time, found.gold, found.times, found.positions, found.labels, self._options()
        )


def single_tokens(encoded: EncodedSequences) -> EncodedSequences:
    """The same positions, each as a sequence of its own.

    Examples
    --------
    >>> single_tokens(EncodedSequences([0, 2], [0, 1, 2], [0, 1], None, size=2)).sequence_offsets.tolist()
    [0, 1, 2]
    """
    borders = np.arange(encoded.positions + 1)
    arrays = (borders, encoded.item_offsets, encoded.attributes, encoded.values)
    return EncodedSequences.from_core(arrays, encoded.size)
