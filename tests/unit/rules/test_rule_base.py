"""Names, prices, counting modes and how a rule prints."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from lawful.errors import PriceError, RuleError, TokenError
from lawful.rules import at_most, at_most_segments, forbid, token, when


def test_prints_as_the_code_that_made_it() -> None:
    rule = at_most_segments(1, "Street").soft(2, per="violation", name="x")
    assert repr(rule) == "at_most_segments(1, 'Street').soft(2.0, per='violation', name='x')"
    assert repr(rule.hard()) == "at_most_segments(1, 'Street').named('x')"
    assert repr(at_most(1, "A").soft("learn")) == "at_most(1, 'A').soft('learn')"


def test_automatic_names_leave_the_price_out() -> None:
    rule = at_most(1, "A").soft(3.5)
    assert rule.name == "at_most(1, 'A')"
    assert not rule.has_own_name
    assert rule.named("once").has_own_name
    assert rule.named("once").named("").name == "at_most(1, 'A')"


def test_long_automatic_names_are_cut() -> None:
    rule = when(token.is_in([f"word{i}" for i in range(1000)])).then("A")
    assert len(rule.name) == 100
    assert rule.name.endswith("...")
    assert not rule.has_own_name


def test_soft_and_hard() -> None:
    soft = at_most(1, "A").soft(2, per="violation", name="once")
    assert (soft.price, soft.per, soft.name) == (2.0, "violation", "once")
    assert soft.soft(1).name == "once"
    assert (soft.hard().price, soft.hard().per) == ("hard", "sequence")
    assert soft.hard("other").name == "other"


def test_an_infinite_price_is_hard() -> None:
    assert at_most(1, "A").soft(float("inf"), per="violation") == at_most(1, "A")


@pytest.mark.parametrize("price", [0, 1, 2.5, np.float32(1.5), np.int64(3)])
def test_numbers_are_prices(price: float) -> None:
    assert at_most(1, "A").soft(price).price == float(price)
    assert type(at_most(1, "A").soft(price).price) is float


@pytest.mark.parametrize("price", [-1, float("nan"), "soft", "", True, None, [1], 1j, -float("inf")])
def test_other_prices_are_refused(price: object) -> None:
    with pytest.raises(PriceError) as caught:
        at_most(1, "A").soft(price)
    assert caught.value.rule == "at_most(1, 'A')"


def test_other_modes_and_names_are_refused() -> None:
    with pytest.raises(RuleError, match="per must be"):
        at_most(1, "A").soft(1, per="token")
    with pytest.raises(RuleError, match="name must be a string"):
        at_most(1, "A").named(3)


def test_rules_are_frozen_values() -> None:
    rule = at_most(1, ["A", "B", "A"])
    assert rule == at_most(1, "A", "B")
    assert hash(rule) == hash(at_most(1, "A", "B"))
    assert at_most(2, {"B", "A"}) == at_most(2, "A", "B")
    with pytest.raises(FrozenInstanceError):
        rule.n = 2


def test_operators_need_rules() -> None:
    for combine in (lambda a, b: a & b, lambda a, b: a | b, lambda a, b: a ^ b):
        with pytest.raises(TypeError):
            combine(forbid("A"), "B")
    with pytest.raises(RuleError, match="logic combines rules"):
        forbid("A").implies("B")


def test_labels_and_tokens_must_be_as_many() -> None:
    with pytest.raises(TokenError, match="2 labels but 1 tokens"):
        forbid("A").violations(["A", "B"], tokens=["x"])
