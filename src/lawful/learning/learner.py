"""What all learners with rules share: after `fit` each is a tagger with a model and rules inside."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

from lawful.corpus.sequences import SequencesLike
from lawful.corpus.texts.tokenizer import Tokenizer
from lawful.decoding.options import DecoderOptions
from lawful.errors import InputError, NotFittedError
from lawful.lattice import AnyLattice
from lawful.learning.history import Round
from lawful.models.base.estimator import SequenceModel
from lawful.models.base.predictor import Predictor
from lawful.models.base.sequences import LabelledData, check_data
from lawful.rules.ruleset import Rules

__all__ = ["RuledLearner", "Watch", "accuracy_on", "check_base", "watched_data"]


class RuledLearner(Predictor):
    """A learner that becomes a tagger: it predicts with the model that it learned, under the rules that it learned with.

    Attributes
    ----------
    model_ : SequenceModel
        What was learned.
    rules_ : Rules
        The rules, with their prices filled in; `predict` uses them unless it is given others.
    history_ : list of Round
    """

    model_: SequenceModel
    rules_: Rules
    history_: list[Round]

    def _fitted(self) -> SequenceModel:
        try:
            return self.model_
        except AttributeError:
            raise NotFittedError(type(self).__name__) from None

    def _own_rules(self) -> Rules:
        self._fitted()
        return self.rules_

    @property
    def calibrated(self) -> bool:
        """Whether the scores of the model are log-probabilities."""
        return self._fitted().calibrated

    def lattice(self, tokens: Sequence[Any], /) -> AnyLattice:
        """The scores of one sequence."""
        return self._fitted().lattice(tokens)

    def lattices(self, sequences: Iterable[Sequence[Any]]) -> Iterable[AnyLattice]:
        """The scores of many sequences."""
        return self._fitted().lattices(sequences)

    @property
    def tokenizer(self) -> Tokenizer:
        """How texts are cut into tokens for the model."""
        return self._fitted().tokenizer

    def check_text(self) -> None:
        """Raise an `InputError` if the model needs to know more of a token than its text."""
        self._fitted().check_text()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model that was learned; `lawful.load_model` reads it. Rules have files of their own."""
        self._fitted().save(path)


Watch = (
    tuple[SequencesLike, Iterable[Sequence[str]]]
    | tuple[SequencesLike, Iterable[Sequence[str]], Iterable[Mapping[str, Any]]]
)


def watched_data(watch: Any) -> LabelledData | None:
    """The sequences on which accuracy is noted while something learns: (X, y), or (X, y, contexts).

    Examples
    --------
    >>> watched_data(([["a"]], [["X"]], [{"verb": 0}])).contexts
    [{'verb': 0}]
    >>> watched_data([["a"]])
    Traceback (most recent call last):
    lawful.errors.InputError: watch must be (X, y) or (X, y, contexts), got [['a']]
    """
    if watch is None:
        return None
    if not (isinstance(watch, tuple) and 2 <= len(watch) <= 3):
        raise InputError(f"watch must be (X, y) or (X, y, contexts), got {watch!r:.60}")
    return check_data(*watch, what="the data to watch")


def accuracy_on(
    learner: Predictor, data: LabelledData | None, **options: Unpack[DecoderOptions]
) -> float | None:
    """The learner's accuracy on labelled data; None without any."""
    if data is None:
        return None
    return learner.score(data.tokens, data.labels, contexts=data.contexts, **options)


def check_base(base: object) -> None:
    """Refuse anything that is not a model, such as a class that was not called.

    Examples
    --------
    >>> import lawful
    >>> check_base(lawful.HMM)
    Traceback (most recent call last):
    lawful.errors.InputError: base must be a model, such as HMM(), got <class 'lawful.models.hmm.model.HMM'>
    """
    if not isinstance(base, SequenceModel):
        raise InputError(f"base must be a model, such as HMM(), got {base!r:.80}")
