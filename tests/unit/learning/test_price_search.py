"""The held-out search for prices."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import lawful
from lawful import HMM, Rules
from lawful.errors import InputError, UnpricedRuleError
from lawful.learning import estimate_prices, scale_prices
from lawful.learning.prices.search import best_factors

RULES = Rules(
    lawful.forbid("A").soft(2.0, per="violation", name="a"),
    lawful.forbid("B").named("b"),
    lawful.at_most(1, "C").soft(1.0, name="c"),
)


def test_prices_are_scaled() -> None:
    assert [rule.price for rule in scale_prices(RULES, 3.0)] == [6.0, "hard", 3.0]
    assert [rule.price for rule in scale_prices(RULES, {"c": 0.0})] == [2.0, "hard", 0.0]
    assert scale_prices(RULES, 3.0)["a"].per == "violation"
    with pytest.raises(UnpricedRuleError):
        scale_prices(Rules(lawful.forbid("A").soft("learn")), 2.0)


def test_the_best_of_all_that_was_tried_is_kept() -> None:
    def score(rules: Rules) -> float:
        return -abs(rules["a"].price - 8.0) - abs(rules["c"].price - 0.5)

    common = best_factors(RULES, score, rounds=0)
    assert [rule.price for rule in common.rules] == [8.0, "hard", 4.0]
    found = best_factors(RULES, score, rounds=3)
    assert [rule.price for rule in found.rules] == [8.0, "hard", 0.5]
    assert found.score == 0.0
    assert found.score == max(score for _, score in found.trials)
    assert len({tuple(choice.items()) for choice, _ in found.trials}) == len(found.trials)


def test_ties_stay_with_the_prices_that_were_there() -> None:
    assert best_factors(RULES, lambda rules: 1.0).rules == RULES
    assert len(best_factors(Rules(), lambda rules: 1.0).trials) == 1


def test_it_searches_on_held_out_data() -> None:
    X, y = [["a", "b"], ["a", "c"], ["b", "a"]], [["Q", "Q"]] * 3
    model = HMM(emission_smoothing=2.0).fit([["a", "b"]] * 3 + [["b", "a"]], [["P", "P"]] * 3 + [["Q", "Q"]])
    assert model.predict(X) == [["P", "P"]] * 3
    rules = Rules(lawful.ends_with("Q").soft(0.01, name="end"))
    gold = list(zip(X, y, strict=True))
    found = estimate_prices(rules, gold, method="search", tagger=model, factors=(1.0, 1000.0))
    assert found["end"].price == pytest.approx(10.0)
    assert model.score(X, y, found) > model.score(X, y, rules)

    def opposite(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> float:
        return -sum(labels.count("Q") for labels in predicted)

    found = estimate_prices(
        rules, gold, method="search", tagger=model, factors=(1.0, 1000.0), metric=opposite
    )
    assert found == rules


def test_factors_are_checked() -> None:
    for bad in ((), (-1.0,)):
        with pytest.raises(InputError, match="factors"):
            best_factors(RULES, lambda rules: 1.0, factors=bad)
