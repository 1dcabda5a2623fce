"""The constrained conditional model: a model, rules, and what breaking each of them costs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Self

from lawful.corpus.sequences import ContextsLike, SequencesLike
from lawful.lattice.tagger import warn_if_uncalibrated
from lawful.learning.learner import RuledLearner, check_base
from lawful.learning.prices.estimating import estimate_prices
from lawful.learning.prices.log_odds import Occasions
from lawful.models.base.estimator import SequenceModel
from lawful.models.base.sequences import check_data
from lawful.rules.given_rules import RulesLike, as_rules

__all__ = ["CCM"]


class CCM(RuledLearner):
    """A model that answers under rules (Chang, Ratinov & Roth 2012, Algorithm 1), around any model of ours.

    `fit` fits the model as if there were no rules, and fills in the prices of rules whose price is "learn" from the
    same data. `predict` obeys the rules. With hard rules there is nothing more to learn.

    Parameters
    ----------
    base : SequenceModel
        What is fitted; it stays as it is.
    rules : Rules, rule, iterable of rules, or the path of a rule file
        Hard, priced, or with price "learn".
    price_smoothing, price_occasions : float, "breakable" or "tokens"
        For learned prices; see `smoothing` and `occasions` of `estimate_prices`. The paper counts every token. That makes rules
        dearer than few labelled sequences can justify, which is right where people wrote them and know that they hold.
    ties : iterable of collections of names
        Rules that share a learned price.

    Attributes
    ----------
    model_ : SequenceModel
    rules_ : Rules
        The rules, with their prices filled in.

    Examples
    --------
    >>> import lawful
    >>> rules = lawful.starts_with("name").soft("learn", name="start")
    >>> model = lawful.learning.CCM(lawful.HMM(), rules).fit([["Ann", "On", "law"], ["Of", "Bob"]], [["name", "title", "title"], ["title", "name"]])
    >>> model.rules_["start"].price
    0.0
    """

    def __init__(
        self,
        base: SequenceModel,
        rules: RulesLike = (),
        *,
        price_smoothing: float = 0.5,
        price_occasions: Occasions = "tokens",
        ties: Iterable[Collection[str]] = (),
    ) -> None:
        self.base, self.rules = base, rules
        self.price_smoothing, self.price_occasions, self.ties = price_smoothing, price_occasions, ties

    def fit(self, X: SequencesLike, y: Iterable[Sequence[str]], *, contexts: ContextsLike = None) -> Self:
        """Fit the model, and learn the prices that are to be learned.

        Parameters
        ----------
        X, y : iterables of token sequences (or of `Sentence`) and label sequences
        contexts : iterable of mappings, optional
            What comes with each sequence by name, for rules that ask for it; a `Sentence` brings its own.
        """
        check_base(self.base)
        data = check_data(X, y, contexts)
        rules = as_rules(self.rules)
        if any(rule.price == "learn" for rule in rules):
            warn_if_uncalibrated(self.base)
        self.model_ = self.base.unfitted().fit(data.tokens, data.labels)
        self.labels_, self.history_ = self.model_.labels, []
        self.rules_ = estimate_prices(
            rules,
            data.triples(),
            smoothing=self.price_smoothing,
            ties=self.ties,
            occasions=self.price_occasions,
            labels=self.labels_,
        )
        return self
