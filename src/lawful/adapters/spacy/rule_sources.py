"""Rules from a configuration, and their text for saving with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lawful.errors import InputError
from lawful.rules.files import format_rules, parse_rules
from lawful.rules.given_rules import as_rules
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules

__all__ = ["is_path", "rules_from", "text_of_rules"]


def is_path(source: Any) -> bool:
    """Whether this names a rule file: a path, or a string of one line.

    Examples
    --------
    >>> is_path("rules.toml"), is_path(f"[[rule]]{chr(10)}"), is_path(None)
    (True, False, False)
    """
    return isinstance(source, Path) or (isinstance(source, str) and "\n" not in source)


def rules_from(source: Any) -> Rules:
    """Rules from Rules, a rule, or a rule file given by its path or its text. None means no rules.

    A string is taken as text if it has more than one line, else as a path.

    Examples
    --------
    >>> from lawful.rules import forbid
    >>> rules_from(forbid("A")), rules_from(None)
    (Rules(forbid('A')), Rules())
    >>> rules_from('''[[rule]]
    ... kind = "forbid"
    ... labels = "A"
    ... ''')
    Rules(forbid('A'))
    """
    if source is None:
        return Rules()
    if is_path(source) or isinstance(source, (Rules, Rule)) or hasattr(source, "__iter__"):
        return as_rules(source)
    raise InputError(f"rules must be Rules, a rule, or the path or text of a rule file; got {source!r}")


def text_of_rules(rules: Rules) -> str | None:
    """The text of a rule file with these rules; None if no rule file can express them, as for rules that call functions.

    Examples
    --------
    >>> from lawful.rules import forbid, token, when
    >>> rules_from(text_of_rules(Rules(forbid("A"))))
    Rules(forbid('A'))
    >>> text_of_rules(Rules(when(token.test(str.isupper)).then("A"))) is None
    True
    """
    try:
        text = format_rules(rules)
        return text if parse_rules(text) == rules else None
    except InputError:
        return None
