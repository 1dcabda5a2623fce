"""A model under rules: fitted without them, answering with them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import lawful
from lawful import HMM, Rules, estimate_prices
from lawful.errors import NotFittedError
from lawful.learning import CCM

X = [["Ann", ".", "Law"], ["Bob", ",", "Art"], ["On", "law", "."], ["Cid", "Art", "."]]
Y = [
    ["name", "name", "title"],
    ["name", "name", "title"],
    ["title", "title", "title"],
    ["name", "title", "title"],
]
RULES = Rules(
    lawful.starts_with("name").soft("learn", name="start"),
    lawful.change_only_after(lawful.token.is_in([".", ","])).soft("learn", per="violation", name="points"),
)


def test_the_model_is_fitted_without_rules_and_answers_with_them() -> None:
    model = CCM(HMM(), RULES).fit(X, Y)
    plain, priced = HMM().fit(X, Y), estimate_prices(RULES, zip(X, Y, strict=True), occasions="tokens")
    assert np.array_equal(model.lattice(X[0]).emissions, plain.lattice(X[0]).emissions)
    assert model.rules_ == priced
    assert model.predict(X) == plain.predict(X, priced)
    assert model.predict(X, rules=()) == plain.predict(X)
    for ours, theirs in zip(model.predict_marginals(X), plain.predict_marginals(X, priced), strict=True):
        assert np.array_equal(ours, theirs)


def test_hard_rules_are_obeyed() -> None:
    hard = Rules(rule.hard() for rule in RULES)
    model = CCM(HMM(), hard).fit(X, Y)
    assert model.rules_ == hard
    assert not any(
        sum(hard.violations(labels, tokens).values())
        for tokens, labels in zip(X, model.predict(X), strict=True)
    )


def test_ties_and_smoothing_reach_the_prices() -> None:
    model = CCM(HMM(), RULES, price_smoothing=2.0, ties=[["start", "points"]]).fit(X, Y)
    assert model.rules_ == estimate_prices(
        RULES, zip(X, Y, strict=True), smoothing=2.0, ties=[["start", "points"]], occasions="tokens"
    )
    counted = CCM(HMM(), RULES, price_occasions="breakable").fit(X, Y)
    assert counted.rules_ == estimate_prices(RULES, zip(X, Y, strict=True)) != model.rules_


def test_scikit_learns_manners() -> None:
    model = clone(CCM(HMM(), RULES))
    with pytest.raises(NotFittedError, match="CCM"):
        model.predict(X)
    found = GridSearchCV(model, {"base__emission_smoothing": [0.1, 1.0]}, cv=2).fit(X * 2, Y * 2)
    assert found.best_estimator_.rules_.names == RULES.names
