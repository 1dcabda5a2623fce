"""Expectation maximisation for the HMM: soft labels for what has none."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Self

import numpy as np

from lawful.corpus.sequences import ContextsLike, SequencesLike
from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice.arrays import Floats
from lawful.learning.history import Round
from lawful.learning.learner import RuledLearner, Watch, accuracy_on, watched_data
from lawful.learning.pool import check_gamma, pool_of
from lawful.models.base.estimator import SequenceModel
from lawful.models.base.sequences import LabelledData, check_data, labels_in
from lawful.models.blend import Blend
from lawful.models.hmm.counts import Counts, count
from lawful.models.hmm.model import HMM
from lawful.models.hmm.sums import expected_counts
from lawful.rules.ruleset import Rules
from lawful.support.numbers import check_count, check_number

__all__ = ["EM"]


class EM(RuledLearner):
    """Expectation maximisation (Baum-Welch) for an `HMM`, from labelled and unlabelled sequences.

    Parameters
    ----------
    base : HMM
        Its parameters; it stays as it is.
    gamma : float, optional
        None: the expected counts of the pool are added to the counts of the labelled data, which is EM proper: its objective
        never falls. A number: each round uses `gamma` times the supervised model plus `1 - gamma` times what the pool's
        counts give, as in Algorithm 2 of Chang, Ratinov & Roth (2012).
    rounds : int
    weight : float
        How much a sequence of the pool counts beside a labelled one (EM proper only).
    blend : "scores" or "probabilities"
        What `gamma` averages.
    tolerance : float
        Stop when the objective rises by less, relative to its size.
    verbose : bool
        Whether to print one line per round.

    Notes
    -----
    The objective is the log-likelihood of the labelled sequences with their labels, plus that of the pool's tokens, plus
    the log-density of the smoothing as a prior, of which the estimates are the mode. With rare words that stand for unknown ones
    (`rare`) or with back-off, estimates are no longer exactly the mode, and the objective may fall a little.

    Examples
    --------
    >>> import lawful
    >>> learner = lawful.learning.EM(lawful.HMM(), rounds=3).fit([["a", "b"]], [["X", "Y"]], unlabelled=[["a", "c"]])
    >>> learner.predict([["a", "c"]])
    [['X', 'Y']]
    """

    def __init__(
        self,
        base: HMM,
        *,
        gamma: float | None = None,
        rounds: int = 10,
        weight: float = 1.0,
        blend: Literal["scores", "probabilities"] = "probabilities",
        tolerance: float = 0.0,
        verbose: bool = False,
    ) -> None:
        self.base, self.gamma, self.rounds, self.weight = base, gamma, rounds, weight
        self.blend, self.tolerance, self.verbose = blend, tolerance, verbose

    def fit(
        self,
        X: SequencesLike,
        y: Iterable[Sequence[str]],
        unlabelled: SequencesLike = (),
        *,
        contexts: ContextsLike = None,
        unlabelled_contexts: ContextsLike = None,
        watch: Watch | None = None,
    ) -> Self:
        """Learn from labelled and unlabelled sequences.

        Parameters
        ----------
        X, y : iterables of token sequences (or of `Sentence`) and label sequences
        unlabelled : iterable of token sequences, or of `Sentence`
        contexts, unlabelled_contexts : iterables of mappings, optional
            Checked, but not looked at: there are no rules here that could ask. Learners with rules are called alike.
        watch : (X, y) or (X, y, contexts), optional
            The accuracy on these is noted in the history after each round; nothing is learned from it.
        """
        if not isinstance(self.base, HMM):
            raise InputError(f"EM fits an HMM, got {self.base!r}; CoDL and HardEM take any model")
        check_count("rounds", self.rounds)
        check_number("weight", self.weight)
        check_number("tolerance", self.tolerance)
        tokens, gold, _ = check_data(X, y, contexts)
        pool, watched = pool_of(unlabelled, unlabelled_contexts).tokens, watched_data(watch)
        self.labels_ = LabelSet(self.base.given_labels) if self.base.given_labels else labels_in(gold)
        self.rules_, self.history_ = Rules(), []
        step = self._proper(tokens, gold, pool) if self.gamma is None else self._blended(tokens, gold, pool)
        self._note(0, time.perf_counter(), None, watched)
        for number in range(1, self.rounds + 1 if pool else 0):
            started = time.perf_counter()
            objective = step()
            risen = objective - (self.history_[-1].objective or -np.inf)
            self._note(number, started, objective, watched)
            if number > 1 and risen <= self.tolerance * abs(objective):
                break
        return self

    def _proper(self, tokens: Any, gold: Any, pool: Any) -> Any:
        """One step of EM over counts, with one vocabulary for both."""
        model = self.base.unfitted().prepare([*tokens, *pool], self.labels_)
        known = count(model.flatten(tokens), gold, self.labels_, model.vocabularies_)
        self.model_ = model.fit_counts(known)
        flat = model.flatten(pool)

        def step() -> float:
            found = expected_counts(model, pool, flat, model.vocabularies_)
            objective = self.weight * found.log_likelihood + _log_density(model, known)
            model.fit_counts(known.plus(found.counts, self.weight))
            return objective

        return step

    def _blended(self, tokens: Any, gold: Any, pool: Any) -> Any:
        """One step of EM on the pool alone, averaged with the supervised model."""
        gamma = check_gamma(self.gamma)
        supervised: SequenceModel = (
            self.base.unfitted().set_params(labels=list(self.labels_)).fit(tokens, gold)
        )
        self.model_ = supervised
        shape = self.base.unfitted().prepare(pool, self.labels_)
        flat = shape.flatten(pool)

        def step() -> float:
            found = expected_counts(self.model_, pool, flat, shape.vocabularies_)
            learned = self.base.unfitted().prepare(pool, self.labels_).fit_counts(found.counts)
            self.model_ = Blend([supervised, learned], [gamma, 1 - gamma], how=self.blend)
            return found.log_likelihood

        return step

    def _note(
        self, number: int, started: float, objective: float | None, watched: LabelledData | None
    ) -> None:
        accuracy = accuracy_on(self, watched)
        seconds = time.perf_counter() - started
        self.history_.append(Round(number, objective=objective, accuracy=accuracy, seconds=seconds))
        if self.verbose:
            print(self.history_[-1], flush=True)


def _log_density(model: HMM, known: Counts) -> float:
    """The log-likelihood of counted events, and the log-density of the smoothing, up to a constant."""
    added = model.transition_smoothing
    total = _dot(known.start + added, model.start_) + _dot(known.transitions + added, model.transitions_)
    if model.end_ is not None:
        total += _dot(known.end + added, model.end_)
    for table, logs, words in zip(known.emissions, model.emissions_, model.vocabularies_, strict=True):
        total += _dot(table + model.smoothing_of(words.emission), logs)
    return total


def _dot(counts: Floats, logs: Floats) -> float:
    """The sum of counts times logs, where nothing times -inf is nothing."""
    return float(np.sum(np.multiply(counts, logs, where=counts > 0, out=np.zeros_like(logs))))
