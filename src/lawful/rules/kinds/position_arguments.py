"""Checking the positions and spans that arrive with an example."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any

from lawful.errors import ContextError, PositionError, SpanError

__all__ = ["checked_groups", "checked_position", "checked_spans"]


def checked_position(position: Any, length: int, rule: str) -> int:
    """A position as 0..length-1; negative ones count from the end.

    Examples
    --------
    >>> checked_position(-1, 3, "a rule")
    2
    """
    if type(position) is int and 0 <= position < length:
        return position
    number = _whole(position)
    if number is None or not -length <= number < length:
        raise PositionError(position, length, rule)
    return number % length


def checked_spans(spans: Any, length: int, rule: str) -> list[tuple[int, int]]:
    """Half-open spans (start, end) that lie inside a sequence.

    Examples
    --------
    >>> checked_spans([(0, 2)], 3, "a rule")
    [(0, 2)]
    """
    return [_checked_span(span, length, rule) for span in _items(spans, "spans (start, end)", rule)]


def checked_groups(groups: Any, length: int, rule: str) -> list[list[int]]:
    """Groups of positions, each sorted and without repeats.

    Examples
    --------
    >>> checked_groups([[-1, 0, 0]], 3, "a rule")
    [[0, 2]]
    """
    return [
        sorted({checked_position(position, length, rule) for position in _items(group, "positions", rule)})
        for group in _items(groups, "groups, each a list of positions", rule)
    ]


def _checked_span(span: Any, length: int, rule: str) -> tuple[int, int]:
    try:
        start, end = map(_whole, span)
    except (TypeError, ValueError):
        raise SpanError(span, length, rule) from None
    if start is None or end is None or not 0 <= start < end <= length:
        raise SpanError(span, length, rule)
    return start, end


def _whole(number: Any) -> int | None:
    try:
        return None if isinstance(number, bool) else index(number)
    except TypeError:
        return None


def _items(given: Any, expected: str, rule: str) -> Iterable[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ContextError(f"rule {rule!r} needs a list of {expected}, got {given!r}")
    return given
