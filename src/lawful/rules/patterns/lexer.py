"""Splitting a pattern into lexemes.

A bare label begins and ends with a letter, a digit or an underscore; inside it may also have `-`, `.` and `:`.
So `B-PER`, `a.b` and `x:y` are one label each, `A.` is `A` and then any label, and `A . B` needs its spaces. Other
labels are quoted, 'like this' or "like this"; in quotes a backslash keeps the next character as it is.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from lawful.errors import PatternError

__all__ = ["Lexeme", "read_lexemes"]

WORD = re.compile(r"\w+(?:[-.:]+\w+)*")
TEST = re.compile(r"/\s*(!?)\s*(\w+(?:-\w+)*)")
COUNT = re.compile(r"\{\s*(\d+)\s*(,?)\s*(\d*)\s*\}")
QUOTED = re.compile(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\"""", re.DOTALL)
SIGNS = "()[]|&!*+?.^"


class Lexeme(NamedTuple):
    """A piece of a pattern: its kind, its text, and the index of its first character."""

    kind: str
    text: str
    position: int


def read_lexemes(pattern: str) -> list[Lexeme]:
    """Split a pattern into lexemes; the last one is the end.

    Kinds: "label", "test" (text `name` or `!name`), "count" (text `m`, `m,` or `m,n`), "end", or the sign itself.

    Examples
    --------
    >>> [lexeme.text for lexeme in read_lexemes("B-PER/!digit {2,} .")]
    ['B-PER', '!digit', '2,', '.', '']
    """
    lexemes = []
    position = 0
    while position < len(pattern):
        if pattern[position].isspace():
            position += 1
            continue
        lexeme, position = _next_lexeme(pattern, position)
        lexemes.append(lexeme)
    return [*lexemes, Lexeme("end", "", len(pattern))]


def _next_lexeme(pattern: str, position: int) -> tuple[Lexeme, int]:
    sign = pattern[position]
    if word := WORD.match(pattern, position):
        return Lexeme("label", word[0], position), word.end()
    if sign in SIGNS:
        return Lexeme(sign, sign, position), position + 1
    if sign in "'\"":
        quoted = QUOTED.match(pattern, position)
        if quoted is None:
            raise PatternError(pattern, position, f"this quote has no closing {sign}")
        text = quoted[1] if quoted[1] is not None else quoted[2]
        return Lexeme("label", re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL), position), quoted.end()
    if sign == "/":
        test = TEST.match(pattern, position)
        if test is None:
            raise PatternError(pattern, position, "expected the name of a token test after '/' or '/!'")
        return Lexeme("test", test[1] + test[2], position), test.end()
    if sign == "{":
        count = COUNT.match(pattern, position)
        if count is None or (count[3] and not count[2]):
            raise PatternError(pattern, position, "expected {m}, {m,} or {m,n} with whole numbers")
        return Lexeme("count", count[1] + count[2] + count[3], position), count.end()
    raise PatternError(
        pattern,
        position,
        f"unexpected {sign!r}; quote labels that contain other characters than letters, digits and _ - . :",
    )
