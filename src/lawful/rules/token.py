"""Token tests, as users write them: `lawful.token.matches("[0-9]{5}")`.

A token is a string, a mapping (its text under "text", "word" or "token"), or a row of columns (its text first).
Tests combine with `&`, `|` and `~`.

>>> import lawful
>>> test = lawful.token.matches("[0-9]+") & ~lawful.token.is_in(["1"])
>>> test("12"), test("1"), test({"word": "12", "pos": "CD"})
(True, False, True)
>>> lawful.when(test).then("Number")
when((token.matches('[0-9]+') & ~token.is_in(['1']))).then('Number')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lawful.errors import RuleError
from lawful.rules.tokens.tests import Column, Contains, Function, IsIn, Matches

__all__ = ["column", "contains", "is_in", "matches", "test"]


def is_in(words: Iterable[str], *, lower: bool = False) -> IsIn:
    """Whether the text is one of the words; with `lower`, ignoring case.

    Examples
    --------
    >>> is_in(["Bonn", "Rome"])("Rome"), is_in(["Bonn"], lower=True)("BONN")
    (True, True)
    """
    if isinstance(words, str):
        raise RuleError(f"token.is_in takes a list of words, got the string {words!r}")
    distinct = set(words)
    if not all(isinstance(word, str) for word in distinct):
        raise RuleError("token.is_in takes words that are strings")
    return IsIn(tuple(sorted(distinct)), lower)


def matches(regex: str) -> Matches:
    r"""Whether the whole text matches a regular expression.

    Examples
    --------
    >>> matches(r"\d{5}")("53113"), matches(r"\d{5}")("531133")
    (True, False)
    """
    return Matches(regex)


def contains(regex: str) -> Contains:
    r"""Whether a regular expression matches somewhere in the text.

    Examples
    --------
    >>> contains(r"\d")("A4")
    True
    """
    return Contains(regex)


def column(name_or_index: str | int, *values: Any) -> Column:
    """Whether a column of the token has one of the values: a key for mappings, an index for rows.

    Examples
    --------
    >>> column("pos", "NN", "NE")({"text": "Bonn", "pos": "NE"}), column(1, "NE")(("Bonn", "NE"))
    (True, True)
    """
    return Column(name_or_index, values)


def test(function: Callable[[Any], Any], name: str | None = None) -> Function:
    """Whether a function of your own returns true for the token.

    Examples
    --------
    >>> test(str.istitle)("Bonn")
    True
    """
    return Function(function, name)


test.__test__ = False  # type: ignore[attr-defined]  # pytest: this is not a test case
