"""The twelve rules for citations of Chang, Ratinov & Roth (2012), Table 1."""

from __future__ import annotations

from lawful.rules import at_most_segments, change_only_after, starts_with, token, when
from lawful.rules.rule import Per, Price
from lawful.rules.ruleset import Rules
from lawful.rules.tokens.tests import TokenTest
from lawful.tasks.citations.corpus import FIELDS

__all__ = ["CITATION_FIELDS", "appears_once", "citation_rules", "citation_ties"]

CITATION_FIELDS = tuple(sorted(FIELDS))


def citation_rules(*, price: Price = "learn", per: Per = "violation") -> Rules:
    """Start, AppearsOnce (one rule per field), Punctuation, and words that indicate fields.

    Parameters
    ----------
    price : float, "hard" or "learn"
        The price of all rules.
    per : "violation" or "sequence"
        How violations of soft rules are counted.

    Examples
    --------
    >>> rules = citation_rules()
    >>> len([name for name in rules.names if not name.startswith("AppearsOnce")])
    11
    >>> rules["Date"]
    when(token.matches('(19|20)[0-9][0-9]')).then('date').soft('learn', per='violation', name='Date')
    """
    rules = {
        "Start": starts_with("author", "editor"),
        **{f"AppearsOnce {field}": at_most_segments(1, field) for field in CITATION_FIELDS},
        "Punctuation": change_only_after(token.matches(r"[^A-Za-z0-9]+")),
        "BookJournal": when(_words("proc", "journal", "proceedings", "acm")).then("journal", "booktitle"),
        "Date": when(token.matches("(19|20)[0-9][0-9]")).then("date"),
        "Editors": when(_words("ed", "eds", "editor", "editors")).then("editor"),
        "Journal": when(_words("journal")).then("journal"),
        "Note": when(_words("note", "submitted", "appear")).then("note"),
        "Pages": when(_words("pp", "pages")).then("pages"),
        "TechReport": when(_words("tech", "technical")).then("tech"),
        "Title": when(token.matches("[\"“”]|``|''")).then("title"),
        "Location": when(_words("ca", "australia", "ny")).then("location"),
    }
    return Rules(rule.soft(price, per=per, name=name) for name, rule in rules.items())


def citation_ties() -> list[list[str]]:
    """The rules that share a price: AppearsOnce is one rule in the paper, but one per field here.

    Examples
    --------
    >>> citation_ties()[0][0]
    'AppearsOnce author'
    """
    return [list(appears_once())]


def appears_once() -> tuple[str, ...]:
    """The names of the rules that together make up the paper's AppearsOnce.

    Examples
    --------
    >>> len(appears_once())
    13
    """
    return tuple(f"AppearsOnce {field}" for field in CITATION_FIELDS)


def _words(*words: str) -> TokenTest:
    return token.is_in(words, lower=True)
