"""Words for labels, numbers and token tests, from which rules make their sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from bylaw.rules.contexts import Context
from bylaw.rules.token_tests import (
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

__all__ = ["any_of", "every_of", "numbered", "place_of", "tokens", "who"]

PLAIN = re.compile(r"[\w.:-]+")
MOST_LABELS = 12
MOST_WORDS = 8


def any_of(labels: Sequence[str]) -> str:
    r"""Labels as alternatives.

    Examples
    --------
    >>> any_of(["A"]), any_of(["A", "B", "the 'C'"])
    ('A', 'A, B or "the \'C\'"')
    """
    return _joined([_label(name) for name in labels], "or")


def every_of(labels: Sequence[str]) -> str:
    """Labels taken together.

    Examples
    --------
    >>> every_of(["A", "B"])
    'A and B'
    """
    return _joined([_label(name) for name in labels], "and")


def tokens(n: int) -> str:
    """So many tokens.

    Examples
    --------
    >>> tokens(1), tokens(2)
    ('1 token', '2 tokens')
    """
    return f"{n} token" + ("" if n == 1 else "s")


def place_of(position: int) -> str:
    """A position in words.

    Examples
    --------
    >>> place_of(0), place_of(-1), place_of(4), place_of(-3)
    ('the first token', 'the last token', 'token 4', 'token -3')
    """
    return {0: "the first token", -1: "the last token"}.get(position, f"token {position}")


def numbered(clauses: Iterable[str]) -> str:
    """Clauses in a row, each with its number; brackets around a row inside a row.

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
    """Where something comes from that arrives with each sequence.

    Examples
    --------
    >>> by_context(Context("spans"))
    "context 'spans'"
    """
    return f"context {context.name!r}"


def who(test: TokenTest, *, passes: bool = True) -> str:
    """What is true of a token that passes a test, or of one that fails it.

    Examples
    --------
    >>> who(Matches("[0-9]+")), who(Negation(IsIn(("a", "b"))))
    ("matches '[0-9]+'", "is none of 'a', 'b'")
    """
    match test:
        case IsIn():
            words = ", ".join(map(repr, test.words[:MOST_WORDS])) or "(no words)"
            more = len(test.words) - MOST_WORDS
            words += f" and {more} more words" if more > 0 else ""
            return f"is {'one' if passes else 'none'} of {words}" + (
                ", whatever their capitals" if test.lower else ""
            )
        case Matches():
            return f"{'matches' if passes else 'does not match'} {_regex(test.regex)}"
        case Contains():
            return f"{'contains' if passes else 'does not contain'} {_regex(test.regex)}"
        case Column():
            values = _joined([repr(value) for value in test.values], "or")
            return f"{'has' if passes else 'does not have'} {values} in column {test.column!r}"
        case Function():
            name = test.name or getattr(test.function, "__name__", "a function")
            return f"{'passes' if passes else 'fails'} {name}"
        case Negation():
            return who(test.inner, passes=not passes)
        case Both() | Either():
            together = isinstance(test, Both) == passes  # not (a and b) is: not a, or not b
            sign = "and" if together else "or"
            return f"({who(test.left, passes=passes)} {sign} {who(test.right, passes=passes)})"
    return f"{'passes' if passes else 'fails'} {test!r}"


def _regex(source: str) -> str:
    return f"'{source}'"  # as it was written: repr would double its backslashes


def _label(name: Any) -> str:
    return str(name) if PLAIN.fullmatch(str(name)) else repr(name)


def _joined(words: Sequence[str], sign: str) -> str:
    if len(words) > MOST_LABELS:
        words = [*words[:MOST_LABELS], f"{len(words) - MOST_LABELS} others"]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {sign} {words[-1]}"
