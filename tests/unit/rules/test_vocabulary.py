"""The table of the design, row by row: what each rule counts on sequences made by hand."""

from __future__ import annotations

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

LABELS = LabelSet(["A", "B", "C", "O"])
PARITY = CountingMachine.from_lists(
    [[0, 1], [1, 0]], [[0, 0], [0, 1]], [0, 2]
)  # every second A, and 2 for an odd end
READS_A = {"A": 1, "B": 0, "C": 0, "O": 0}

# rule, labels (one letter each), violations
BY_LABELS = [
    (at_most(1, "A"), "AOA", 1),
    (at_most(1, "A"), "OAO", 0),
    (at_most(0, "A"), "AAA", 3),
    (at_most(2, "A", "B"), "ABAB", 2),
    (at_least(2, "A"), "OOA", 1),
    (at_least(2, "A"), "OO", 2),
    (at_least(2, "A", "B"), "AB", 0),
    (exactly(1, "A"), "AAA", 2),
    (exactly(1, "A"), "OO", 1),
    (exactly(1, "A"), "OA", 0),
    (at_most_segments(1, "A"), "AAOAAOA", 2),
    (at_most_segments(1, "A"), "OAAAO", 0),
    (at_most_segments(1, "A"), "ABA", 1),
    (at_most_segments(1, ["A", "B"]), "ABA", 0),
    (at_most_segments(0, "A"), "AA", 1),
    (at_least_segments(2, "A"), "AAAA", 1),
    (at_least_segments(2, "A"), "AOA", 0),
    (exactly_segments(1, "A"), "OO", 1),
    (exactly_segments(1, "A"), "AOAOA", 2),
    (segment_length("A", 2, 3), "AOAAOAAAO", 1),
    (segment_length("A", 2, 3), "AAAAAA", 1),
    (segment_length("A", 2, 3), "OOA", 1),
    (segment_length("A", min=2), "AAAAAOA", 1),
    (segment_length("A", max=1), "AAOAA", 2),
    (segment_length(["A", "B"], min=3), "ABAOAB", 1),
    (starts_with("A", "B"), "BO", 0),
    (starts_with("A", "B"), "OA", 1),
    (ends_with("A"), "AO", 1),
    (ends_with("A"), "OA", 0),
    (before("A", "B"), "AABAOA", 2),
    (before("A", "B"), "AAB", 0),
    (before("A", ["B", "C"]), "CA", 1),
    (requires("A", "B"), "AOA", 1),
    (requires("A", "B"), "BOA", 0),
    (requires("A", "B"), "AOB", 0),
    (requires("A", "B"), "OO", 0),
    (excludes("A", "B"), "AAOBBA", 3),
    (excludes("A", "B"), "BOAOA", 2),
    (excludes("A", "B"), "AAA", 0),
    (forbid("A", "B"), "ABO", 2),
    (allow_only("A", "B"), "ABO", 1),
    (allowed_transitions([("A", "A"), ("A", "B")]), "AABAO", 2),
    (not_followed_by("A", ("A", "B")), "AABOABA", 3),
    (not_followed_by("A", "B"), "BAOB", 0),
    (allowed_transitions([("A", "B")], start="A", end=["B"]), "BA", 3),
    (allowed_transitions([("A", "B")], start="A", end=["B"]), "AB", 0),
    (label_at(1, "A"), "OB", 1),
    (label_at(-1, "A", "B"), "OB", 0),
    (label_at([0, -1], "A"), "BOB", 2),
    (label_at([1, -1], "A"), "BB", 1),  # one position, named twice
    (automaton(PARITY, classes=READS_A), "AAOA", 3),
    (automaton(Dfa([[0, 1], [1, 0]], [True, False]), classes=READS_A), "AAOA", 1),
    (automaton(Dfa([[0, 1, 1, 1], [1, 1, 1, 0]], [True, False]), classes=["O", "A", "B", "C"]), "AAOC", 0),
    (pattern("A+ B? ."), "AAO", 0),
    (pattern("A+ B? ."), "OAA", 1),
    (at_most(1, "A") & forbid("B"), "AABB", 1),
    (at_most(1, "A") | forbid("B"), "AAB", 1),
    (at_most(1, "A") | forbid("B"), "AB", 0),
    (~forbid("A"), "OO", 1),
    (~forbid("A"), "AA", 0),
    (at_least(1, "A").implies(ends_with("A")), "AO", 1),
    (at_least(1, "A").implies(ends_with("A")), "OO", 0),
    (at_least(1, "A").xor(at_least(1, "B")), "AB", 1),
    (at_least(1, "A") ^ at_least(1, "B"), "AO", 0),
]

# rule, labels, tokens, violations
DIGITS = token.matches(r"\d+")
BY_TOKENS = [
    (change_only_after(token.is_in([","])), "AABB", ["x", ",", "y", "z"], 0),
    (change_only_after(token.is_in([","])), "ABBA", ["x", ",", "y", ","], 2),
    (when(DIGITS).then("A"), "ABB", ["1", "2", "x"], 1),
    (when(DIGITS).never("A", "B"), "ABA", ["1", "2", "x"], 2),
    (pattern("A/digit .*", tests={"digit": DIGITS}), "AB", ["1", "x"], 0),
    (pattern("A/digit .*", tests={"digit": DIGITS}), "AB", ["x", "1"], 1),
    (pattern("A/!digit .*", tests={"digit": DIGITS}), "AB", ["x", "1"], 0),
]

