"""Every rule means the same twice: in plain Python, and as the machines that it compiles to."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from lawful.automata.acceptor import Dfa
from lawful.automata.counting import CountingMachine
from lawful.labels import LabelSet
from lawful.rules import (
    Example,
    Rule,
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

Rng = np.random.Generator

NAMES = ("A", "B", "C", "D")
WORDS = ("a", "b", "1", "22", ",", ".")
TESTS = {"digit": token.matches(r"\d+"), "mark": token.is_in([",", "."])}
MOST = 7


def some(rng: Rng, least: int = 1) -> list[str]:
    return list(rng.choice(NAMES, size=rng.integers(least, len(NAMES) + 1), replace=False))


def two_sets(rng: Rng) -> tuple[list[str], list[str]]:
    names = list(rng.permutation(NAMES))
    cut = int(rng.integers(1, len(names)))
    return names[:cut], names[cut : cut + int(rng.integers(1, 3))]


def number(rng: Rng) -> int:
    return int(rng.integers(0, 4))


def a_test(rng: Rng) -> token.Matches:
    digit, mark = TESTS["digit"], TESTS["mark"]
    return [digit, mark, ~digit, digit | mark, digit & token.contains("2"), token.test(str.isalpha)][
        rng.integers(6)
    ]


def some_transitions(rng: Rng) -> Rule:
    pairs = [(a, b) for a in NAMES for b in NAMES if rng.random() < 0.6]
    ends = {key: some(rng) for key in ("start", "end") if rng.random() < 0.5}
    return allowed_transitions(pairs, **ends)


def some_length(rng: Rng) -> Rule:
    least = int(rng.integers(1, 4))
    return segment_length(some(rng), least, [None, least, least + 1][rng.integers(3)])


def a_machine(rng: Rng) -> Rule:
    states, classes = int(rng.integers(1, 5)), 3
    delta = rng.integers(0, states, size=(states, classes))
    meaning = {name: int(rng.integers(classes)) for name in NAMES}
    if rng.random() < 0.5:
        return automaton(Dfa(delta, rng.random(states) < 0.5), classes=meaning)
    counts = rng.integers(0, 3, size=(states, classes))
    return automaton(CountingMachine(delta, counts, rng.integers(0, 3, size=states)), classes=meaning)


def a_pattern(rng: Rng) -> Rule:
    return pattern(pattern_text(rng, depth=3), tests=TESTS)


def pattern_text(rng: Rng, depth: int) -> str:
    if depth == 0 or rng.random() < 0.3:
        symbol = [
            str(rng.choice(NAMES)),
            ".",
            f"[{' '.join(some(rng))}]",
            f"[^ {' '.join(some(rng))}]",
            f"'{rng.choice(NAMES)}'",
        ][rng.integers(5)]
        return symbol + ["", "", "", "/digit", "/!mark", "/!digit/mark"][rng.integers(6)]
    parts = [pattern_text(rng, depth - 1) for _ in range(2)]
    return [
        " ".join(parts),
        " ".join(parts),
        f"({parts[0]} | {parts[1]})",
        f"({parts[0]} & {parts[1]})",
        f"!({parts[0]})",
        f"({parts[0]})" + ["*", "+", "?", "{2}", "{1,}", "{0,2}"][rng.integers(6)],
        f"(() | {parts[0]})",
    ][rng.integers(7)]


def a_tree(rng: Rng, depth: int = 2) -> Rule:
    if depth == 0 or rng.random() < 0.2:
        leaves = [
            make for name, make in RULES.items() if not name.startswith(("logic", "same_label", "uniform"))
        ]
        return leaves[rng.integers(len(leaves))](rng)
    left, right = a_tree(rng, depth - 1), a_tree(rng, depth - 1)
    return [left & right, left | right, ~left, left ^ right, left.implies(right), left & right & ~left][
        rng.integers(6)
    ]


def a_span_tree(rng: Rng) -> Rule:
    spans, other = [uniform(), same_label()][rng.integers(2)], a_tree(rng, depth=0)
    return [~spans, spans & other, other | spans, spans ^ other, spans.implies(~other)][rng.integers(5)]


RULES: dict[str, Callable[[Rng], Rule]] = {
    "at_most": lambda rng: at_most(number(rng), some(rng)),
    "at_least": lambda rng: at_least(number(rng), some(rng)),
    "exactly": lambda rng: exactly(number(rng), some(rng)),
    "at_most_segments": lambda rng: at_most_segments(number(rng), some(rng)),
    "at_least_segments": lambda rng: at_least_segments(number(rng), some(rng)),
    "exactly_segments": lambda rng: exactly_segments(number(rng), some(rng)),
    "segment_length": some_length,
    "starts_with": lambda rng: starts_with(*some(rng)),
    "ends_with": lambda rng: ends_with(*some(rng)),
    "before": lambda rng: before(some(rng), some(rng)),
    "requires": lambda rng: requires(some(rng), some(rng)),
    "excludes": lambda rng: excludes(*two_sets(rng)),
    "forbid": lambda rng: forbid(*some(rng)),
    "allow_only": lambda rng: allow_only(*some(rng)),
    "forbid by context": lambda rng: forbid(context("banned")),
    "allow_only by context": lambda rng: allow_only(context("banned")),
    "allowed_transitions": some_transitions,
    "not_followed_by": lambda rng: not_followed_by(some(rng), some(rng)),
    "label_at": lambda rng: label_at(int(rng.integers(-1, 1)), some(rng)),
    "label_at by context": lambda rng: label_at(context("positions"), some(rng)),
    "change_only_after": lambda rng: change_only_after(a_test(rng)),
    "when then": lambda rng: when(a_test(rng)).then(some(rng)),
    "when never": lambda rng: when(a_test(rng)).never(some(rng)),
    "uniform": lambda rng: uniform(),
    "same_label": lambda rng: same_label(),
    "automaton": a_machine,
    "pattern": a_pattern,
    "logic": a_tree,
    "logic over spans": a_span_tree,
}


def some_context(rng: Rng, length: int) -> dict[str, object]:
    spans = [
        sorted(rng.choice(length + 1, size=2, replace=False).tolist()) for _ in range(rng.integers(0, 4))
    ]
    groups = [
        rng.integers(-length, length, size=rng.integers(0, 5)).tolist() for _ in range(rng.integers(0, 3))
    ]
    positions = rng.integers(-length, length, size=rng.integers(0, 3)).tolist()
    return {"spans": spans, "groups": groups, "positions": positions, "banned": some(rng, least=0)}


def counted(compiled, labels: LabelSet, sequence: list[str], tokens=None, context=None) -> int:
    example = Example(len(sequence), tokens, context or {})
    total = 0
    for machine, table, kinds in compiled.bind(example):
        assert table.dtype == np.uint16
        assert kinds is None or (type(kinds) is list and len(kinds) == len(sequence))
        rows = np.zeros(len(sequence), dtype=int) if kinds is None else kinds
        total += machine.count(table[rows, list(labels.encode(sequence))].tolist())
    return total


@pytest.mark.parametrize("kind", RULES)
def test_machines_count_what_the_rule_means(kind: str) -> None:
    rng = np.random.default_rng(sorted(RULES).index(kind))
    labels = LabelSet(NAMES)
    for _ in range(40):
        rule = RULES[kind](rng)
        compiled = rule.compile(labels)
        for _ in range(50):
            length = int(rng.integers(1, MOST + 1))
            sequence = rng.choice(NAMES, size=length, p=[0.4, 0.2, 0.2, 0.2]).tolist()
            tokens = rng.choice(WORDS, size=length).tolist()
            extra = some_context(rng, length)
            expected = rule.violations(sequence, tokens, extra)
            found = counted(compiled, labels, sequence, tokens, extra)
            assert found == expected, (rule, sequence, tokens, extra)


@pytest.mark.parametrize("scheme", ["IO", "IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU", "BMES", "BMEWO"])
def test_schemes_count_what_they_mean(scheme: str) -> None:
    prefixes = scheme.replace("O", "").rstrip("12")
    labels = LabelSet(["O", *(f"{prefix}-{kind}" for prefix in prefixes for kind in "XY")])
    rule = valid_tags(scheme)
    compiled = rule.compile(labels)
    rng = np.random.default_rng(len(scheme))
    for _ in range(1000):
        sequence = rng.choice(list(labels), size=rng.integers(0, 7)).tolist()
        assert counted(compiled, labels, sequence) == rule.violations(sequence), sequence


@pytest.mark.parametrize("kind", [kind for kind in RULES if not kind.startswith(("label_at", "logic"))])
def test_the_empty_sequence(kind: str) -> None:
    rng = np.random.default_rng(1)
    labels = LabelSet(NAMES)
    extra = {"spans": [], "groups": [], "banned": [], "positions": []}
    for _ in range(10):
        rule = RULES[kind](rng)
        assert counted(rule.compile(labels), labels, [], [], extra) == rule.violations([], [], extra)


@pytest.mark.parametrize("kind", RULES)
def test_static_rules_ignore_the_example(kind: str) -> None:
    rng = np.random.default_rng(2)
    labels = LabelSet(NAMES)
    for _ in range(10):
        compiled = RULES[kind](rng).compile(labels)
        first, second = (
            compiled.bind(Example(length, list(WORDS[:length]), some_context(rng, length)))
            for length in (2, 5)
        )
        if compiled.static:
            assert all(bound.kinds is None for bound in (*first, *second))
            assert [(id(b.machine), id(b.table)) for b in first] == [
                (id(b.machine), id(b.table)) for b in second
            ]
        else:
            machines = {id(bound.machine) for bound in (*first, *second)}
            assert len(machines) <= 1 or kind.startswith("logic")  # logic makes one for every set of tables
