"""`check` against enumeration, and on rule sets whose answers are known."""

from __future__ import annotations

import time
from itertools import product

import numpy as np
import pytest

import lawful
from lawful import LabelSet, check, context, token
from lawful.errors import LimitError
from lawful.rules import Rules
from lawful.rules.checking import witness
from lawful.rules.languages.acceptors import read_symbols, why_unreadable
from lawful.rules.languages.alphabet import Outcomes
from lawful.support.limits import Limits
from lawful.testing import VOCABULARY, random_label_set, random_rule

ABC = ["A", "B", "C"]


@pytest.mark.parametrize("seed", range(6))
def test_a_machine_over_symbols_accepts_what_its_rule_allows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    checked = 0
    while checked < 25:
        labels = random_label_set(rng, size=int(rng.integers(1, 4)))
        rule = random_rule(rng, labels, length=3)
        if why_unreadable(rule):
            continue
        checked += 1
        outcomes = Outcomes.of(rule.token_tests, VOCABULARY)
        reading = read_symbols(rule, labels, outcomes)
        rows = outcomes.passed.tolist()
        for _ in range(30):
            length = int(rng.integers(3, 6))
            tokens = [VOCABULARY[i] for i in rng.integers(len(VOCABULARY), size=length)]
            sequence = [labels[i] for i in rng.integers(len(labels), size=length)]
            kinds = [rows.index([bool(atom(one)) for atom in outcomes.atoms]) for one in tokens]
            symbols = [int(reading.columns[u, labels.index(k)]) for u, k in zip(kinds, sequence, strict=True)]
            assert reading.dfa.accepts(symbols) == (rule.violations(sequence, tokens) == 0), rule


def legal(rules: Rules, labels: LabelSet, longest: int) -> list[tuple[str, ...]]:
    """All short sequences that obey the hard rules."""
    hard = [rule for rule in rules if rule.price == "hard"]
    return [
        sequence
        for length in range(1, longest + 1)
        for sequence in product(labels, repeat=length)
        if not any(rule.violations(sequence) for rule in hard)
    ]


@pytest.mark.parametrize("seed", range(12))
def test_it_agrees_with_enumeration(seed: int) -> None:
    """What holds of all sequences holds of the short ones; what does not has, in small machines, a short witness."""
    rng = np.random.default_rng(seed)
    labels = LabelSet(["A", "B"])
    rules = Rules(random_rule(rng, labels, sees=False, hard=0.7, depth=1) for _ in range(4))
    report = check(rules, labels)
    assert report.unchecked == ()
    sequences = legal(rules, labels, 9)
    assert report.ok == bool(sequences)
    if not report.ok:
        core = Rules(*(rules[name] for name in report.contradiction))
        assert legal(core, labels, 9) == []
        for name in report.contradiction:
            assert legal(core.without(name), labels, 9) != []
        return
    assert report.example in sequences
    assert len(report.example) == len(sequences[0])
    assert set(report.impossible_labels) == set(labels) - {label for one in sequences for label in one}
    for rule in rules:
        others = legal(rules.without(rule.name), labels, 9)
        implied = next((one for one in report.implied if one.rule == rule.name), None)
        assert (implied is not None) == all(rule.violations(one) == 0 for one in others), rule
        if implied is not None:
            few = legal(Rules(*(rules[name] for name in implied.by)), labels, 7)
            assert all(rule.violations(one) == 0 for one in few)
        if rule.price != "hard":
            broken = any(one.rule == rule.name for one in report.always_broken)
            assert broken == all(rule.violations(one) > 0 for one in sequences)


def test_contradictions() -> None:
    assert check([lawful.at_least(2, "A"), lawful.at_most(1, "A")], ABC).contradiction == (
        "at_least(2, 'A')",
        "at_most(1, 'A')",
    )
    assert check([lawful.forbid(*ABC)], ABC).contradiction == ("forbid('A', 'B', 'C')",)
    three = [
        lawful.requires("A", "B"),
        lawful.requires("B", "C"),
        lawful.excludes("A", "C"),
        lawful.at_least(1, "A"),
    ]
    assert len(check(three, ABC).contradiction) == 4
    assert not check([lawful.label_at(0, "A"), lawful.label_at([0, -1], "B")], ABC).ok
    assert check([lawful.label_at(2, "A"), lawful.label_at(-2, "B")], ABC).example is not None


def test_soft_rules_never_contradict_but_may_be_pointless() -> None:
    report = check([lawful.forbid("A"), lawful.at_least(1, "A").soft(2), lawful.at_most(3, "A").soft(1)], ABC)
    assert report.ok
    assert [(one.rule, one.by) for one in report.always_broken] == [("at_least(1, 'A')", ("forbid('A')",))]
    assert [(one.rule, one.by) for one in report.implied] == [("at_most(3, 'A')", ("forbid('A')",))]
    assert report.impossible_labels == ("A",)
    assert report.unused_labels == ("B", "C")


def test_a_rule_that_always_holds_follows_from_nothing() -> None:
    report = check([lawful.segment_length("A", min=1)], ABC)
    assert [(one.rule, one.by) for one in report.implied] == [("segment_length('A')", ())]


