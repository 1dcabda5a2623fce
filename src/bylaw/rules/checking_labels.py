"""Which labels a rule names."""

from __future__ import annotations

from dataclasses import fields

from bylaw.labels import LabelSet
from bylaw.rules.checking_alphabet import parts_of
from bylaw.rules.contexts import Context
from bylaw.rules.machine_rule import Automaton
from bylaw.rules.pattern_compile import symbols_of
from bylaw.rules.patterns import Pattern
from bylaw.rules.rule import Rule
from bylaw.rules.schemes import Valid
from bylaw.rules.transitions import AllowedTransitions

__all__ = ["labels_of"]

NAMES = ("labels", "a", "b")


def labels_of(rule: Rule, labels: LabelSet) -> set[str]:
    """The labels that a rule names. Rules that speak of all of them, such as `valid`, name all.

    Examples
    --------
    >>> from bylaw.rules import before, forbid
    >>> sorted(labels_of(before("A", "B") & ~forbid("C"), LabelSet(["A", "B", "C", "D"])))
    ['A', 'B', 'C']
    """
    found: set[str] = set()
    for part in parts_of(rule):
        found |= labels_of(part, labels)
    if isinstance(rule, AllowedTransitions):
        return {*labels, *(label for pair in rule.pairs for label in pair)}
    if isinstance(rule, Valid) or (isinstance(rule, Automaton) and rule.classes is None):
        return set(labels)
    if isinstance(rule, Automaton):
        return {label for label, _ in rule.classes or ()}
    if isinstance(rule, Pattern):
        return {label for symbol in symbols_of(rule.tree) for label in symbol.labels}
    for field in fields(rule):
        held = getattr(rule, field.name)
        if field.name in NAMES and not isinstance(held, Context):
            found |= set(held)
    return found
