"""Every rule prints as the code that makes it again."""

from __future__ import annotations

import pytest

from lawful import rules
from lawful.automata.counting import CountingMachine
from lawful.rules import (
    Rules,
    allow_only,
    allowed_transitions,
    at_least,
    at_least_segments,
    at_most,
    at_most_segments,
    automaton,
    before,
    change_only_after,
    context,
    ends_with,
    exactly,
    exactly_segments,
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

DIGITS = token.matches(r"\d+")
P, Q = at_most(1, "A"), forbid("B")
NAMESPACE = {**vars(rules), "CountingMachine": CountingMachine, "len": len}

PRINTED = [
    (at_most(1, "A", "B"), "at_most(1, 'A', 'B')"),
    (at_least(1, "A"), "at_least(1, 'A')"),
    (exactly(2, "A"), "exactly(2, 'A')"),
    (at_most_segments(1, "A"), "at_most_segments(1, 'A')"),
    (at_least_segments(1, ["A", "B"]), "at_least_segments(1, 'A', 'B')"),
    (exactly_segments(1, "A"), "exactly_segments(1, 'A')"),
    (segment_length("A"), "segment_length('A')"),
    (segment_length(["A", "B"], 2, 3), "segment_length(['A', 'B'], min=2, max=3)"),
    (starts_with("A", "B"), "starts_with('A', 'B')"),
    (ends_with("it's"), """ends_with("it's")"""),
    (before("A", ["B", "C"]), "before('A', ['B', 'C'])"),
    (requires("A", "B"), "requires('A', 'B')"),
    (excludes("A", "B"), "excludes('A', 'B')"),
    (not_followed_by("A", ["A", "B"]), "not_followed_by('A', ['A', 'B'])"),
    (forbid("A"), "forbid('A')"),
    (allow_only(context("x", default=["A"])), "allow_only(context('x', default=['A']))"),
    (allowed_transitions([("A", "B")], end="B"), "allowed_transitions([('A', 'B')], end=['B'])"),
    (valid_tags("BIO"), "valid_tags('BIO')"),
    (valid_tags("BIO", separator="_"), "valid_tags('BIO', separator='_')"),
    (label_at(-1, "A"), "label_at(-1, 'A')"),
    (label_at([0, 2], "A", "B"), "label_at([0, 2], 'A', 'B')"),
    (label_at(context("verb"), "V"), "label_at(context('verb'), 'V')"),
    (change_only_after(token.is_in(["b", "a"])), "change_only_after(token.is_in(['a', 'b']))"),
    (when(DIGITS).then("A"), r"when(token.matches('\\d+')).then('A')"),
    (when(~DIGITS | token.contains("x")).never("A"), None),
    (when(token.column("pos", "N") & token.is_in(["a"], lower=True)).never("A"), None),
    (when(token.test(len)).never("A"), "when(token.test(len)).never('A')"),
    (uniform(), "uniform(context('spans'))"),
    (uniform([(0, 2)]), "uniform([(0, 2)])"),
    (same_label([[0, 2]]), "same_label([[0, 2]])"),
    (pattern("A* 'B C'"), """pattern("A* 'B C'")"""),
    (pattern("A/d", tests={"d": DIGITS}), r"pattern('A/d', tests={'d': token.matches('\\d+')})"),
    (P & Q & ~P, "(at_most(1, 'A') & forbid('B') & (~at_most(1, 'A')))"),
    ((P | Q).soft(1), "(at_most(1, 'A') | forbid('B')).soft(1.0)"),
    (P.implies(Q).named("x"), "at_most(1, 'A').implies(forbid('B')).named('x')"),
    ((P & Q).implies(P ^ Q), None),
    (P.soft("learn", per="violation"), "at_most(1, 'A').soft('learn', per='violation')"),
    (
        Rules(P, P.soft(2.5), Q.named("q")),
        "Rules(at_most(1, 'A'), at_most(1, 'A').soft(2.5), forbid('B').named('q'))",
    ),
]


@pytest.mark.parametrize(("rule", "printed"), PRINTED, ids=lambda value: repr(value)[:40])
def test_round_trip(rule, printed: str | None) -> None:
    assert printed is None or repr(rule) == printed
    again = eval(repr(rule), NAMESPACE)  # noqa: S307 - our own text
    assert again == rule
    assert repr(again) == repr(rule)


def test_machines_print_their_tables() -> None:
    rule = automaton(CountingMachine.from_lists([[0, 0]], [[0, 1]], [0]), classes=["A", "B"])
    again = eval(repr(rule), NAMESPACE)  # noqa: S307 - our own text
    assert repr(again) == repr(rule)
    assert again.violations(["A", "B"]) == 1
