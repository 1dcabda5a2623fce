"""The structured perceptron with rules, from labelled and unlabelled sequences."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from typing import Self

import numpy as np

from lawful.corpus.sequences import ContextsLike, SequencesLike, TokenSequences
from lawful.learning.history import Round, share_changed
from lawful.learning.perceptron.ruled_perceptron import RuledPerceptron
from lawful.learning.perceptron.strategies import Strategy
from lawful.learning.pool import check_gamma, label_pool, pool_of
from lawful.models.base.estimator import SequenceModel
from lawful.models.base.sequences import LabelledData, check_data
from lawful.rules.given_rules import RulesLike
from lawful.support.numbers import check_count

__all__ = ["SemiRuledPerceptron"]


class SemiRuledPerceptron(RuledPerceptron):
    """The semi-supervised perceptron with rules of section 6 of Chang, Ratinov & Roth (2012).

    A `RuledPerceptron` is trained on the labelled data. Then, in each round, it labels the pool under the rules; the
    perceptron is trained on those labels, its weights and prices are multiplied by `1 - gamma`, and from there it is
    trained on the labelled data.

    Parameters
    ----------
    base, rules, strategy, epochs, averaged, price_smoothing, ties, labels, seed, verbose
        See `RuledPerceptron`.
    gamma : float
        From 0 to 1; with 1 the pool has no say.
    rounds : int
    pool_epochs : int, optional
        Passes over the pool in each round; `epochs` if not given.
    jobs : int, optional
        Threads that label the pool; all cores if not given.

    Attributes
    ----------
    model_, rules_, epochs_
        See `RuledPerceptron`; the epochs are those of the last round.
    history_ : list of Round

    Examples
    --------
    >>> import lawful
    >>> X, y = [[["w=Ann"], ["w=law"]]], [["name", "title"]]
    >>> pool = [[["w=Ann"], ["w=Cid"], ["w=law"]]]
    >>> learner = lawful.learning.SemiRuledPerceptron(lawful.CRF(), lawful.starts_with("name"), rounds=1)
    >>> learner.fit(X, y, unlabelled=pool).predict([[["w=Ann"], ["w=law"]]])
    [['name', 'title']]
    """

    def __init__(
        self,
        base: SequenceModel,
        rules: RulesLike = (),
        *,
        strategy: Strategy = "JIBT",
        gamma: float = 0.9,
        rounds: int = 1,
        epochs: int = 30,
        pool_epochs: int | None = None,
        averaged: bool = True,
        price_smoothing: float = 0.5,
        ties: Iterable[Collection[str]] = (),
        labels: Sequence[str] | None = None,
        seed: int | None = 0,
        jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(
            base,
            rules,
            strategy=strategy,
            epochs=epochs,
            averaged=averaged,
            price_smoothing=price_smoothing,
            ties=ties,
            labels=labels,
            seed=seed,
            verbose=verbose,
        )
        self.gamma, self.rounds, self.pool_epochs, self.jobs = gamma, rounds, pool_epochs, jobs

    def fit(
        self,
        X: SequencesLike,
        y: Iterable[Sequence[str]],
        unlabelled: SequencesLike = (),
        *,
        contexts: ContextsLike = None,
        unlabelled_contexts: ContextsLike = None,
    ) -> Self:
        """Learn from labelled and unlabelled sequences.

        Parameters
        ----------
        X, y : iterables of token sequences (or of `Sentence`) and label sequences
        unlabelled : iterable of token sequences, or of `Sentence`
        contexts, unlabelled_contexts : iterables of mappings, optional
            What comes with each sequence by name, for rules that ask for it; a `Sentence` brings its own.
        """
        gamma, data = check_gamma(self.gamma), check_data(X, y, contexts)
        check_count("rounds", self.rounds)
        if self.pool_epochs is not None:
            check_count("pool_epochs", self.pool_epochs, least=1)
        pool = pool_of(unlabelled, unlabelled_contexts)
        started = time.perf_counter()
        super().fit(*data[:2], contexts=data.contexts)
        history = [Round(0, seconds=time.perf_counter() - started)]
        before: list[list[str]] | None = None
        for number in range(1, self.rounds + 1 if pool.tokens else 0):
            started = time.perf_counter()
            labels = label_pool(
                self.model_,
                self.rules_,
                pool.tokens,
                contexts=pool.contexts,
                jobs=self.jobs,
                options={"on_infeasible": "least_bad"},
            )
            self._learn(data, pool, labels, gamma)
            seconds = time.perf_counter() - started
            history.append(Round(number, share_changed(before, labels), seconds=seconds))
            before = labels
        self.history_ = history
        return self

    def _learn(
        self,
        data: LabelledData,
        pool: TokenSequences,
        labels: Sequence[Sequence[str]],
        gamma: float,
    ) -> None:
        """One round: the pool, then, from a part of what it taught, the labelled data."""
        count = len(data.tokens)
        given_labels, epochs = self.given_labels, self.epochs
        try:
            self.given_labels = list(self.labels_)
            triples = [*data.triples(), *LabelledData(pool.tokens, [*labels], pool.contexts).triples()]
            trainer = self._trainer(LabelledData(*map(list, zip(*triples, strict=True))), range(count))
            self.epochs_ = []
            self.epochs = self.pool_epochs or epochs
            self._train(trainer, np.arange(count, len(triples)))
            part = 1 - gamma
            trainer.restart(part * trainer.model.averaged.values, part * trainer.averaged_prices)
            self.epochs_, self.epochs = [], epochs
            self._train(trainer, np.arange(count))
        finally:
            self.given_labels, self.epochs = given_labels, epochs
        self._take(trainer)
