"""What the semi-supervised learners share: a model and rules inside, and everything that a predictor does."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from lawful.errors import InputError, NotFittedError
from lawful.lattice import GraphLattice, Lattice
from lawful.learning.history import Round
from lawful.models.base.estimator import SequenceModel
from lawful.models.base.predictor import Predictor
from lawful.rules.ruleset import Rules

__all__ = ["SemiSupervised", "check_base", "check_gamma", "pool_of", "with_labels"]


class SemiSupervised(Predictor):
    """A learner from labelled and unlabelled sequences; afterwards a tagger, under the rules that it learned with.

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

    def lattice(self, tokens: Sequence[Any], /) -> Lattice | GraphLattice:
        """The scores of one sequence."""
        return self._fitted().lattice(tokens)

    def lattices(self, sequences: Iterable[Sequence[Any]]) -> Iterable[Lattice | GraphLattice]:
        """The scores of many sequences."""
        return self._fitted().lattices(sequences)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model that was learned; `lawful.load_model` reads it. Rules have files of their own."""
        self._fitted().save(path)


def check_base(base: object) -> None:
    """Refuse what is no model, such as a class that nobody called.

    Examples
    --------
    >>> import lawful
    >>> check_base(lawful.HMM)
    Traceback (most recent call last):
    lawful.errors.InputError: base must be a model, such as HMM(), got <class 'lawful.models.hmm.model.HMM'>
    """
    if not isinstance(base, SequenceModel):
        raise InputError(f"base must be a model, such as HMM(), got {base!r:.80}")


def check_gamma(gamma: object) -> float:
    """The weight of the labelled data, checked.

    Examples
    --------
    >>> check_gamma(0.9)
    0.9
    """
    if isinstance(gamma, bool) or not isinstance(gamma, (int, float)) or not 0 <= gamma <= 1:
        raise InputError(f"gamma must be a number from 0 to 1, got {gamma!r}")
    return float(gamma)


def pool_of(unlabelled: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """The unlabelled sequences, without empty ones.

    Examples
    --------
    >>> pool_of([("a", "b"), ()])
    [['a', 'b']]
    """
    return [list(tokens) for tokens in unlabelled if len(tokens)]


def with_labels(model: SequenceModel, labels: Sequence[str]) -> SequenceModel:
    """A model to be fitted that keeps to these labels, even where the data lacks some, if it can be told.

    Examples
    --------
    >>> import lawful
    >>> with_labels(lawful.HMM(), ["A", "B"])
    HMM(labels=['A', 'B'])
    """
    model = model.unfitted()
    if "labels" in model.get_params(deep=False):
        model.set_params(labels=list(labels))
    return model
