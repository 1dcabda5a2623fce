"""Splitting a typed text into tokens."""

from __future__ import annotations

import re

__all__ = ["tokenize"]

# Words keep marks between their letters (co-author, 423-430, O'Neil, 3.14); any other mark is a token of its own.
TOKEN = re.compile(r"[^\W_]+(?:[-'’./][^\W_]+)*|\S")


def tokenize(text: str) -> list[tuple[int, int]]:
    """Where the tokens of a text start and end.

    Examples
    --------
    >>> text = "O'Neil, J. pp. 3-14 (1999)."
    >>> [text[start:end] for start, end in tokenize(text)]
    ["O'Neil", ',', 'J', '.', 'pp', '.', '3-14', '(', '1999', ')', '.']
    """
    return [match.span() for match in TOKEN.finditer(text)]
