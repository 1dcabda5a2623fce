"""Constraint-driven learning: rules guide how a model labels its own training data."""

from __future__ import annotations

import inspect
import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, Literal, Self

from lawful.corpus.sequences import ContextsLike, SequencesLike, TokenSequences
from lawful.decoding.options import DecoderOptions
from lawful.errors import InputError
from lawful.lattice.tagger import warn_if_uncalibrated
from lawful.learning.checkpoint import Checkpoint, Progress
from lawful.learning.history import Round, share_changed
from lawful.learning.learner import RuledLearner, Watch, accuracy_on, check_base, watched_data
from lawful.learning.pool import check_gamma, label_pool, pool_of
from lawful.learning.prices.estimating import estimate_prices
from lawful.learning.prices.log_odds import Occasions, prices_from
from lawful.learning.prices.ruled_corpus import RuledCorpus
from lawful.models.base.estimator import SequenceModel
from lawful.models.base.sequences import LabelledData, check_data
from lawful.models.blend import Blend
from lawful.rules.compiled_rules import price_of
from lawful.rules.given_rules import RulesLike, as_rules
from lawful.rules.ruleset import Rules
from lawful.support.numbers import check_count
from lawful.support.threads import thread_count

__all__ = ["CoDL", "HardEM", "with_labels"]

BlendBy = Literal["scores", "probabilities", "data"]
Sequences = Sequence[Sequence[Any]]
Labels = Sequence[Sequence[str]]


