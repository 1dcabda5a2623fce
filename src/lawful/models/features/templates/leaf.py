"""The smallest thing that a template looks at, one property of one token: the reference, in Python."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from lawful.errors import TokenError
from lawful.models.features.templates.character_kinds import KINDS, shape_of, shorten
from lawful.models.features.templates.function_values import Weighted, read_values
from lawful.rules.tokens.values import column_of, text_of

__all__ = ["OPERATIONS", "Leaf", "source_text"]

YES, NO = "yes", "no"


def _fold(text: str) -> str:
    return "".join("0" if c.isdecimal() else c for c in text)


def _length(text: str, most: int) -> str:
    return f"{most}+" if 0 < most <= len(text) else str(len(text))


def _question(test: Callable[[str], bool]) -> Callable[[str, int], str | None]:
    return lambda text, both: YES if test(text) else NO if both else None


# What each operation makes of a text, given the leaf's number.
OPERATIONS: dict[str, Callable[[str, int], str | None]] = {
    "word": lambda text, _: text,
    "lower": lambda text, _: text.lower(),
    "folded": lambda text, _: _fold(text),
    "shape": lambda text, _: shape_of(text),
    "short_shape": lambda text, _: shorten(shape_of(text)),
    "prefix": lambda text, n: text[:n] if len(text) >= n else None,
    "suffix": lambda text, n: text[-n:] if len(text) >= n else None,
    "length": _length,
    **{name: _question(test) for name, test in KINDS.items()},
}


@dataclass(frozen=True)
class Leaf:
    """One property of one token.

    Parameters
    ----------
    name : str
        Its name in attributes.
    operation : str
        One of OPERATIONS, "test" (`call` answers for a text), "function" (`call` answers for a position), "first",
        "last" or "bias".
    source : str, int or None
        The column that it reads; None for the token's text.
    number : int
        The number that the operation takes: the length of an affix, the length at which counting stops, whether a no counts.
    meaning : hashable
        Tells leaves with a `call` apart.
    call : callable, optional
        For "test" `text -> str | None`, for "function" `tokens, position -> ...`.

    Examples
    --------
    >>> Leaf("suffix2", "suffix", None, 2).read(["pound"], 0)
    [('nd', 1.0)]
    """

    name: str
    operation: str
    source: str | int | None = None
    number: int = 0
    meaning: Hashable = None
    call: Callable[..., Any] | None = field(default=None, compare=False)

    def read(self, tokens: Sequence[Any], position: int) -> list[Weighted]:
        """Its values at a position inside the sequence, with their weights."""
        if self.operation == "function":
            assert self.call is not None  # noqa: S101  # for the type checker: templates make no other
            return read_values(self.name, self.call, tokens, position)
        value: str | None
        if self.operation in ("first", "last"):
            value = YES if position == (0 if self.operation == "first" else len(tokens) - 1) else None
        elif self.operation == "bias":
            value = YES
        else:
            value = self.of_text(source_text(tokens[position], self.source))
        return [] if value is None else [(value, 1.0)]

    def of_text(self, text: str | None) -> str | None:
        """Its value for a text."""
        if text is None:
            return None
        if self.operation == "test":
            assert self.call is not None  # noqa: S101
            answer: str | None = self.call(text)
            return answer
        return OPERATIONS[self.operation](text, self.number)


def source_text(token: Any, source: str | int | None) -> str | None:
    """The text of a token, or what one of its columns holds, as text; None for a column that holds None.

    Examples
    --------
    >>> source_text(("Bonn", "NE"), None), source_text(("Bonn", "NE"), 1), source_text({"size": 3}, "size")
    ('Bonn', 'NE', '3')
    """
    if source is None:
        return text_of(token)
    value = column_of(token, source)
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (bool, int, float)):
        return str(value)
    raise TokenError(f"column {source!r} holds {value!r}: expected a string, a number or None")
