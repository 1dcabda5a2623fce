"""Rules tied to one sequence: counted, narrowed and priced anew, they mean what the rules themselves say."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import lawful
from lawful.errors import InputError
from lawful.lattice import path_score
from lawful.rules.bound_rules import bind
from lawful.rules.compiled_rules import CompiledRules
from lawful.solvers.choice import auto
from lawful.solvers.problem import Problem
from lawful.testing import random_label_set, random_lattice, random_rules

LABELS = lawful.LabelSet(["A", "B"])
TOKENS = ["x", "7", "y", "8"]
SPANS = lawful.context("spans")
RULES = lawful.Rules(
    lawful.at_most(1, "A").named("one A"),
    lawful.uniform(SPANS).soft(2.0, name="uniform"),  # overlapping spans: two machines, paid for once
    lawful.uniform(SPANS).soft(0.5, per="violation", name="each"),
    lawful.uniform(SPANS).named("hard"),
    lawful.when(str.isdigit).then("B").soft("learn", name="digits"),
    lawful.at_least(3, "B").soft(1.0, name="many B"),
)
CONTEXT = {"spans": [(0, 3), (1, 4)]}


def every_path(length: int = 4):
    return itertools.product(LABELS, repeat=length)


def bound_rules(rules: lawful.Rules = RULES):
    return bind(CompiledRules(rules, LABELS), 4, TOKENS, CONTEXT)


@pytest.mark.parametrize("seed", range(5))
def test_counts_are_those_of_the_rules(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(20):
        labels = random_label_set(rng)
        lattice = random_lattice(rng, length=int(rng.integers(1, 7)), labels=labels)
        rules = random_rules(rng, labels, int(rng.integers(1, 5)))
        bound = bind(CompiledRules(rules, labels), lattice.length, lattice.tokens, lattice.context)
        for _ in range(5):
            path = rng.integers(0, len(labels), size=lattice.length)
            counts = rules.violations(
                labels.decode(path.tolist()), lattice.tokens, lattice.context, label_set=labels
            )
            assert bound.count(path).tolist() == list(counts.values())
            twice = np.array([path, path[::-1]], dtype=np.int32)
            assert bound.count_each(twice).tolist() == [bound.count(row).tolist() for row in twice]
            positions = bound.positions(path)
            assert all(len(where) <= count for where, count in zip(positions, counts.values(), strict=True))


def test_counts_and_positions_do_not_depend_on_prices() -> None:
    bound = bound_rules()
    others = [
        bound.at_prices([math.inf, 0.0, 3.0, 1.0, 2.0, 0.0]),
        bound.with_hard_rules_counted(100.0),
        bound.also(bound._machines[0][0].machine, "more").only(range(6)),
    ]
    for path in every_path():
        counts = list(RULES.violations(path, TOKENS, CONTEXT).values())
        assert bound.count(path).tolist() == counts
        assert bound.positions(path)[4] == tuple(
            t for t in range(4) if TOKENS[t].isdigit() and path[t] != "B"
        )
        for other in others:
            assert other.count(path)[:6].tolist() == counts
            assert other.positions(path)[:6] == bound.positions(path)


def test_some_rules_only() -> None:
    bound = bound_rules()
    some = bound.only({1, 4})
    assert some.in_force == (1, 4) and some.names == RULES.names
    for path in every_path():
        counts = bound.count(path)
        assert some.count(path).tolist() == [0, counts[1], 0, 0, counts[4], 0]
    assert some.only([]).in_force == ()


@pytest.mark.parametrize(
    "prices",
    [
        [math.inf, 2.0, 0.5, math.inf, 0.0, 1.0],
        [1.0, math.inf, 3.0, 0.7, 1.5, 0.0],
        [0.0, 0.3, math.inf, 0.0, math.inf, 0.2],
        [0.0] * 6,
    ],
)
def test_other_prices_are_those_of_rules_made_with_them(prices: list[float]) -> None:
    rng = np.random.default_rng(3)
    bound = bound_rules().at_prices(prices)
    rules = lawful.Rules(rule.soft(price, per=rule.per) for rule, price in zip(RULES, prices, strict=True))
    assert bound.rules == rules
    anew = bind(CompiledRules(rules, LABELS), 4, TOKENS, CONTEXT)
    for _ in range(10):
        lattice = lawful.Lattice(rng.normal(size=(4, 2)), labels=LABELS, tokens=TOKENS, context=CONTEXT)
        found, best = auto(Problem(lattice, bound)), auto(Problem(lattice, anew))
        assert found.labels == best.labels and found.status == best.status
        assert found.score == pytest.approx(best.score, abs=1e-12)
        if best.labels is not None:
            assert path_score(lattice, best.labels) >= best.score - 1e-12


def test_a_rule_at_no_price_is_not_in_force() -> None:
    assert bound_rules().at_prices([1.0, 0.0, 0.0, 0.0, 2.0, 0.0]).in_force == (0, 4)


def test_token_tests_are_asked_once() -> None:
    asked: list[str] = []
    rules = lawful.Rules(lawful.when(lambda word: asked.append(word) or word == "x").then("A").soft("learn"))
    bound = bind(CompiledRules(rules, LABELS), 2, ["x", "y"], {})
    bound.at_prices([1.0]).at_prices([3.0]).only([0]).count(["B", "B"])
    assert asked == ["x", "y"]


def test_parts_at_the_same_price_are_shared() -> None:
    compiled = CompiledRules(RULES, LABELS)
    prices = [1.0] * 6
    first = bind(compiled, 4, TOKENS, CONTEXT).at_prices(prices)
    second = bind(compiled, 4, TOKENS, CONTEXT).at_prices(prices)
    assert [part for part in first.parts if part.rule in (0, 4, 5)] == [
        part for part in second.parts if part.rule in (0, 4, 5)
    ]


def test_there_is_a_price_for_every_rule() -> None:
    with pytest.raises(InputError, match="expected a price for each of 6 rules, got 1"):
        bound_rules().at_prices([1.0])


def test_a_decoder_takes_lattices_with_rules_at_other_prices() -> None:
    rules = lawful.Rules(lawful.at_most(1, "A").soft(0.0, name="one A"), lawful.ends_with("B"))
    decoder = lawful.Decoder(rules, labels=LABELS, on_infeasible="least_bad")
    lattice = lawful.Lattice([[2.0, 0.0], [3.0, 0.0]], labels=LABELS)
    bound = decoder.bind(2)
    tied = [decoder.tie(lattice, bound.at_prices(prices)) for prices in ([0.0, 0.0], [9.0, 0.0], [0.0, 9.0])]
    answers = [("A", "A"), ("B", "A"), ("A", "B")]
    assert [decoder.decode(prepared).labels for prepared in tied] == answers
    assert decoder.decode_batch(tied).labels == answers
    assert decoder.decode(tied[1]).rules["one A"].price == 9.0