def test_tokens_that_no_label_is_left_for() -> None:
    digits = lawful.when(token.matches("[0-9]+")).then("A")
    words = lawful.when(token.is_in(["7", "seven"])).then("B")
    (end,) = check([digits, words], ABC).dead_ends
    assert end == "no label is left for a token that matches '[0-9]+' and (is '7' or 'seven')"
    other = lawful.when(token.is_in(["seven"])).then("B")  # no digit is such a word
    assert check([digits, other], ABC).dead_ends == ()
    assert check([digits, words], ABC, tokens=["8", "seven", "x"]).dead_ends == ()
    assert check([digits, lawful.forbid("A")], ABC).dead_ends == (
        "no label is left for a token that matches '[0-9]+'",
    )


def test_what_is_not_checked_is_named() -> None:
    many = [lawful.when(token.matches(f"x{number}")).never("A") for number in range(14)]
    report = check([lawful.uniform(), ~lawful.forbid(context("banned")), *many], ABC)
    told = {one.what: one.why for one in report.unchecked}
    assert told["uniform(context('spans'))"] == "it needs context 'spans' of each sequence"
    assert told["(~forbid(context('banned')))"] == "it needs context 'banned' of each sequence"
    assert sum("more than 10 different token tests" in why for why in told.values()) == 4
    assert "not checked: uniform(context('spans')): it needs" in str(report)


def test_a_limit_leaves_questions_open() -> None:
    names = [f"L{number}" for number in range(8)]
    rules = [lawful.exactly(5, name) for name in names] + [lawful.at_most(30, names)]
    report = check(rules, names, max_states=200)
    assert report.ok
    assert report.example is None
    assert report.unchecked[0].what == "whether the hard rules can all hold"


def test_unrelated_rules_cost_little() -> None:
    names = [f"L{number}" for number in range(10)]
    rules = [lawful.at_most_segments(1, name) for name in names] + [
        lawful.at_least(1, name) for name in names
    ]
    report = check([*rules, lawful.at_most_segments(2, "L7").named("two")], names, max_states=2000)
    assert report.unchecked == ()
    assert set(report.example or ()) == set(names)
    assert [(one.rule, one.by) for one in report.implied] == [("two", ("at_most_segments(1, 'L7')",))]


def test_sizes_and_plain_data() -> None:
    report = check([lawful.at_most(3, "A"), lawful.uniform()], ABC)
    assert [(size.states, size.classes) for size in report.sizes] == [(4, 2), (4, 7)]
    plain = report.to_dict()
    assert plain["ok"] is True
    assert plain["sizes"][0] == {"rule": "at_most(3, 'A')", "states": 4, "classes": 2}


def test_labels_that_a_rule_does_not_know() -> None:
    report = check([lawful.forbid("X"), lawful.forbid("A")], ABC)
    assert [one.what for one in report.unchecked] == ["forbid('X')"]
    assert "unknown label 'X'" in report.unchecked[0].why


FIELDS = [f"F{index}" for index in range(12)]
CROWDED = [lawful.at_most(6, *FIELDS), *(lawful.at_least(1, field) for field in FIELDS)]


def test_a_contradiction_that_may_be_too_large_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit after each number of searches: what is said is so, and what is not known is listed."""
    rules = [*(lawful.at_least(2, label) for label in ABC), lawful.at_most(5, *ABC), lawful.forbid("D")]
    solve, seen = witness._solve, set()
    for enough in range(30):
        left = iter(range(enough))

        def limited(readings: object, limits: Limits, **options: bool) -> object:
            if next(left, None) is None:  # noqa: B023 - it is used before the next one
                raise LimitError("timeout", 7.0)
            return solve(readings, limits, **options)

        monkeypatch.setattr(witness, "_solve", limited)
        report = check(rules, [*ABC, "D"])
        assert {unchecked.why for unchecked in report.unchecked} <= {"it was not answered in 7 seconds"}
        needed = [unchecked for unchecked in report.unchecked if "is needed" in unchecked.what]
        seen.add((len(report.contradiction), bool(needed)))
    assert {(0, False), (4, False)} <= seen
    assert any(needed and size >= 4 for size, needed in seen)
    assert all(needed or size in (0, 4) for size, needed in seen)


@pytest.mark.usefixtures("no_collection")
@pytest.mark.parametrize("timeout", [1e-9, 0.1, 0.3])
def test_a_timeout_leaves_questions_open(timeout: float) -> None:
    """The time is the thread's own; the margin is 0.2 s, besides what it takes to compile the rules."""
    fine = [lawful.at_least(1, field) for field in FIELDS]
    for rules in (CROWDED, [*fine, lawful.at_most(20, *FIELDS), lawful.before("F0", "F1")]):
        started = time.thread_time()
        check(rules, FIELDS, max_states=1)
        compiling = time.thread_time() - started
        started = time.thread_time()
        report = check(rules, FIELDS, max_states=10**9, timeout=timeout)
        assert time.thread_time() - started < timeout + compiling + 0.2
        if timeout == 1e-9:
            assert report.unchecked
        for unchecked in report.unchecked:
            assert unchecked.why == f"it was not answered in {timeout:g} seconds"
            assert f"not checked: {unchecked.what}" in str(report)
