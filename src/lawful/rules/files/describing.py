"""What a rule means, in one sentence of plain English: `describe`."""

from __future__ import annotations

from lawful.errors import RuleError
from lawful.rules.files.rule_tables import clause
from lawful.rules.rule import Rule

__all__ = ["describe"]


def describe(rule: Rule) -> str:
    """What a rule means, what it costs to break it, and how that is counted.

    Examples
    --------
    >>> from lawful.rules import at_most_segments, requires
    >>> describe(at_most_segments(1, "Street"))
    'There is at most one segment of Street; this must hold.'
    >>> describe(requires("Zip", "City").soft(2))
    'If Zip appears, so does City; breaking this costs 2.'
    """
    if not isinstance(rule, Rule):
        raise RuleError(f"only a rule can be described, got {rule!r:.60}")
    meaning = clause(rule)
    return f"{meaning[0].upper()}{meaning[1:]}; {_price(rule)}."


def _price(rule: Rule) -> str:
    if rule.price == "hard":
        return "this must hold"
    counted = rule.per == "violation"
    if rule.price == "learn":
        return f"the cost of {'each violation' if counted else 'breaking this'} is learned"
    return f"{'each violation' if counted else 'breaking this'} costs {rule.price:g}"
