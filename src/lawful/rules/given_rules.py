"""Rules as callers give them: rules, a rule, several, or the path or text of a rule file."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import TypeAlias

from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules

__all__ = ["RulesLike", "as_rules"]

RulesLike: TypeAlias = Rules | Rule | Iterable[Rule] | str | PathLike[str]


def as_rules(rules: RulesLike) -> Rules:
    r"""The rules; those of a file if it is given by its path or, with more than one line, by its text.

    Examples
    --------
    >>> from lawful.rules import forbid
    >>> as_rules(forbid("A"))
    Rules(forbid('A'))
    >>> as_rules('[[rule]]\nkind = "forbid"\nlabels = "A"')
    Rules(forbid('A'))
    """
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, (str, PathLike)):
        from lawful.rules.files import parse_rules, read_rules  # whoever gives rules need not wait for it

        if isinstance(rules, str) and "\n" in rules:
            return parse_rules(rules)
        return read_rules(rules)
    return Rules(rules)
