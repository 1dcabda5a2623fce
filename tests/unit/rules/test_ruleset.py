"""Rule sets: names, access, and change by copy."""

from __future__ import annotations

import pytest

from lawful.errors import DuplicateRuleError, RuleError
from lawful.labels import LabelSet
from lawful.rules import Rules, at_most, before, forbid, token

ONCE, ORDER = at_most(1, "A").named("once"), before("A", "B")


def test_access() -> None:
    rules = Rules(ONCE, ORDER)
    assert (len(rules), rules[0], rules["once"], rules[-1]) == (2, ONCE, ONCE, ORDER)
    assert rules.names == ("once", "before('A', 'B')")
    assert "once" in rules
    assert "twice" not in rules
    assert ONCE in rules
    assert list(rules) == [ONCE, ORDER]
    assert rules[1:] == Rules(ORDER)


def test_nested_sets_and_lists_are_taken_apart() -> None:
    assert Rules(Rules(ONCE), [ORDER]) == Rules(ONCE, ORDER)
    assert Rules(ONCE) + ORDER == Rules(ONCE) + Rules(ORDER) == Rules(ONCE, ORDER)
    assert len(Rules()) == 0


def test_repeated_automatic_names_are_numbered() -> None:
    twice = Rules(ORDER, ORDER.soft(2))
    assert twice.names == ("before('A', 'B')", "before('A', 'B') #2")
    assert Rules(twice, twice).names[2:] == ("before('A', 'B') #3", "before('A', 'B') #4")
    assert Rules(ORDER, forbid("C").named("before('A', 'B')")).names == (
        "before('A', 'B') #2",
        "before('A', 'B')",
    )
    assert repr(twice) == "Rules(before('A', 'B'), before('A', 'B').soft(2.0))"


def test_repeated_own_names_are_refused() -> None:
    with pytest.raises(DuplicateRuleError) as caught:
        Rules(ONCE, ORDER.named("once"))
    assert caught.value.name == "once"


def test_without() -> None:
    rules = Rules(ONCE, ORDER, forbid("C"))
    assert rules.without("once", "forbid('C')") == Rules(ORDER)
    with pytest.raises(RuleError, match="did you mean 'once'"):
        rules.without("onec")
    with pytest.raises(RuleError, match="there are no rules"):
        Rules()["x"]


def test_only_rules() -> None:
    for wrong in ("at_most", 3, [None]):
        with pytest.raises(RuleError, match="contains rules"):
            Rules(wrong)


def test_together() -> None:
    rules = Rules(ONCE, ORDER)
    assert rules.violations(["A", "B", "A"]) == {"once": 1, "before('A', 'B')": 1}
    assert [compiled.static for compiled in rules.compile(LabelSet(["A", "B"]))] == [True, True]
    assert hash(rules) == hash(Rules(ONCE, ORDER))


def test_many_rules_that_nobody_named_are_numbered_in_linear_time() -> None:
    rules = Rules(forbid("A") for _ in range(3000))
    assert rules.names[:3] == ("forbid('A')", "forbid('A') #2", "forbid('A') #3")
    assert rules.names[-1] == "forbid('A') #3000" and len(set(rules.names)) == 3000
    assert Rules(rules).names == rules.names
    assert Rules(rules, forbid("A").named("forbid('A') #x")).names[-1] == "forbid('A') #x"


@pytest.mark.parametrize("whether", [at_most(1, "A"), token.matches("a")])
def test_pythons_and_does_not_drop_a_rule_in_silence(whether: object) -> None:
    """`one and other` was the other rule alone."""
    for ask in (lambda: whether and whether, lambda: whether or whether, lambda: not whether):
        with pytest.raises(RuleError, match=r"combine (rules|tests) with &"):
            ask()
