"""Every kind of rule, in English that a copy editor would leave alone."""

from __future__ import annotations

import pytest

import lawful
from lawful import rules as r
from lawful.automata import CountingMachine
from lawful.rules.files.rule_tables import KINDS
from lawful.rules.rule import Implies

token = lawful.token

SAID = [
    (r.at_most(1, "A"), "At most one token is labelled A"),
    (r.at_most(0, "A"), "No tokens are labelled A"),
    (r.at_least(3, "A", "B"), "At least three tokens are labelled A or B"),
    (r.exactly(12, "A"), "Exactly 12 tokens are labelled A"),
    (r.at_most_segments(1, "A", "B"), "There is at most one segment of A or B, taken together"),
    (r.at_least_segments(2, "A"), "There are at least two segments of A"),
    (r.exactly_segments(1, "A"), "There is exactly one segment of A"),
    (r.segment_length("A", min=2, max=5), "Every segment of A has two to five tokens"),
    (r.segment_length("A", max=1), "Every segment of A has exactly one token"),
    (r.starts_with("A", "B"), "The first token is labelled A or B"),
    (r.ends_with("A"), "The last token is labelled A"),
    (r.before("A", ("B", "C")), "No A comes after any B or C"),
    (r.requires("A", "B"), "If A appears, so does B"),
    (r.excludes("A", "B"), "If A appears, B does not"),
    (r.excludes("A", ("B", "C")), "If A appears, neither B nor C does"),
    (r.excludes("A", ("B", "C", "D")), "If A appears, none of B, C and D does"),
    (r.forbid("A"), "No token is labelled A"),
    (r.forbid(lawful.context("x")), "No token has one of the labels in context 'x'"),
    (r.allow_only("A", "B"), "Every token is labelled A or B"),
    (
        r.allowed_transitions([("A", "B"), ("B", "A")], start="A"),
        "Neighbouring labels are always A then B or B then A, and the first token is labelled A",
    ),
    (r.not_followed_by("A", ("B", "C")), "No A is directly followed by B or C"),
    (r.valid_tags("BIO"), "The labels are a valid sequence of BIO tags"),
    (r.label_at(0, "A"), "The first token is labelled A"),
    (
        r.label_at([1, 4, -2], "A"),
        "The 2nd token, the 5th token and the 2nd token from the end are labelled A",
    ),
    (r.change_only_after(token.matches("[.,]")), "The label changes only after a token that matches '[.,]'"),
    (
        r.when(token.is_in(["appear", "note", "submitted"], lower=True)).then("A"),
        "A token that is 'appear', 'note' or 'submitted' (ignoring case) is labelled A",
    ),
    (
        r.when(~token.is_in(list("abcdefghij"))).never("A", "B"),
        "A token that is not 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h' or one of 2 more words is never labelled A or B",
    ),
    (
        r.when(token.contains("x") & ~token.is_in(["a", "b"]) | token.column("pos", "NN")).then("A"),
        "A token that (contains a match for 'x' and (is not 'a' or 'b')) or has 'NN' in column 'pos' is labelled A",
    ),
    (r.uniform(), "All tokens of a span have the same label (spans: context 'spans')"),
    (r.same_label([[0, 2], [3, 5]]), "All tokens of a group have the same label (groups: [0, 2] and [3, 5])"),
    (
        r.pattern("A/n* B", tests={"n": token.matches("[0-9]+")}),
        "The whole sequence matches 'A/n* B' (where /n is a token that matches '[0-9]+')",
    ),
    (
        r.Automaton(CountingMachine([[0, 0]], [[0, 1]], [0])),
        "An automaton with one state counts no violations",
    ),
    (
        r.at_most(1, "A") & r.forbid("B"),
        "All of these hold: (1) at most one token is labelled A; (2) no token is labelled B",
    ),
    (
        r.forbid("A") | r.forbid("B"),
        "At least one of these holds: (1) no token is labelled A; (2) no token is labelled B",
    ),
    (
        r.forbid("A") ^ r.forbid("B"),
        "Exactly one of these holds: (1) no token is labelled A; (2) no token is labelled B",
    ),
    (~r.ends_with("A"), "It is not the case that the last token is labelled A"),
    (
        Implies(r.at_least(1, "A"), r.ends_with("A")),
        "If at least one token is labelled A, then the last token is labelled A",
    ),
]


@pytest.mark.parametrize(("rule", "said"), SAID, ids=[said for _, said in SAID])
def test_a_rule_in_english(rule: lawful.Rule, said: str) -> None:
    assert lawful.describe(rule) == f"{said}; this must hold."


def test_no_kind_of_rule_is_left_out() -> None:
    assert {kind.rule for kind in KINDS} == {type(rule) for rule, _ in SAID}


def test_prices_in_english() -> None:
    rule = lawful.forbid("A")
    said = [
        lawful.describe(one).partition("; ")[2]
        for one in (rule.soft(2.5), rule.soft(2, per="violation"), rule.soft("learn"))
    ]
    assert said == [
        "breaking this costs 2.5.",
        "each violation costs 2.",
        "the cost of breaking this is learned.",
    ]


def test_only_rules_are_described() -> None:
    with pytest.raises(lawful.errors.RuleError, match="only a rule can be described, got 'title'"):
        lawful.describe("title")  # type: ignore[arg-type]