class CoDL(RuledLearner):
    """Constraint-driven learning (Chang, Ratinov & Roth 2012, Algorithm 2), around any model of ours.

    The model is fitted to the labelled data. Then, in each round, it labels the pool under the rules; a model is
    fitted to those labels; and the next round uses `gamma` times the supervised model plus `1 - gamma` times that one. So are
    the prices of rules whose price is "learn". Without rules this is hard EM.

    Parameters
    ----------
    base : SequenceModel
        What is fitted; it stays as it is.
    rules : Rules, rule, iterable of rules, or the path of a rule file
        Hard, priced, or with price "learn".
    gamma : float
        The weight of the supervised model, from 0 to 1.
    rounds : int
    blend : "scores", "probabilities" or "data"
        What is averaged: the models' scores, as in the paper; the probabilities of HMMs; or the data: one model is fitted
        to both, the pool's share of the weight being `1 - gamma` (needs a `fit` with `sample_weight`).
    price_smoothing, price_occasions : float, "breakable" or "tokens"
        For learned prices; see `smoothing` and `occasions` of `estimate_prices`. The paper counts every token. That makes rules
        dearer than few labelled sequences can justify, which is right where people wrote them and know that they hold.
    ties : collection of collections of names
        Rules that share a learned price.
    jobs : int, optional
        Threads that label the pool; all cores if not given.
    executor : Executor, optional
        What labels the pool instead.
    checkpoint : path, optional
        A folder that keeps what each round reached. A run that was interrupted goes on from there.
    options : DecoderOptions, optional
        The keyword arguments of the `Decoder` that labels the pool. Where hard rules contradict each other, it takes the
        least bad answer unless `on_infeasible` says otherwise.
    verbose : bool
        Whether to print one line per round.

    Attributes
    ----------
    model_ : SequenceModel
    rules_ : Rules
    history_ : list of Round

    Examples
    --------
    >>> import lawful
    >>> X, y = [["Ann", ".", "Rules"], ["Bob", ".", "Laws"]], [["name", "name", "title"]] * 2
    >>> pool = [["Cid", ".", "Laws"], ["Ann", ".", "Cases"]]
    >>> learner = lawful.CoDL(lawful.HMM(), lawful.starts_with("name"), rounds=2).fit(X, y, unlabelled=pool)
    >>> learner.predict([["Cid", ".", "Cases"]]), [one.number for one in learner.history_]
    ([['name', 'name', 'title']], [0, 1, 2])
    """

    def __init__(
        self,
        base: SequenceModel,
        rules: RulesLike = (),
        *,
        gamma: float = 0.9,
        rounds: int = 5,
        blend: BlendBy = "scores",
        price_smoothing: float = 0.5,
        price_occasions: Occasions = "tokens",
        ties: Collection[Collection[str]] = (),
        jobs: int | None = None,
        executor: Executor | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        options: DecoderOptions | None = None,
        verbose: bool = False,
    ) -> None:
        self.base, self.rules, self.gamma, self.rounds = base, rules, gamma, rounds
        self.blend, self.ties = blend, ties
        self.price_smoothing, self.price_occasions = price_smoothing, price_occasions
        self.jobs, self.executor, self.checkpoint = jobs, executor, checkpoint
        self.options, self.verbose = options, verbose

    def fit(
        self,
        X: SequencesLike,
        y: Iterable[Sequence[str]],
        unlabelled: SequencesLike = (),
        *,
        contexts: ContextsLike = None,
        unlabelled_contexts: ContextsLike = None,
        watch: Watch | None = None,
        on_round: Callable[[Round], object] | None = None,
    ) -> Self:
        """Learn from labelled and unlabelled sequences.

        Parameters
        ----------
        X, y : iterables of token sequences (or of `Sentence`) and label sequences
        unlabelled : iterable of token sequences, or of `Sentence`
        contexts, unlabelled_contexts : iterables of mappings, optional
            What comes with each sequence by name, for rules that ask for it; a `Sentence` brings its own.
        watch : (X, y) or (X, y, contexts), optional
            The accuracy on these is noted in the history after each round; nothing is learned from it.
        on_round : function of a Round, optional
            Called after each round, with what it did; also for rounds that a checkpoint had already.
        """
        gamma, data = check_gamma(self.gamma), check_data(X, y, contexts)
        pool = pool_of(unlabelled, unlabelled_contexts)
        watched = watched_data(watch)
        check_base(self.base)
        check_count("rounds", self.rounds)
        thread_count(self.jobs)
        if self.blend not in ("scores", "probabilities", "data"):
            raise InputError(f"blend must be 'scores', 'probabilities' or 'data', got {self.blend!r}")
        given = as_rules(self.rules)
        if any(rule.price == "learn" for rule in given):
            warn_if_uncalibrated(self.base)
        kept = self._checkpoint(given, data, pool, watched)
        progress = kept.read() if kept else None
        if progress is None:
            progress = self._begin(given, data, watched)
            if kept:
                kept.write(progress.supervised, progress.model, [], progress.history)
        self._take(given, progress)
        if on_round is not None:
            for done in progress.history:
                on_round(done)
        supervised, before = progress.supervised, progress.pool or None
        first_rules = _with_prices(given, progress.history[0].prices)
        corpus = RuledCorpus(given, self.labels_, pool.tokens, pool.contexts, name="unlabelled")
        for number in range(progress.history[-1].number + 1, self.rounds + 1 if pool.tokens else 0):
            started = time.perf_counter()
            labels = self._label(pool, corpus)
            self.model_ = self._next_model(supervised, data, pool.tokens, labels, gamma)
            self.rules_ = self._next_rules(given, first_rules, corpus, labels, gamma)
            self._note(number, started, share_changed(before, labels), corpus.violations(labels), watched)
            if kept:
                kept.write(supervised, self.model_, labels, self.history_)
            if on_round is not None:
                on_round(self.history_[-1])
            before = labels
        return self

    # --- the parts of a round -----------------------------------------------------------------------------

    def _begin(self, given: Rules, data: LabelledData, watched: LabelledData | None) -> Progress:
        started = time.perf_counter()
        supervised = self.base.unfitted().fit(data.tokens, data.labels)
        self.labels_, self.model_, self.history_ = supervised.labels, supervised, []
        self.rules_ = estimate_prices(
            given,
            data.triples(),
            smoothing=self.price_smoothing,
            ties=self.ties,
            occasions=self.price_occasions,
            labels=self.labels_,
        )
        self._note(0, started, 1.0, {}, watched)
        return Progress(supervised, supervised, [], tuple(self.history_))

    def _take(self, given: Rules, progress: Progress) -> None:
        self.model_, self.labels_ = progress.model, progress.supervised.labels
        self.history_ = list(progress.history)
        self.rules_ = _with_prices(given, progress.history[-1].prices)

    def _label(self, pool: TokenSequences, corpus: RuledCorpus) -> list[list[str]]:
        if self.executor is not None or self.options:
            options: DecoderOptions = {"on_infeasible": "least_bad"}
            options.update(self.options or {})
            return label_pool(
                self.model_,
                self.rules_,
                pool.tokens,
                contexts=pool.contexts,
                jobs=self.jobs,
                executor=self.executor,
                options=options,
            )
        corpus.set_prices([price_of(rule) for rule in self.rules_])
        labellings = corpus.best_of_all(list(self.model_.lattices(pool.tokens)), jobs=self.jobs)
        return [list(labels) for labels in labellings]

    def _next_model(
        self,
        supervised: SequenceModel,
        data: LabelledData,
        pool: Sequences,
        labels: Labels,
        gamma: float,
    ) -> SequenceModel:
        fresh = with_labels(self.base, self.labels_)
        if self.blend != "data":
            return Blend([supervised, fresh.fit(pool, labels)], [gamma, 1 - gamma], how=self.blend)
        if "sample_weight" not in inspect.signature(fresh.fit).parameters:
            raise InputError(
                f"blend='data' needs a base whose fit takes sample_weight, and that of {type(fresh).__name__} "
                "does not: take 'scores'"
            )
        # The pool's weight is 1, so that what is smoothed are counts of a whole corpus.
        heavy = (
            gamma * sum(map(len, labels)) / ((1 - gamma) * sum(map(len, data.labels))) if gamma < 1 else 1.0
        )
        weights = [heavy] * len(data.tokens) + [1.0 if gamma < 1 else 0.0] * len(pool)
        return fresh.fit([*data.tokens, *pool], [*data.labels, *labels], sample_weight=weights)  # type: ignore[call-arg]

    def _next_rules(
        self, given: Rules, first: Rules, corpus: RuledCorpus, labels: Labels, gamma: float
    ) -> Rules:
        """Prices that are learned are averaged as the models are; a hard one stays hard."""
        if not any(rule.price == "learn" for rule in given):
            return given
        ties = [[name for name in tie if given[name].price == "learn"] for tie in self.ties]
        tallies = corpus.tally(labels, ties=ties, occasions=self.price_occasions)
        later = prices_from(given, tallies, smoothing=self.price_smoothing)
        averaged = {
            old.name: gamma * old.price + (1 - gamma) * new.price
            if isinstance(old.price, float) and isinstance(new.price, float)
            else "hard"
            for asked, old, new in zip(given, first, later, strict=True)
            if asked.price == "learn"
        }
        return _with_prices(given, averaged)

    def _note(
        self,
        number: int,
        started: float,
        changed: float,
        violations: dict[str, int],
        watched: LabelledData | None,
    ) -> None:
        prices = {rule.name: rule.price for rule in self.rules_}
        accuracy = accuracy_on(self, watched, on_infeasible="least_bad")
        seconds = time.perf_counter() - started
        self.history_ = [
            *self.history_,
            Round(number, changed, violations, prices, None, accuracy, seconds),
        ]
        if self.verbose:
            print(self.history_[-1], flush=True)

    def _checkpoint(
        self, given: Rules, data: LabelledData, pool: TokenSequences, watched: LabelledData | None
    ) -> Checkpoint | None:
        if self.checkpoint is None:
            return None
        prices = (self.price_smoothing, self.price_occasions, list(self.ties))
        settings = (self.base, self.gamma, self.blend, *prices, self.options)
        return Checkpoint(self.checkpoint, given, data, pool, watched, *settings)


class HardEM(CoDL):
    """Hard EM: `CoDL` without rules. In each round the model labels the pool and is fitted to its own labels.

    Parameters are those of `CoDL`, without the rules.

    Examples
    --------
    >>> import lawful
    >>> learner = lawful.learning.HardEM(lawful.HMM(), rounds=1).fit([["a", "b"]], [["X", "Y"]], unlabelled=[["a", "c"]])
    >>> learner.predict([["c"]])
    [['Y']]
    """

    def __init__(
        self,
        base: SequenceModel,
        *,
        gamma: float = 0.9,
        rounds: int = 5,
        blend: BlendBy = "scores",
        jobs: int | None = None,
        executor: Executor | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        options: DecoderOptions | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(
            base,
            gamma=gamma,
            rounds=rounds,
            blend=blend,
            jobs=jobs,
            executor=executor,
            checkpoint=checkpoint,
            options=options,
            verbose=verbose,
        )


def _with_prices(rules: Rules, prices: Mapping[str, float | str]) -> Rules:
    """The rules at other prices, where there are any."""
    return Rules(
        rule.soft(prices[rule.name], per=rule.per) if rule.name in prices else rule  # type: ignore[arg-type]
        for rule in rules
    )


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
