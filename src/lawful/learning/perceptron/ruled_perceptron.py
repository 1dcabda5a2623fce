"""The averaged structured perceptron with rules, by four strategies."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Self

import numpy as np

from lawful.corpus.sequences import ContextsLike, SequencesLike
from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice.tagger import warn_uncalibrated
from lawful.learning.learner import RuledLearner
from lawful.learning.perceptron.strategies import Epoch, Strategy, Trainer, check_strategy
from lawful.learning.prices.estimating import estimate_prices
from lawful.learning.prices.learned_prices import LearnedPrices
from lawful.models.base.estimator import WITH_PRICES, SequenceModel
from lawful.models.base.sequences import LabelledData, check_data, labels_in
from lawful.models.crf import CRF
from lawful.models.linear.weights import Weights
from lawful.models.perceptron.structured_learner import StructuredLearner
from lawful.models.perceptron.structured_perceptron import StructuredPerceptron
from lawful.rules.given_rules import RulesLike, as_rules
from lawful.rules.ruleset import Rules
from lawful.support.numbers import check_count, check_number, check_seed

__all__ = ["RuledPerceptron", "check_weighted"]


class RuledPerceptron(RuledLearner):
    """The structured perceptron with rules (Chang, Ratinov & Roth 2012, Algorithm 3), around a model's features.

    Parameters
    ----------
    base : CRF or StructuredPerceptron
        Its templates, groups and choice of features; how it learns by itself does not matter here.
    rules : Rules, rule, iterable of rules, or the path of a rule file
        Hard, priced, or with price "learn".
    strategy : "L", "L+I", "IBT" or "JIBT"
        "L": rules are never looked at. "L+I" (learning plus inference): only when it answers. "IBT" (inference-based
        training): also whenever it predicts in training. "JIBT" (joint): so, and prices "learn" are weights that are
        updated too, from 0 on, and never fall below. Otherwise such prices are the log odds that `estimate_prices` gives.
    epochs : int
        Passes over the data; fewer if one makes no mistake.
    averaged : bool
        Whether the result is the mean of the weights (and prices) after each sequence, or the last ones.
    price_smoothing : float
        For prices by log odds; see `smoothing` of `estimate_prices`.
    ties : iterable of collections of names
        Rules that share a learned price.
    labels : sequence of str, optional
        The labels, in order; by default those that occur, in alphabetical order.
    seed : int, optional
        For the order of sequences, drawn anew for each epoch; None keeps the order in which they come.
    verbose : bool
        Whether to print one line per epoch.

    Attributes
    ----------
    model_ : CRF
        With the weights that were learned.
    rules_ : Rules
        The rules at their prices; none for strategy "L".
    epochs_ : list of Epoch

    Examples
    --------
    >>> import lawful
    >>> X = [[["w=Ann"], ["w=On"], ["w=law"]], [["w=Bob"], ["w=law"]]]
    >>> y = [["name", "title", "title"], ["name", "title"]]
    >>> rules = lawful.starts_with("name").soft("learn", name="start")
    >>> learner = lawful.learning.RuledPerceptron(lawful.CRF(), rules, strategy="JIBT").fit(X, y)
    >>> learner.predict([[["w=Cid"], ["w=law"]]])
    [['name', 'title']]
    """

    epochs_: list[Epoch]

    def __init__(
        self,
        base: SequenceModel,
        rules: RulesLike = (),
        *,
        strategy: Strategy = "JIBT",
        epochs: int = 30,
        averaged: bool = True,
        price_smoothing: float = 0.5,
        ties: Iterable[Collection[str]] = (),
        labels: Sequence[str] | None = None,
        seed: int | None = 0,
        verbose: bool = False,
    ) -> None:
        self.base, self.rules, self.strategy, self.epochs = base, rules, strategy, epochs
        self.averaged, self.price_smoothing, self.ties = averaged, price_smoothing, ties
        self.given_labels, self.seed, self.verbose = labels, seed, verbose

    def fit(
        self,
        X: SequencesLike,
        y: Iterable[Sequence[str]],
        *,
        contexts: ContextsLike = None,
    ) -> Self:
        """Learn from labelled sequences.

        Parameters
        ----------
        X, y : iterables of token sequences (or of `Sentence`) and label sequences
        contexts : iterable of mappings, optional
            What comes with each sequence by name, for rules that ask for it; a `Sentence` brings its own.
        """
        data = check_data(X, y, contexts)
        trainer = self._trainer(data, range(len(data.tokens)))
        self.epochs_ = []
        self._train(trainer, np.arange(len(data.tokens)))
        return self._take(trainer)

    # --- the parts, which learning from a pool uses too ---------------------------------------------------

    def _trainer(self, data: LabelledData, labelled: Sequence[int]) -> Trainer:
        """Everything for the strategy; prices by log odds are counted in the labelled sequences alone."""
        strategy = check_strategy(self.strategy)
        base = check_weighted(self.base)
        check_count("epochs", self.epochs, least=1)
        check_number("price_smoothing", self.price_smoothing)
        check_seed("seed", self.seed)
        rules = as_rules(self.rules)
        if strategy == "L":
            rules = Rules()
        elif strategy != "JIBT":
            if any(rule.price == "learn" for rule in rules):
                warn_uncalibrated(type(self).__name__, stacklevel=3)
            triples = data.triples()
            rules = estimate_prices(
                rules, [triples[i] for i in labelled], smoothing=self.price_smoothing, ties=self.ties
            )
        self._priced = rules
        self.labels_ = LabelSet(self.given_labels) if self.given_labels else labels_in(data.labels)
        model = StructuredLearner(base, data.tokens, data.labels, labels=self.labels_, contexts=data.contexts)
        inside = rules if strategy in ("IBT", "JIBT") else Rules()
        prices = LearnedPrices(inside, self.labels_, data.tokens, self.ties, data.contexts)
        return Trainer(model, prices, learn_prices=strategy == "JIBT")

    def _train(self, trainer: Trainer, numbers: Any) -> None:
        """Some epochs over some of the sequences."""
        rng = np.random.default_rng(self.seed)
        for number in range(1, self.epochs + 1):
            started = time.perf_counter()
            order = numbers if self.seed is None else rng.permutation(numbers)
            wrong, updates = trainer.epoch(order)
            prices = dict(zip(trainer.prices.names, trainer.prices.learned.tolist(), strict=True))
            self.epochs_.append(Epoch(number, wrong, updates, prices, time.perf_counter() - started))
            if self.verbose:
                print(self.epochs_[-1], flush=True)
            if not updates:
                break

    def _take(self, trainer: Trainer) -> Self:
        model, prices = trainer.model, trainer.prices
        self.model_ = self._fitted_model(model.averaged if self.averaged else model.current)
        self.rules_ = self._priced
        if trainer.learn_prices:
            self.rules_ = prices.rules(trainer.averaged_prices if self.averaged else prices.learned)
        self.history_ = []
        return self

    def _fitted_model(self, weights: Weights) -> SequenceModel:
        model = check_weighted(self.base).unfitted()
        model.history_ = []
        if isinstance(model, CRF):
            model.objective_ = 0.0  # a perceptron has none
        model.notes_ = {WITH_PRICES: self.strategy == "JIBT"}
        return model._set(weights, self.labels_)


def check_weighted(base: SequenceModel) -> CRF | StructuredPerceptron:
    """The model, if its weights can be changed one sequence at a time.

    Examples
    --------
    >>> import lawful
    >>> check_weighted(lawful.HMM())
    Traceback (most recent call last):
    lawful.errors.InputError: the weights of HMM() cannot be changed one sequence at a time; those of a CRF or a StructuredPerceptron can
    """
    if not isinstance(base, (CRF, StructuredPerceptron)) or getattr(base, "averaging", "") == "voted":
        raise InputError(
            f"the weights of {base!r} cannot be changed one sequence at a time; those of a CRF or a "
            "StructuredPerceptron can"
        )
    return base
