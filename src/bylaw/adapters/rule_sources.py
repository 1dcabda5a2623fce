"""Rules from what a configuration can say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bylaw.errors import InputError
from bylaw.rules.rule import Rule
from bylaw.rules.ruleset import Rules

__all__ = ["rules_from", "text_of_rules"]


def rules_from(source: Any) -> Rules:
    """Rules from themselves, or from a rule file: its path, or its text. None is no rules.

    Examples
    --------
    >>> from bylaw.rules import forbid
    >>> rules_from(forbid("A")), rules_from(None)
    (Rules(forbid('A')), Rules())
    """
    if source is None:
        return Rules()
    if isinstance(source, (str, Path)):
        return _read(source)
    if isinstance(source, (Rules, Rule)) or hasattr(source, "__iter__"):
        return source if isinstance(source, Rules) else Rules(source)
    raise InputError(f"rules must be Rules, a rule, or the path or text of a rule file; got {source!r}")


def text_of_rules(rules: Rules) -> str | None:
    """The rule file that says the same; None if there is no such file."""
    return None


def _read(source: str | Path) -> Rules:
    raise InputError("rule files cannot be read yet: give a Rules object")  # the seam for bylaw.read_rules
