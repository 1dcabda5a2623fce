"""Exact maximum likelihood under rules: the partition function sums over legal labellings only."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal, Self

import numpy as np

from lawful.corpus.sequences import ContextsLike, SequencesLike
from lawful.errors import InputError, ProductTooLargeError
from lawful.labels import LabelSet
from lawful.learning.learner import RuledLearner
from lawful.learning.likelihood.legal_corpus import LegalCorpus
from lawful.learning.likelihood.legal_paths import LegalPaths, PricedPart, find_legal_paths
from lawful.learning.likelihood.objective import Likelihood
from lawful.learning.prices.learned_prices import LearnedPrices
from lawful.models.base.estimator import SequenceModel
from lawful.models.base.sequences import check_data, labels_in
from lawful.models.crf import CRF
from lawful.models.linear.progress import Progress
from lawful.rules.given_rules import RulesLike, as_rules
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules
from lawful.support.extras import require
from lawful.support.numbers import check_choice, check_count, check_number

__all__ = ["ConstrainedLikelihood"]


class ConstrainedLikelihood(RuledLearner):
    """A CRF whose likelihood is that of the gold labels among the legal ones, and whose prices are parameters.

    p(y | x) is proportional to exp(w f(x, y) - sum of prices paid) over labellings that break no hard rule, as when
    it answers. So weights need not learn what the rules say, and a price is what it should be beside these weights. Sums are
    over the product of each sequence with all rules at once, which must fit: local rules and a few that remember a
    little; not thirteen fields that each appear once. `RuledPerceptron` has no such limit.

    Parameters
    ----------
    base : CRF
        Its templates, groups, choice of features, and c2; c1 must be 0. It has no transition features.
    rules : Rules, rule, iterable of rules, or the path of a rule file
        Hard, priced, or with price "learn": these are found together with the weights, from 0 on.
    price_penalty : float, optional
        Coefficient of the squares of learned prices; the base's c2 if not given. A rule that is never broken needs one.
    on_illegal : "raise" or "drop"
        What to do with sequences whose gold labels break a hard rule.
    max_iterations : int
    tolerance : float
        Stops when an iteration improves the objective by less than this share.
    max_states : int
        Of the product of one sequence with all rules. Beyond: `ProductTooLargeError`.
    ties : iterable of collections of names
        Rules that share a learned price.
    labels : sequence of str, optional
        The labels, in order; those that occur, by the alphabet, if not given.

    Attributes
    ----------
    model_ : CRF
    rules_ : Rules
    objective_ : float
    progress_ : list of Progress

    Examples
    --------
    >>> import lawful
    >>> X = [[["w=a"], ["w=b"]], [["w=b"], ["w=b"]]]
    >>> y = [["A", "B"], ["B", "A"]]
    >>> learner = lawful.learning.ConstrainedLikelihood(lawful.CRF(c2=0.1), lawful.exactly(1, "A")).fit(X, y)
    >>> learner.predict([[["w=a"], ["w=b"]], [["w=b"], ["w=a"]]])
    [['A', 'B'], ['B', 'A']]
    """

    def __init__(
        self,
        base: SequenceModel,
        rules: RulesLike = (),
        *,
        price_penalty: float | None = None,
        on_illegal: Literal["raise", "drop"] = "raise",
        max_iterations: int = 200,
        tolerance: float = 1e-6,
        max_states: int = 200_000,
        ties: Iterable[Collection[str]] = (),
        labels: Sequence[str] | None = None,
    ) -> None:
        self.base, self.rules, self.price_penalty, self.on_illegal = base, rules, price_penalty, on_illegal
        self.max_iterations, self.tolerance, self.max_states = max_iterations, tolerance, max_states
        self.ties, self.given_labels = ties, labels

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
        optimize = require("constrained likelihood", "scipy.optimize", "likelihood")
        likelihood = self.likelihood(X, y, contexts=contexts)
        self.progress_: list[Progress] = []
        optimum = optimize.minimize(
            likelihood.value_and_gradient,
            np.zeros(likelihood.size),
            jac=True,
            method="L-BFGS-B",
            bounds=[(None, None)] * likelihood.weights
            + [(0.0, None)] * (likelihood.size - likelihood.weights),
            callback=lambda intermediate_result: self._note(intermediate_result),
            options={"maxiter": self.max_iterations, "ftol": self.tolerance, "gtol": 1e-4, "maxcor": 10},
        )
        self.objective_ = float(optimum.fun)
        self.model_ = likelihood.into_model(optimum.x[: likelihood.weights], self.objective_)
        self.rules_ = likelihood.prices.rules(optimum.x[likelihood.weights :])
        self.history_ = []
        return self

    def _note(self, intermediate_result: Any) -> None:
        norm = float(np.linalg.norm(intermediate_result.x))
        number = len(self.progress_) + 1
        self.progress_.append(Progress("lbfgs", number, float(intermediate_result.fun), None, norm, 0.0))

    def likelihood(
        self,
        X: SequencesLike,
        y: Iterable[Sequence[str]],
        *,
        contexts: ContextsLike = None,
    ) -> Likelihood:
        """What `fit` minimises, as a function of weights and prices."""
        crf = self.base
        if not isinstance(crf, CRF) or crf.c1 or crf.transition_features is not None:
            raise InputError("constrained likelihood takes a CRF with c1=0 and without transition_features")
        check_choice("on_illegal", self.on_illegal, ("raise", "drop"))
        check_count("max_iterations", self.max_iterations, least=1)
        check_count("max_states", self.max_states, least=1)
        check_number("tolerance", self.tolerance)
        if self.price_penalty is not None:
            check_number("price_penalty", self.price_penalty)
        rules = as_rules(self.rules)
        tokens, gold, named = check_data(X, y, contexts)
        self.labels_ = LabelSet(self.given_labels) if self.given_labels else labels_in(gold)
        legal = [
            number
            for number in range(len(tokens))
            if self._is_legal(rules, number, tokens[number], gold[number], named[number] if named else {})
        ]
        if not legal:
            raise InputError(
                "the gold labels of every sequence break a hard rule: nothing is left to learn from"
            )
        tokens, gold = [tokens[i] for i in legal], [gold[i] for i in legal]
        named = [named[i] for i in legal] if named else None
        prices = LearnedPrices(rules, self.labels_, tokens, self.ties, named)
        fixed, paths = self._paths(prices, [len(item) for item in tokens])
        corpus = LegalCorpus(paths, len(self.labels_))
        penalty = crf.c2 if self.price_penalty is None else self.price_penalty
        return Likelihood(crf, tokens, gold, self.labels_, corpus, prices, fixed, penalty)

    def _is_legal(self, rules: Rules, number: int, tokens: Any, labels: Any, context: Any) -> bool:
        for rule in rules:
            if rule.price == "hard" and self._breaks(rule, number, tokens, labels, context):
                if self.on_illegal == "drop":
                    return False
                raise InputError(
                    f"the gold labels of sequence {number + 1} break the hard rule {rule.name!r}, so no weights can make "
                    "them likely: give the rule a price, or drop such sequences with on_illegal='drop'"
                )
        return True

    @staticmethod
    def _breaks(rule: Rule, number: int, tokens: Any, labels: Any, context: Any) -> bool:
        try:
            return rule.violations(labels, tokens, context) > 0
        except InputError as error:
            error.add_note(f"in sequence {number + 1} of the training data")
            raise

    def _paths(self, prices: LearnedPrices, lengths: list[int]) -> tuple[list[float], list[LegalPaths]]:
        """The fixed prices, which stand behind the learned ones, and the legal paths of each sequence."""
        fixed: list[float] = []
        price_of_rule = list(prices.price_of_rule)
        for index, rule in enumerate(prices.corpus.rules):
            if isinstance(rule.price, float) and math.isfinite(rule.price):
                price_of_rule[index] = len(prices.names) + len(fixed)
                fixed.append(rule.price)
        unit = [math.inf if rule.price == "hard" else 1.0 for rule in prices.corpus.rules]
        legal = []
        for number, length in enumerate(lengths):
            bound = prices.corpus.bound[number].at_prices(unit)
            parts = [
                PricedPart(part, kinds, price_of_rule[part.rule])
                for part, kinds in zip(bound.parts, bound.kinds, strict=True)
            ]
            try:
                legal.append(
                    find_legal_paths(
                        length,
                        len(self.labels_),
                        len(prices.names) + len(fixed),
                        parts,
                        max_states=self.max_states,
                    )
                )
            except ProductTooLargeError as error:
                error.add_note(f"in training sequence {number + 1}")
                raise
        return fixed, legal
