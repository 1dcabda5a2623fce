"""Logic over rules: laws that always hold, and machines that are shared."""

from __future__ import annotations

import itertools
import pickle

import pytest

from lawful.automata.operations.compare import equivalent
from lawful.automata.operations.modes import obeyed
from lawful.errors import RuleError
from lawful.labels import LabelSet
from lawful.rules import (
    And,
    Example,
    Not,
    Or,
    Rule,
    at_least,
    at_most,
    before,
    context,
    forbid,
    same_label,
    token,
    uniform,
    when,
)
from lawful.rules.rule import DEEPEST_LOGIC

LABELS = LabelSet(["A", "B", "O"])
P, Q, R = at_most(1, "A"), before("A", "B"), at_least(2, "B")


def same(left: Rule, right: Rule) -> bool:
    sequences = (s for size in range(5) for s in itertools.product(LABELS, repeat=size))
    return all(left.violations(s) == right.violations(s) for s in sequences)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (~(P & Q), ~P | ~Q),
        (~(P | Q), ~P & ~Q),
        (P.implies(Q), ~P | Q),
        (P ^ Q, (P & ~Q) | (~P & Q)),
        (P & (Q | R), (P & Q) | (P & R)),
        (~~P, P & P),
        ((P ^ Q) ^ R, P ^ (Q ^ R)),
    ],
)
def test_laws(left: Rule, right: Rule) -> None:
    assert same(left, right)
    (first,), (second,) = left.compile(LABELS).bind(Example(1)), right.compile(LABELS).bind(Example(1))
    assert first.machine.states == second.machine.states
    if first.table.tolist() == second.table.tolist():
        assert equivalent(obeyed(first.machine), obeyed(second.machine))


def test_chains_are_flat_unless_a_part_has_its_own_name() -> None:
    assert (P & Q & R) == And((P, Q, R)) == (P & (Q & R))
    assert Or((P, Q, R)) == (P | Q | R)
    named = (P & Q).named("pq") & R
    assert len(named.rules) == 2
    assert repr(named) == "((at_most(1, 'A') & before('A', 'B')).named('pq') & at_least(2, 'B'))"


def test_a_combination_may_be_priced() -> None:
    rule = (P | Q).soft(2, name="either")
    assert repr(rule) == "(at_most(1, 'A') | before('A', 'B')).soft(2.0, name='either')"
    assert repr((~P).soft(1)) == "(~at_most(1, 'A')).soft(1.0)"


def test_static_if_all_parts_are() -> None:
    assert (P & ~Q).compile(LABELS).static
    assert not (P & when(token.matches("x")).then("A")).compile(LABELS).static


def test_repeated_bindings_give_the_same_objects() -> None:
    rule = (when(token.matches("x")).then("A") | forbid(context("banned"))) & ~uniform()
    compiled = rule.compile(LABELS)
    extra = {"banned": ["B"], "spans": [(0, 2)]}
    (first,) = compiled.bind(Example(2, ["x", "y"], extra))
    (second,) = compiled.bind(Example(3, ["y", "y", "x"], {"banned": {"B"}, "spans": [(1, 3)]}))
    (other,) = compiled.bind(Example(2, ["x", "y"], {**extra, "banned": ["A"]}))
    assert first.machine is second.machine
    assert first.table is second.table
    assert first.table is not other.table


def test_the_cache_survives_a_flood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawful.rules.compiled.joined.MOST_CACHED", 2)
    rule = forbid(context("banned")) | P
    compiled = rule.compile(LABELS)
    for banned in (["A"], ["B"], ["O"], ["A"], [], ["B", "O"]) * 2:
        (bound,) = compiled.bind(Example(3, context={"banned": banned}))
        for sequence in itertools.product(LABELS, repeat=3):
            count = bound.machine.count(bound.table[0, list(LABELS.encode(sequence))].tolist())
            assert count == rule.violations(sequence, context={"banned": banned})


def test_a_compiled_rule_may_be_sent_to_another_process() -> None:
    compiled = (P & Q & ~R).compile(LABELS)
    (here,) = compiled.bind(Example(2))
    (there,) = pickle.loads(pickle.dumps(compiled)).bind(Example(2))  # noqa: S301 - our own bytes
    assert here.machine.delta.tolist() == there.machine.delta.tolist()


def test_a_stale_entry_of_the_cache_is_not_used() -> None:
    compiled, other = (P & Q).compile(LABELS), (~R).compile(LABELS)
    (expected,) = compiled.bind(Example(2))
    other.bind(Example(2))
    (foreign, *_) = other._cache.values()
    for key in compiled._cache:  # as if other objects had got the ids of these
        compiled._cache[key] = foreign
    (found,) = compiled.bind(Example(2))
    assert found.machine.delta.tolist() == expected.machine.delta.tolist()


def test_rules_of_several_machines_hold_only_if_all_do() -> None:
    rule = ~same_label()
    compiled = rule.compile(LABELS)
    extra = {"groups": [[0, 1], [2, 3]]}
    for sequence in itertools.product(LABELS, repeat=4):
        (bound,) = compiled.bind(Example(4, context=extra))
        classes = [
            bound.table[kind, LABELS.index(label)] for kind, label in zip(bound.kinds, sequence, strict=True)
        ]
        assert bound.machine.count(classes) == rule.violations(sequence, context=extra)


def test_naming_nested_logic_takes_no_time_to_speak_of() -> None:
    rule: Rule = P
    for _ in range(DEEPEST_LOGIC):
        rule = ~rule
    assert repr(rule) == "(~" * DEEPEST_LOGIC + repr(P) + ")" * DEEPEST_LOGIC
    assert not rule.has_own_name
    with pytest.raises(RuleError, match="nested 100 levels deep, got 101: split it into several rules"):
        Not(rule)


def test_logic_that_doubles_at_every_level_is_refused_before_it_is_spelled() -> None:
    rule: Rule = P
    with pytest.raises(RuleError, match="may combine 10000 rules, got 16383"):
        for _ in range(50):
            rule = rule ^ rule
    assert (rule.depth, rule.size) == (12, 8191)
