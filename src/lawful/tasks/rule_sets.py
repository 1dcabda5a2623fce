"""The rule sets that come with lawful: the file rules.toml in the folder of a task."""

from __future__ import annotations

from importlib.resources import files

from lawful.errors import InputError
from lawful.rules.files import parse_rules
from lawful.rules.rule import Per, Price
from lawful.rules.ruleset import Rules

__all__ = ["RULE_SETS", "load_rules", "read_rule_text"]

RULE_SETS = ("ads", "citations", "seminars", "srl", "srl/constituents")
"""The names of the rule sets: Tables 2 and 1 of Chang, Ratinov & Roth (2012), one of our own, section 5.1 of Tromble & Eisner (2006), and roles over trees."""


def load_rules(name: str, *, price: Price | None = None, per: Per | None = None) -> Rules:
    """Load a rule set that comes with lawful.

    Parameters
    ----------
    name : str
        One of `RULE_SETS`.
    price : float, "hard" or "learn", optional
        Replaces the price "learn" of the file; rules that are hard there stay hard.
    per : "violation" or "sequence", optional
        How violations of soft rules are counted; by default as the file says.

    Examples
    --------
    >>> load_rules("citations")["Date"]
    when(token.matches('(19|20)[0-9][0-9]')).then('date').soft('learn', per='violation', name='Date')
    >>> {rule.price for rule in load_rules("citations", price="hard")}
    {'hard'}
    """
    rules = parse_rules(read_rule_text(name), f"{name}/rules.toml")
    return Rules(
        rule
        if rule.price == "hard"
        else rule.soft(rule.price if price is None else price, per=per or rule.per)
        for rule in rules
    )


def read_rule_text(name: str) -> str:
    """The text of a rule file that comes with lawful, to copy and edit.

    Examples
    --------
    >>> print(read_rule_text("citations").splitlines()[0])
    # References: the twelve rules of Chang, Ratinov & Roth (2012), Table 1, over 13 fields.
    """
    if name not in RULE_SETS:
        raise InputError(f"unknown rule set {name!r}; the rule sets are {', '.join(RULE_SETS)}")
    return files("lawful.tasks").joinpath(*name.split("/"), "rules.toml").read_text(encoding="utf-8")
