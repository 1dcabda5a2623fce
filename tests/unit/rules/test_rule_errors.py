"""Every mistake in a rule has its error, with a message that says what to do."""

from __future__ import annotations

import pytest

from lawful.automata.acceptor import Dfa
from lawful.automata.counting import CountingMachine
from lawful.errors import ContextError, RuleError, RuleTooLargeError, UnknownLabelError
from lawful.labels import LabelSet
from lawful.rules import (
    Example,
    allow_only,
    allowed_transitions,
    at_least,
    at_most,
    at_most_segments,
    automaton,
    before,
    context,
    ends_with,
    exactly,
    excludes,
    forbid,
    label_at,
    not_followed_by,
    pattern,
    requires,
    same_label,
    segment_length,
    starts_with,
    token,
    uniform,
    valid_tags,
    when,
)
from lawful.rules.rule import And

LABELS = LabelSet(["A", "B", "C"])
ANY = token.matches(".*")
SMALL = CountingMachine.from_lists([[0, 0]], [[0, 1]], [0])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: at_most(-1, "A"), "number of at_most must be a whole number >= 0, got -1"),
        (lambda: at_least(1.5, "A"), "got 1.5"),
        (lambda: exactly(True, "A"), "got True"),
        (lambda: at_most("A", 1), "takes labels, got 1"),
        (lambda: at_most(1), "at_most needs at least one label"),
        (lambda: forbid([]), "forbid needs at least one label"),
        (lambda: at_most_segments("A", "B"), "whole number"),
        (lambda: segment_length("A", 0), "min of segment_length"),
        (lambda: segment_length("A", 3, 2), "min <= max"),
        (lambda: segment_length("A", max=0), "max of segment_length"),
        (lambda: excludes(["A", "B"], "B"), "'B' is in both"),
        (lambda: label_at("first", "A"), "position of label_at must be a whole number"),
        (lambda: label_at([], "A"), "at least one position"),
        (lambda: allowed_transitions(["AB"]), "pairs"),
        (lambda: allowed_transitions([("A", "B", "C")]), "pairs"),
        (lambda: valid_tags("BOI"), "unknown scheme 'BOI'"),
        (lambda: valid_tags("BIO", separator=""), "separator"),
        (lambda: valid_tags("BIO").violations(["X-A"]), "label 'X-A' does not fit"),
        (lambda: valid_tags("BIO").compile(LABELS), "label 'A' does not fit"),
        (lambda: valid_tags("BIO").violations(["O-A"]), "does not fit"),
        (lambda: forbid(context("x"), "A"), "not both"),
        (lambda: context(""), "context takes a name"),
        (lambda: when("digits"), "when takes a token test"),
        (lambda: uniform(3), "uniform takes spans"),
        (lambda: same_label([1]), "same_label takes lists"),
        (lambda: uniform([("a", 1)]), "a position must be a whole number"),
        (lambda: automaton("x"), "CountingMachine or a Dfa"),
        (lambda: automaton(SMALL, classes="AB"), "mapping or a list"),
        (lambda: automaton(SMALL, classes={"A": 2}), "class 2"),
        (lambda: automaton(SMALL, classes={"A": True}), "class True"),
        (lambda: automaton(SMALL).compile(LABELS), "over 2 classes, but there are 3 labels"),
        (lambda: automaton(SMALL).violations(["A"]), "classes="),
        (lambda: automaton(SMALL, classes=["A", "B"]).compile(LABELS), "no class for label 'C'"),
        (lambda: forbid("A") & forbid("B").soft(2), "price 2.0"),
        (lambda: ~forbid("B").soft("learn"), "price 'learn'"),
        (lambda: And((forbid("A"),)), "at least two rules"),
        (lambda: pattern(3), "pattern must be a string"),
        (lambda: pattern("A", tests={"x": 3}), "pattern takes a token test"),
    ],
)
def test_a_mistake_is_refused(make, message: str) -> None:
    with pytest.raises(RuleError) as caught:
        make()
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "rule",
    [
        at_most(1, "Aa"),
        at_most_segments(1, "Aa"),
        segment_length("Aa", max=2),
        before("A", "Aa"),
        requires("Aa", "A"),
        excludes("A", "Aa"),
        not_followed_by("A", "Aa"),
        forbid("Aa"),
        allow_only("Aa"),
        starts_with("Aa"),
        ends_with("Aa"),
        label_at(0, "Aa"),
        allowed_transitions([("A", "Aa")]),
        allowed_transitions([("A", "A")], end="Aa"),
        when(ANY).then("Aa"),
        when(ANY).never("Aa"),
        pattern("A [^Aa]"),
        automaton(SMALL, classes={"A": 0, "B": 0, "C": 1, "Aa": 0}),
    ],
    ids=str,
)
def test_an_unknown_label_is_refused_when_compiling(rule) -> None:
    for whole in (rule, rule & forbid("A")):
        with pytest.raises(UnknownLabelError) as caught:
            whole.compile(LABELS)
        assert (caught.value.label, caught.value.where) == ("Aa", rule.name)


def test_an_unknown_label_in_the_context_is_refused() -> None:
    compiled = forbid(context("banned")).compile(LABELS)
    with pytest.raises(UnknownLabelError) as caught:
        compiled.bind(Example(1, context={"banned": ["Z"]}))
    assert caught.value.where == "forbid(context('banned'))"


@pytest.mark.parametrize("banned", [3, [1], [None]])
def test_labels_in_the_context_must_be_names(banned: object) -> None:
    with pytest.raises(ContextError, match="needs labels"):
        forbid(context("banned")).violations(["A"], context={"banned": banned})


@pytest.mark.parametrize(
    "rule",
    [
        at_most(10**6, "A"),
        at_least(10**9, "A"),
        at_most_segments(10**6, "A"),
        segment_length("A", min=10**6),
        pattern("(A{1000}){1000}"),
        pattern(".* A .{20}"),
        pattern("(.* A .{9}) & (.* B .{10})") & pattern("(.* C .{11})"),
        pattern(
            " ".join(f"A/t{i}" for i in range(12)), tests={f"t{i}": token.contains(str(i)) for i in range(12)}
        ),
    ],
    ids=str,
)
def test_a_huge_rule_is_refused(rule) -> None:
    with pytest.raises(RuleTooLargeError):
        rule.compile(LABELS).bind(Example(1, ["x"]))


def test_logic_over_many_groups_is_refused() -> None:
    compiled = (~same_label()).compile(LABELS)
    groups = [[i, i + 12] for i in range(12)]  # all open at once: the machine must remember twelve labels
    with pytest.raises(RuleTooLargeError):
        compiled.bind(Example(24, context={"groups": groups}))


def test_logic_over_overlapping_groups_needs_only_the_kinds_that_occur() -> None:
    rule = ~same_label()
    groups = [[0, i] for i in range(1, 9)]
    (bound,) = rule.compile(LABELS).bind(Example(9, context={"groups": groups}))
    for labels in (["A"] * 9, ["A"] * 8 + ["B"]):
        symbols = [bound.table[bound.kinds[t], LABELS.index(label)] for t, label in enumerate(labels)]
        assert bound.machine.count(symbols) == rule.violations(labels, context={"groups": groups})


def test_a_dfa_may_be_given_directly() -> None:
    assert automaton(Dfa([[0]], [False])).compile(LabelSet(["A"])).static
