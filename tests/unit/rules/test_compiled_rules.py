"""Compiled rules are as small as they can be, and stay as they are."""

from __future__ import annotations

import pytest

from lawful.automata.operations.minimization import merge_classes, minimize_counting
from lawful.labels import LabelSet
from lawful.rules import (
    CompiledRule,
    Example,
    Rule,
    at_least_segments,
    at_most,
    at_most_segments,
    before,
    change_only_after,
    ends_with,
    exactly,
    excludes,
    forbid,
    label_at,
    pattern,
    requires,
    same_label,
    segment_length,
    starts_with,
    uniform,
    valid_tags,
    when,
)

LABELS = LabelSet(["O", "B-X", "I-X", "B-Y", "I-Y"])
EXTRA = {"spans": [(0, 2)], "groups": [[0, 2]]}

# rule, states, classes
SIZES = [
    (at_most(3, "O"), 4, 2),
    (at_most(3, list(LABELS)), 4, 1),
    (exactly(2, "O"), 3, 2),
    (at_most_segments(1, "O"), 3, 2),
    (at_least_segments(1, "O"), 2, 2),
    (segment_length("O", 1, 2), 4, 2),
    (segment_length("O"), 1, 1),
    (starts_with("O"), 2, 2),
    (ends_with("O"), 2, 2),
    (before("O", "B-X"), 2, 3),
    (requires("O", "B-X"), 3, 3),
    (excludes("O", "B-X"), 4, 3),
    (forbid("O"), 1, 2),
    (forbid(*LABELS), 1, 1),
    (valid_tags("BIO"), 3, 5),
    (label_at(0, "O"), 1, 2),
    (when(str.isdigit).then("O"), 1, 2),
    (change_only_after(str.isdigit), 5, 10),
    (uniform(), 6, 11),
    (same_label(), 6, 16),
    (pattern("O*"), 2, 2),
    (pattern(".*"), 1, 1),
    (~forbid("O"), 2, 2),
    (forbid("O") & forbid("B-X"), 2, 2),
    (forbid("O") | ~forbid("O"), 1, 1),
]


@pytest.mark.parametrize(("rule", "states", "classes"), SIZES, ids=str)
def test_sizes(rule: Rule, states: int, classes: int) -> None:
    compiled: CompiledRule = rule.compile(LABELS)
    (bound,) = compiled.bind(Example(3, ["a", "1", "b"], EXTRA))
    assert (bound.machine.states, bound.machine.classes) == (states, classes)
    assert minimize_counting(bound.machine).states == states
    assert merge_classes(bound.machine, bound.table)[0].classes == classes
    assert set(bound.table.ravel().tolist()) == set(range(classes))
    assert not bound.table.flags.writeable


def test_rules_about_labels_only_are_static() -> None:
    for rule, *_ in SIZES:
        looks_around = type(rule).__name__ in (
            "LabelAt",
            "WhenThen",
            "ChangeOnlyAfter",
            "Uniform",
            "SameLabel",
        )
        assert rule.compile(LABELS).static is not looks_around
