"""Fees that are found for many answers in one call are what dropping each rule, one after the other, says."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful.decoding import Decoder, Decodings
from lawful.explanation.subset_answers import SubsetAnswers
from lawful.report.content import RuleEffect
from lawful.report.numbered_batch import NumberedLabels, numbers_of
from lawful.report.rule_effects import find_fees, measure_effects

LABELS = lawful.LabelSet(["A", "B", "C"])
RULES = lawful.Rules(
    lawful.at_most(1, "A").soft(0.7),
    lawful.when(lawful.token.matches("x")).then("B").soft(0.5, per="violation"),
    lawful.requires("B", "C").soft(0.4),
    lawful.change_only_after(lawful.token.matches("y")),
)


def lattices(count: int, rng: np.random.Generator) -> list[lawful.Lattice]:
    return [
        lawful.Lattice(
            rng.normal(size=(length, 3)), labels=LABELS, tokens=rng.choice(["x", "y"], length).tolist()
        )
        for length in rng.integers(1, 6, size=count).tolist()
    ]


def numbered(decodings: Decodings) -> NumberedLabels:
    return numbers_of(decodings, np.array([len(labels) for labels in decodings.labels], dtype=np.int64))


@pytest.mark.parametrize("seed", range(5))
def test_fees_are_prices(seed: int) -> None:
    decoder = Decoder(RULES, labels=LABELS, on_limit="bounded", on_infeasible="least_bad")
    decodings = decoder.decode_batch(lattices(200, np.random.default_rng(seed)))
    paying = [index for index, decoding in enumerate(decodings) if not decoding.changed and decoding.loss > 0]
    counts = np.array([list(decoding.violations.values()) for decoding in decodings])
    fees = find_fees(decoder, decodings, numbered(decodings), np.array(paying), counts)
    assert len(paying) > len(fees) > 10  # some pay for two rules, or would change under one alone
    for index, fee in fees.items():
        effects = [RuleEffect(rule) for rule in RULES]
        assert measure_effects(effects, SubsetAnswers(decodings[index]), None)
        assert [effect.price for effect in effects] == [
            fee.price if rule == fee.rule else 0.0 for rule in range(len(RULES))
        ]
        assert [(effect.sequences, effect.tokens) for effect in effects] == [(0, 0)] * len(RULES)


def test_what_is_best_under_one_rule_only_has_no_fee() -> None:
    """Both rules together leave AB, which pays for the first; under the first alone it would be BB."""
    rules = lawful.Rules(lawful.starts_with("B").soft(1.0), lawful.at_most(1, "B").soft(2.0))
    decoder = Decoder(rules, labels=["A", "B"])
    obeying = lawful.Lattice([[0.0, 3.0], [3.0, 0.0]], labels=["A", "B"])
    paying = lawful.Lattice([[0.5, 0.0], [0.0, 3.0]], labels=["A", "B"])
    decodings = decoder.decode_batch([obeying, paying])
    assert decodings.labels[1] == decodings[1].plain_labels == ("A", "B")
    counts = np.array([[0, 0], [1, 0]])
    assert find_fees(decoder, decodings, numbered(decodings), np.array([1]), counts) == {}
    effects = [RuleEffect(rule) for rule in rules]
    assert measure_effects(effects, SubsetAnswers(decodings[1]), None)
    assert [round(effect.price, 12) for effect in effects] == [1.0, 0.5]


def test_no_answers_have_no_fees() -> None:
    decoder, nobody = Decoder(RULES, labels=LABELS), np.zeros(0, dtype=np.int64)
    nothing = decoder.decode_batch([])
    assert find_fees(decoder, nothing, numbered(nothing), nobody, np.zeros((0, 4), dtype=np.int64)) == {}


@pytest.mark.parametrize("price", ["hard", 5.0])
def test_graphs_are_judged_by_the_rule_that_is_left(price: float | str) -> None:
    """The best answer under one rule alone may break the others: that is no flaw of the search."""
    lattice = lawful.from_nbest([(["A"], 0.0), (["B", "B"], -1.0)], labels=["A", "B"])
    rules = lawful.Rules(lawful.at_least(1, "B").soft(2.0), lawful.at_most(1, "B").soft(price))
    decoder = Decoder(rules, labels=["A", "B"])
    decodings = decoder.decode_batch([lattice])
    assert decodings.labels == [("A",)]
    assert find_fees(decoder, decodings, numbered(decodings), np.array([0]), np.array([[1, 0]])) == {}
    alone = decoder.decode(decoder.tie(lattice, decodings[0].bound_rules.only([0])))
    assert alone.labels == ("B", "B")
