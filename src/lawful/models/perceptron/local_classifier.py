"""Classifiers of single tokens that learn from one token at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

import numpy.typing as npt

from lawful import _core
from lawful.corpus.sequences import SequencesLike
from lawful.errors import InputError
from lawful.models.base.sequences import check_pairs, label_ids, labels_in
from lawful.models.features.attribute_sequences import AttributeSequences
from lawful.models.linear.attributes import core_sequences, single_tokens
from lawful.models.linear.fitting import AttributeCorpus, FeatureChoice
from lawful.models.linear.progress import Progress
from lawful.models.linear.weights import Weights
from lawful.models.perceptron.online import OnlineModel, check_online
from lawful.models.perceptron.weight_history import PositionHistory, WeightHistory

__all__ = ["LocalClassifier"]

MULTICLASS = ("joint", "one_vs_all")


class LocalClassifier(OnlineModel):
    """The base of `Perceptron` and `Winnow`, which give the options of the learner in the core."""

    multiclass: str
    all_states: bool
    min_count: float

    def _options(self) -> _core.LocalOptions:
        raise NotImplementedError

    def _checked(self) -> _core.LocalOptions:
        check_online(self)
        if self.multiclass not in MULTICLASS:
            raise InputError(f"multiclass must be one of {', '.join(MULTICLASS)}, got {self.multiclass!r}")
        return self._options()

    def fit(
        self,
        X: SequencesLike,
        y: Iterable[Sequence[str]],
        *,
        callback: Callable[[Progress], object] | None = None,
    ) -> Self:
        """Learn from labelled sequences, each token by itself.

        Parameters
        ----------
        X, y : sequences of tokens and of labels
        callback : function of a `Progress`, optional
            Called after every epoch; training ends early if it returns True.
        """
        options = self._checked()
        sequences, gold_labels = check_pairs(X, y)
        self._remember_cut(sequences)
        labels = labels_in(gold_labels)
        outputs = self._outputs(labels)
        read = AttributeCorpus.read(None, sequences, self._collections(), None)
        tokens = single_tokens(read.sequences)
        self._check_values(tokens)
        corpus = AttributeCorpus(None, read.tokens, read.attribute_map, tokens, None, None)
        gold = label_ids(gold_labels, labels)
        choice = FeatureChoice(
            self.all_states,
            all_transitions=False,
            min_count=self.min_count,
            start=False,
            end=False,
            group_attributes=self._group_attributes(),
        )
        start, _ = choice.weights(corpus, gold, labels, outputs)
        learner = _core.LocalLearner(start.layout, core_sequences(tokens), gold, options)
        history = self._run(corpus.tokens, learner.epoch, callback)
        self._weight_history = None
        if self.averaging == "voted":
            self._weight_history = PositionHistory(tokens, learner.time, gold, *learner.updates, options)
        # A voted model scores with its history; its averaged weights serve those who look at weights_.
        values = learner.current if self.averaging == "last" else learner.averaged
        self._set(Weights(start.outputs, start.attribute_map, None, start.layout, values), labels)
        self.history_ = history
        return self

    def _check_values(self, tokens: AttributeSequences) -> None:
        """Refuse values of attributes that this kind of model cannot learn from."""

    def _weight_history_from(self, arrays: Mapping[str, npt.NDArray[Any]], weights: Weights) -> WeightHistory:
        history = PositionHistory.restored(arrays, weights)
        return PositionHistory(
            history.corpus,
            history.time,
            history.gold,
            history.times,
            history.positions,
            history.labels,
            self._options(),
        )
