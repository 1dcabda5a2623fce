"""English phrases for labels, numbers, positions and token tests, from which rules are described."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from lawful.errors.wording import ordinal
from lawful.rules.contexts import Context
from lawful.rules.tokens.tests import (
    Both,
    Column,
    Contains,
    Either,
    Function,
    IsIn,
    Matches,
    Negation,
    TokenTest,
)

__all__ = [
    "any_of",
    "counted",
    "every_of",
    "listed",
    "none_of",
    "number",
    "numbered",
    "position_in_words",
    "token_clause",
]

PLAIN = re.compile(r"[\w.:-]+")
MOST_LABELS = 12
MOST_WORDS = 8
SPELLED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def any_of(labels: Sequence[str]) -> str:
    r"""Labels as alternatives.

    Examples
    --------
    >>> any_of(["A"]), any_of(["A", "B", "the 'C'"])
    ('A', 'A, B or "the \'C\'"')
    """
    return listed([_label(name) for name in labels], "or")


def every_of(labels: Sequence[str]) -> str:
    """Labels taken together.

    Examples
    --------
    >>> every_of(["A", "B"])
    'A and B'
    """
    return listed([_label(name) for name in labels], "and")


def none_of(labels: Sequence[str]) -> str:
    """Labels that do not appear.

    Examples
    --------
    >>> none_of(["A"]), none_of(["A", "B"]), none_of(["A", "B", "C"])
    ('A does not', 'neither A nor B does', 'none of A, B and C does')
    """
    if len(labels) == 1:
        return f"{any_of(labels)} does not"
    if len(labels) == 2:
        return f"neither {any_of(labels[:1])} nor {any_of(labels[1:])} does"
    return f"none of {every_of(labels)} does"


def number(n: int) -> str:
    """A number as it is written in a sentence.

    Examples
    --------
    >>> number(1), number(10), number(11)
    ('one', 'ten', '11')
    """
    return SPELLED[n] if 0 <= n < len(SPELLED) else str(n)


def counted(n: int, noun: str) -> str:
    """A number and its noun.

    Examples
    --------
    >>> counted(1, "token"), counted(2, "token"), counted(12, "state")
    ('one token', 'two tokens', '12 states')
    """
    return f"{number(n)} {noun}" + ("" if n == 1 else "s")


def position_in_words(position: int) -> str:
    """A position in words; positions count from 0, and negative ones from the end.

    Examples
    --------
    >>> position_in_words(0), position_in_words(-1), position_in_words(4), position_in_words(-3)
    ('the first token', 'the last token', 'the 5th token', 'the 3rd token from the end')
    """
    if position in (0, -1):
        return "the first token" if position == 0 else "the last token"
    return (
        f"the {ordinal(position + 1)} token"
        if position > 0
        else f"the {ordinal(-position)} token from the end"
    )


def numbered(clauses: Iterable[str]) -> str:
    """Numbered clauses; a clause that is itself numbered is put in brackets.

    Examples
    --------
    >>> numbered(["it rains", "one of these: (1) it pours; (2) it snows"])
    '(1) it rains; (2) [one of these: (1) it pours; (2) it snows]'
    """
    return "; ".join(
        f"({number}) {f'[{clause}]' if '(1)' in clause else clause}"
        for number, clause in enumerate(clauses, 1)
    )


def by_context(context: Context) -> str:
    """The context that a value comes from.

    Examples
    --------
    >>> by_context(Context("spans"))
    "context 'spans'"
    """
    return f"context {context.name!r}"


def token_clause(test: TokenTest, *, passes: bool = True) -> str:
    """A clause about a token that passes a test, or fails it.

    Examples
    --------
    >>> token_clause(Matches("[0-9]+")), token_clause(Negation(IsIn(("a", "b", "c"), lower=True)))
    ("matches '[0-9]+'", "is not 'a', 'b' or 'c' (ignoring case)")
    >>> token_clause(Both(Contains("x"), IsIn(("a", "b"))))
    "contains a match for 'x' and (is 'a' or 'b')"
    """
    match test:
        case IsIn():
            return f"is {'' if passes else 'not '}{_words(test.words)}" + (
                " (ignoring case)" if test.lower else ""
            )
        case Matches():
            return f"{'matches' if passes else 'does not match'} {_regex(test.regex)}"
        case Contains():
            return f"contains {'a' if passes else 'no'} match for {_regex(test.regex)}"
        case Column():
            values = listed([repr(value) for value in test.values], "or")
            return f"{'has' if passes else 'does not have'} {values} in column {test.column!r}"
        case Function():
            name = test.name or getattr(test.function, "__name__", "a function")
            return f"{'passes' if passes else 'fails'} the test {name}"
        case Negation():
            return token_clause(test.inner, passes=not passes)
        case Both() | Either():
            together = isinstance(test, Both) == passes  # not (a and b) is: not a, or not b
            sign = "and" if together else "or"
            return f"{_side(test.left, sign, passes=passes)} {sign} {_side(test.right, sign, passes=passes)}"
    return f"{'passes' if passes else 'fails'} {test!r}"


def _side(test: TokenTest, sign: str, *, passes: bool) -> str:
    """One side of an "and" or "or": in brackets if it contains another of them."""
    clause = token_clause(test, passes=passes)
    if isinstance(test, Negation):
        return _side(test.inner, sign, passes=not passes)
    if isinstance(test, Both | Either):
        return clause if (isinstance(test, Both) == passes) == (sign == "and") else f"({clause})"
    words = test.words if isinstance(test, IsIn) else test.values if isinstance(test, Column) else ()
    several = len(words) > 1 and (sign == "and" or not passes)  # else "or" joins words and tests alike
    return f"({clause})" if several else clause


def _words(words: Sequence[str]) -> str:
    shown = [repr(word) for word in words[:MOST_WORDS]]
    more = len(words) - MOST_WORDS
    if more > 0:
        shown.append(f"one of {more:,} more words" if more > 1 else "one more word")
    return listed(shown, "or") or "a word of an empty list"


def _regex(source: str) -> str:
    return f"'{source}'"  # as it was written: repr would double its backslashes


def _label(name: Any) -> str:
    return str(name) if PLAIN.fullmatch(str(name)) else repr(name)


def listed(words: Sequence[str], sign: str) -> str:
    """Words as a list, with "and" or "or" before the last; a long list is cut.

    Examples
    --------
    >>> listed(["a", "b", "c"], "and")
    'a, b and c'
    """
    if len(words) > MOST_LABELS:
        words = [*words[:MOST_LABELS], f"{len(words) - MOST_LABELS} others"]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {sign} {words[-1]}"
