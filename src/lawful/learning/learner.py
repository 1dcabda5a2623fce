"""What all learners with rules share: after `fit` each is a tagger with a model and rules inside."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from lawful.errors import InputError, NotFittedError
from lawful.lattice import AnyLattice
from lawful.learning.history import Round
from lawful.models.base.estimator import SequenceModel
from lawful.models.base.predictor import Predictor
from lawful.rules.ruleset import Rules

__all__ = ["RuledLearner", "check_base"]


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

    def lattice(self, tokens: Sequence[Any], /) -> AnyLattice:
        """The scores of one sequence."""
        return self._fitted().lattice(tokens)

    def lattices(self, sequences: Iterable[Sequence[Any]]) -> Iterable[AnyLattice]:
        """The scores of many sequences."""
        return self._fitted().lattices(sequences)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model that was learned; `lawful.load_model` reads it. Rules have files of their own."""
        self._fitted().save(path)


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
