"""A price is the log odds of keeping a rule."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import lawful
from lawful import Rules, estimate_prices
from lawful.errors import InputError, UnpricedRuleError
from lawful.learning import Tally, tally_violations
from lawful.learning.prices.log_odds import prices_from
from lawful.learning.prices.ruled_corpus import RuledCorpus
from lawful.tasks.citations.rules import CITATION_FIELDS, citation_rules
from lawful.testing.generators.rules import random_rule
from lawful.testing.generators.surroundings import random_context, random_tokens

X = [["a", "b", "c", "d"], ["a", "b", "c"], ["a", "b", "c"]]
Y = [["A", "A", "A", "B"], ["B", "B", "B"], ["A", "B", "B"]]
COUNTED = lawful.at_most(1, "A").soft("learn", per="violation", name="counted")
ONCE = lawful.at_most(1, "A").soft("learn", name="once")


def test_a_counted_price_by_hand() -> None:
    """Five tokens stand behind an A, and two of them are a second or third A."""
    price = estimate_prices(COUNTED, zip(X, Y, strict=True), smoothing=0)["counted"].price
    assert price == pytest.approx(math.log(3 / 2))


def test_a_counted_price_by_the_paper() -> None:
    """Two violations among ten tokens (paper C, Eq. 13 and Algorithm 1)."""
    broken = 2 / 10
    price = estimate_prices(COUNTED, zip(X, Y, strict=True), smoothing=0, occasions="tokens")["counted"].price
    assert price == pytest.approx(-math.log(broken / (1 - broken)))


def test_a_price_per_sequence_by_hand() -> None:
    """One of three sequences is broken."""
    price = estimate_prices(ONCE, zip(X, Y, strict=True), smoothing=0)["once"].price
    assert price == pytest.approx(math.log(2 / 1))


def test_smoothing_is_added_to_both_sides() -> None:
    priced = estimate_prices(Rules(COUNTED, ONCE), zip(X, Y, strict=True), smoothing=0.5)
    assert priced["counted"].price == pytest.approx(math.log(3.5 / 2.5))
    assert priced["once"].price == pytest.approx(math.log(2.5 / 1.5))


def test_a_rule_that_always_holds_is_dear_or_hard() -> None:
    rule = lawful.forbid("C").soft("learn", per="violation", name="none")
    assert estimate_prices(rule, zip(X, Y, strict=True))["none"].price == pytest.approx(math.log(10.5 / 0.5))
    assert estimate_prices(rule, zip(X, Y, strict=True), smoothing=0)["none"].price == "hard"


def test_a_rule_that_mostly_fails_costs_nothing() -> None:
    rule = lawful.forbid("B").soft("learn", per="violation", name="none")
    assert estimate_prices(rule, zip(X, Y, strict=True))["none"].price == 0.0
    assert Tally(12, 10, 3, 3, 10, 3).price(per="violation") == 0.0


def test_only_prices_that_are_to_be_learned_are() -> None:
    rules = Rules(COUNTED, lawful.forbid("B"), lawful.forbid("A").soft(1.5, name="given"))
    priced = estimate_prices(rules, zip(X, Y, strict=True))
    assert priced.names == rules.names
    assert [rule.price for rule in priced][1:] == ["hard", 1.5]
    assert priced["counted"].per == "violation"
    with pytest.raises(UnpricedRuleError):
        lawful.Decoder(rules, labels=["A", "B"])
    lawful.Decoder(priced, labels=["A", "B"])


def test_tied_rules_share_one_price() -> None:
    rules = Rules(lawful.at_most(1, label).soft("learn", per="violation", name=label) for label in ("A", "B"))
    gold = [(list("wxyz"), list("AABC")), (list("wx"), list("CB"))]
    # After an A: 3 tokens, one of them A. After a B: 1, not B. After either: 3, since one label cannot break both.
    tallies = tally_violations(rules, gold, ties=[["A", "B"]])
    assert tallies["A"] == tallies["B"] == Tally(1, 3, 1, 2, 6, 2)
    priced = estimate_prices(rules, gold, smoothing=0, ties=[["A", "B"]])
    assert priced["A"].price == priced["B"].price == pytest.approx(math.log(2 / 1))
    apart = tally_violations(rules, gold)
    assert apart == {"A": Tally(1, 3, 1, 2, 6, 2), "B": Tally(0, 1, 0, 2, 6, 2)}
    paper = estimate_prices(rules, gold, smoothing=0, ties=[["A", "B"]], occasions="tokens")
    assert paper["B"].price == pytest.approx(math.log(5 / 1))


def test_tokens_and_context_reach_the_rules() -> None:
    rules = Rules(
        lawful.when(lawful.token.is_in(["a"])).then("A").soft("learn", per="violation", name="word"),
        lawful.uniform(lawful.context("spans")).soft("learn", per="violation", name="spans"),
    )
    gold = [(tokens, labels, {"spans": [(0, 3)]}) for tokens, labels in zip(X, Y, strict=True)]
    found = tally_violations(rules, gold)
    assert found["word"] == Tally(1, 3, 1, 3, 10, 3)
    assert found["spans"] == Tally(2, 6, 1, 3, 10, 3)


@pytest.mark.parametrize(
    ("rule", "labels", "occasions"),
    [
        (lawful.starts_with("A"), "BBBB", 1),  # the first token, once
        (lawful.label_at(-1, "A"), "BBBA", 1),
        (lawful.forbid("A"), "BBBB", 4),  # everywhere
        (lawful.at_most(2, "A"), "AABA", 2),  # behind the second A
        (
            lawful.at_most_segments(1, "A"),
            "AABA",
            1,
        ),  # behind the first segment; inside it no other can begin
        (lawful.before("A", "B"), "ABAB", 2),  # behind the first B
        (lawful.when(lawful.token.is_in(["x"])).then("A"), "ABAB", 2),  # at x
        (
            lawful.change_only_after(lawful.token.is_in(["x"])),
            "AABB",
            2,
        ),  # behind y, w; not behind x, nor at the start
        (
            lawful.segment_length("A", min=2),
            "ABAA",
            3,
        ),  # where a segment of one token could end, the end of all included
        (lawful.at_least(3, "A"), "AABB", 3),  # each A that must be there
        (lawful.requires("A", "B"), "AAAA", 1),  # the end
    ],
)
def test_an_occasion_is_where_some_label_breaks_a_rule(
    rule: lawful.Rule, labels: str, occasions: int
) -> None:
    """The tokens are w x y x."""
    tally = tally_violations(rule.named("rule"), [(list("wxyx"), list(labels))], labels=["A", "B", "C"])
    assert tally["rule"].occasions == occasions


def test_violations_are_those_of_the_definition_and_never_outnumber_occasions() -> None:
    rng, known = np.random.default_rng(7), lawful.LabelSet(["A", "B", "C"])
    for _ in range(200):
        length = int(rng.integers(1, 6))
        rule = random_rule(rng, known, length=length).named("rule")
        labels, tokens = rng.choice(list(known), length).tolist(), random_tokens(rng, length)
        context = random_context(rng, length, known)
        [tally] = tally_violations(rule, [(tokens, labels, context)], labels=known).values()
        assert tally.violations == rule.violations(labels, tokens, context, label_set=known)
        assert tally.violations <= tally.occasions
        by_trial = any(
            rule.violations(other, tokens, context, label_set=known)
            for other in itertools.product(known, repeat=length)
        )
        assert tally.breakable == by_trial


def test_a_sequence_that_nothing_lets_break_a_rule_says_nothing_about_it() -> None:
    rule = lawful.when(lawful.token.is_in(["7"])).then("A").soft("learn", name="rule")
    gold = [(["7"], ["A"])] * 3 + [(["x"], ["B"])] * 90
    assert estimate_prices(rule, gold)["rule"].price == pytest.approx(math.log(3.5 / 0.5))
    every = estimate_prices(rule, gold, occasions="tokens")["rule"].price
    assert every == pytest.approx(math.log(93.5 / 0.5))


def test_what_makes_no_sense_is_told() -> None:
    with pytest.raises(InputError, match="there are none"):
        estimate_prices(COUNTED, [])
    with pytest.raises(InputError, match="smoothing"):
        estimate_prices(COUNTED, zip(X, Y, strict=True), smoothing=-1)


def test_the_fast_count_is_the_reference_count() -> None:
    rng = np.random.default_rng(3)
    words = ["In", ".", ",", "Proc", "1998", "editors", "pages", "ACM", '"', "CA", "tech", "Note", "Journal"]
    labels = lawful.LabelSet(CITATION_FIELDS)
    X = [rng.choice(words, size=rng.integers(1, 20)).tolist() for _ in range(60)]
    y = [rng.choice(CITATION_FIELDS, size=len(one)).tolist() for one in X]
    for per in ("violation", "sequence"):
        rules = citation_rules(per=per)
        reference = tally_violations(rules, zip(X, y, strict=True))
        assert RuledCorpus(rules, labels, X).tally(y) == reference
        assert all(tally.violations for tally in reference.values())
        assert prices_from(rules, reference) == estimate_prices(rules, zip(X, y, strict=True))


def test_sentences_will_do_as_gold_data() -> None:
    rule = lawful.when(lawful.token.column("pos", "DT")).then("A").soft("learn", name="dt")
    gold = [lawful.Sentence(("the", "dog"), ("A", "B"), {"pos": ("DT", "NN")})] * 3
    pairs = [(one.rows(), one.labels) for one in gold]
    assert lawful.estimate_prices(rule, gold) == lawful.estimate_prices(rule, pairs)


@pytest.mark.parametrize(
    ("ties", "told"), [([["one", "tow"]], "did you mean 'two'"), (["one"], "got the one name 'one'")]
)
def test_ties_name_rules(ties, told: str) -> None:
    rules = [lawful.at_most(1, "A").soft("learn", name=name) for name in ("one", "two")]
    with pytest.raises(lawful.InputError, match=told):
        lawful.estimate_prices(rules, [(["x"], ["A"])], ties=ties)


class Undecided:
    labels = lawful.LabelSet(["A", "B"])

    def lattice(self, tokens: list[str]) -> lawful.Lattice:
        return lawful.Lattice([[0.5, 0.0]] * len(tokens), labels=self.labels, tokens=tokens)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "odds"}, "unknown method 'odds'"),
        ({"epochs": 3}, "method 'log-odds' takes no 'epochs'; its arguments are smoothing, ties"),
        ({"occasions": "all"}, "occasions must be 'breakable' or 'tokens', got 'all'"),
        ({"method": "log-odds", "tagger": Undecided()}, "method 'log-odds' takes no 'tagger'"),
        ({"method": "likelihood"}, "method 'likelihood' needs tagger="),
        (
            {"method": "likelihood", "tagger": Undecided(), "smoothing": 0.0},
            "method 'likelihood' takes no 'smoothing'; its arguments are folds, samples, penalty, seed",
        ),
        (
            {"method": "perceptron", "tagger": Undecided(), "rounds": 1},
            "method 'perceptron' takes no 'rounds'; its arguments are folds, epochs, rate, ties, seed",
        ),
        ({"method": "perceptron", "tagger": Undecided(), "epochs": 0}, "epochs must be a whole number of 1"),
        (
            {"method": "search", "tagger": Undecided(), "seed": 0},
            "method 'search' takes no 'seed'; its arguments are folds, factors, rounds, metric",
        ),
        ({"method": "search", "tagger": Undecided(), "rounds": -1}, "rounds must be a whole number of 0"),
    ],
)
def test_a_method_refuses_what_it_does_not_take(arguments: dict[str, object], message: str) -> None:
    rules = lawful.forbid("A").soft("learn")
    with pytest.raises(InputError, match=message):
        lawful.estimate_prices(rules, [(["x"], ["B"])], **arguments)  # type: ignore[call-overload]


@pytest.mark.parametrize("method", ["likelihood", "perceptron", "search"])
def test_every_method_beside_a_tagger_prices_the_same_rules_and_needs_data(method: str) -> None:
    rules = Rules(
        lawful.forbid("A").soft("learn", per="violation", name="no A"), lawful.at_most(9, "B").named("few B")
    )
    gold = [(["x", "y"], ["B", "B"], {"groups": []})] * 5
    priced = lawful.estimate_prices(rules, gold, method=method, tagger=Undecided())  # type: ignore[call-overload]
    assert priced.names == rules.names
    assert [rule.price == "hard" for rule in priced] == [False, True]
    assert float(priced["no A"].price) > 0.5
    with pytest.raises(InputError, match="prices are estimated from labelled sequences, and there are none"):
        lawful.estimate_prices(rules, [], method=method, tagger=Undecided())  # type: ignore[call-overload]
