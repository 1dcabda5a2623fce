"""Reading a token: a string, a mapping, or a row of columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lawful.errors import TokenError

__all__ = ["TEXT_KEYS", "column_of", "text_of"]

TEXT_KEYS = ("text", "word", "token")


def text_of(token: Any) -> str:
    """The text of a token: itself, what a mapping has under "text", "word" or "token", or a row's first column.

    Examples
    --------
    >>> text_of("Bonn"), text_of({"word": "Bonn"}), text_of(("Bonn", "NE"))
    ('Bonn', 'Bonn', 'Bonn')
    """
    if type(token) is str:  # nearly always
        return token
    text = token
    if isinstance(token, (dict, Mapping)):  # dict first: asking an abstract class is slow
        text = None
        for key in TEXT_KEYS:
            if key in token:
                text = token[key]
                break
    elif isinstance(token, (tuple, list)):
        text = token[0] if token else None
    if not isinstance(text, str):
        raise TokenError(
            f"token {token!r} has no text: expected a string, a mapping with a string under 'text', 'word' or "
            "'token', or a row whose first column is a string"
        )
    return text


def column_of(token: Any, column: str | int) -> Any:
    """What a mapping has under a key, or a row at an index.

    Examples
    --------
    >>> column_of({"text": "Bonn", "pos": "NE"}, "pos"), column_of(("Bonn", "NE"), 1)
    ('NE', 'NE')
    """
    if type(token) is dict or isinstance(token, Mapping):  # the second takes longer
        if column in token:
            return token[column]
        raise TokenError(
            f"token {token!r:.60} has no column {column!r}; it has {', '.join(map(repr, token))}"
        )
    if isinstance(token, (tuple, list)) and isinstance(column, int):
        if -len(token) <= column < len(token):
            return token[column]
        raise TokenError(f"token {token!r:.60} has no column {column}; it has {len(token)} columns")
    kind = "an index" if isinstance(column, int) else "a key"
    raise TokenError(f"token {token!r:.60} has no columns to take by {kind}, here {column!r}")