# rule, labels, context, violations
BY_CONTEXT = [
    (uniform(), "ABAB", {"spans": [(0, 3)]}, 1),
    (uniform(), "ABAB", {"spans": [(0, 4), (1, 3)]}, 3),  # overlapping spans count each for itself
    (uniform(), "AABB", {"spans": [(0, 2), (2, 4)]}, 0),
    (uniform(), "ABBA", {"spans": [(1, 3), (1, 3)]}, 0),
    (uniform(context("np")), "AB", {"np": [(0, 2)]}, 1),
    (uniform([(0, 2)]), "AB", {}, 1),
    (same_label(), "AOBOA", {"groups": [[0, 2, 4]]}, 1),
    (same_label(), "AOBOB", {"groups": [[4, 2, 0]]}, 2),
    (same_label(), "AB", {"groups": [[0], [], [1, 1]]}, 0),
    (same_label([[0, -1]]), "AOB", {}, 1),
    (label_at(context("verb"), "A"), "OB", {"verb": 1}, 1),
    (label_at(context("verb"), "A"), "OB", {"verb": [0, 1]}, 2),
    (label_at(context("verb", default=[]), "A"), "OB", {}, 0),
    (forbid(context("banned")), "ABA", {"banned": ["A"]}, 2),
    (forbid(context("banned")), "ABA", {"banned": "B"}, 1),
    (forbid(context("banned")), "ABA", {"banned": set()}, 0),
    (allow_only(context("allowed")), "ABA", {"allowed": ["A"]}, 1),
    (forbid(context("banned")) | at_most(1, "B"), "BB", {"banned": ["A"]}, 0),
    (~uniform(), "AA", {"spans": []}, 1),
]

ALL = (
    [(rule, labels, None, {}, expected) for rule, labels, expected in BY_LABELS]
    + [(rule, labels, tokens, {}, expected) for rule, labels, tokens, expected in BY_TOKENS]
    + [(rule, labels, None, extra, expected) for rule, labels, extra, expected in BY_CONTEXT]
)


@pytest.mark.parametrize(("rule", "labels", "tokens", "extra", "expected"), ALL, ids=str)
def test_a_rule_counts(rule: Rule, labels: str, tokens, extra, expected: int) -> None:
    assert rule.violations(list(labels), tokens, extra) == expected
    total = 0
    for machine, table, kinds in rule.compile(LABELS).bind(Example(len(labels), tokens, extra)):
        rows = [0] * len(labels) if kinds is None else kinds
        total += machine.count(
            [table[row, LABELS.index(label)] for row, label in zip(rows, labels, strict=True)]
        )
    assert total == expected


LEGAL = {
    "IO": ["I-X I-Y O I-X"],
    "IOB1": ["I-X I-X B-X O I-Y", "I-X B-X B-X I-Y"],
    "IOB2": ["B-X I-X B-X O B-Y", "O"],
    "IOE1": ["I-X E-X I-X O I-Y", "E-X E-X I-X I-Y"],
    "IOE2": ["I-X E-X E-X O I-Y E-Y"],
    "IOBES": ["B-X I-X E-X S-X O B-Y E-Y"],
    "BILOU": ["B-X I-X L-X U-X O B-Y L-Y"],
    "BMES": ["B-X M-X E-X S-X B-Y E-Y"],
    "BMEWO": ["B-X M-X E-X W-X O"],
}
ILLEGAL = {
    "IOB1": [("B-X", 1), ("O B-X I-X", 1), ("I-Y B-X", 1)],
    "BIO": [("I-X", 1), ("O I-X I-X", 1), ("B-Y I-X O I-X", 2)],
    "IOE1": [("E-X", 1), ("E-X O", 1), ("E-X I-Y", 1)],
    "IOE2": [("I-X", 1), ("I-X O", 1), ("I-X E-Y", 1)],
    "BIOES": [
        ("B-X", 1),
        ("I-X", 2),
        ("E-X", 1),
        ("B-X E-Y", 1),
        ("O I-X O", 2),
        ("B-X B-X E-X", 1),
        ("S-X E-X", 1),
    ],
    "BILOU": [("B-X U-X", 1), ("L-X", 1)],
    "BMES": [("B M", 1), ("M E", 1), ("B S", 1)],
}


@pytest.mark.parametrize("scheme", LEGAL)
def test_legal_tags(scheme: str) -> None:
    for tags in LEGAL[scheme]:
        assert valid_tags(scheme).violations(tags.split()) == 0, tags


@pytest.mark.parametrize("scheme", ILLEGAL)
def test_illegal_tags(scheme: str) -> None:
    for tags, expected in ILLEGAL[scheme]:
        assert valid_tags(scheme).violations(tags.split()) == expected, tags


def test_types_may_hold_the_separator() -> None:
    assert valid_tags("BIO").violations(["B-X-1", "I-X-1", "I-X-2"]) == 1
    assert valid_tags("BIO", separator="_").violations(["B_X", "I_X"]) == 0
