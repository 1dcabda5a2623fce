"""Which labels a rule names."""

from __future__ import annotations

from dataclasses import fields

from lawful.labels import LabelSet
from lawful.rules.checking.alphabet import parts_of
from lawful.rules.contexts import Context
from lawful.rules.kinds.machines import Automaton
from lawful.rules.kinds.tag_schemes import ValidTags
from lawful.rules.kinds.transitions import AllowedTransitions
from lawful.rules.patterns.compile import symbols_of
from lawful.rules.patterns.rule import Pattern
from lawful.rules.rule import Rule

__all__ = ["labels_of"]

NAMES = ("labels", "a", "b")


def labels_of(rule: Rule, labels: LabelSet) -> set[str]:
    """The labels that a rule names. Rules that speak of all of them, such as `valid_tags`, name all.

    Examples
    --------
    >>> from lawful.rules import before, forbid
    >>> sorted(labels_of(before("A", "B") & ~forbid("C"), LabelSet(["A", "B", "C", "D"])))
    ['A', 'B', 'C']
    """
    found: set[str] = set()
    for part in parts_of(rule):
        found |= labels_of(part, labels)
    if isinstance(rule, AllowedTransitions):
        return {*labels, *(label for pair in rule.pairs for label in pair)}
    if isinstance(rule, ValidTags) or (isinstance(rule, Automaton) and rule.classes is None):
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
