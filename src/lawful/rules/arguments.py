"""Checking what a user passes to a rule (labels, numbers, positions, spans), and printing it as code."""

from __future__ import annotations

from collections.abc import Iterable, Set as AbstractSet
from typing import Any

from lawful.errors import ContextError, PositionError, RuleError, SpanError
from lawful.support.numbers import as_whole

__all__ = [
    "LabelsLike",
    "as_labels",
    "checked_groups",
    "checked_position",
    "checked_spans",
    "spell",
    "spell_labels",
    "whole_number",
]

LabelsLike = str | Iterable[str]


def as_labels(labels: LabelsLike | Iterable[LabelsLike], where: str) -> tuple[str, ...]:
    """One or more labels, in the given order and without repeats; sets are sorted.

    Examples
    --------
    >>> as_labels(["A", ["B", "A"]], "forbid")
    ('A', 'B')
    """
    names = list(_flat(labels, where))
    if not names:
        raise RuleError(f"{where} needs at least one label, got none")
    return tuple(dict.fromkeys(names))


def _flat(labels: object, where: str) -> Iterable[str]:
    if isinstance(labels, str):
        return (labels,)
    if isinstance(labels, Iterable):
        inner = [name for item in labels for name in _flat(item, where)]
        return sorted(inner) if isinstance(labels, AbstractSet) else inner
    raise RuleError(f"{where} takes labels, got {labels!r}")


def whole_number(value: Any, what: str, *, least: int | None = 0) -> int:
    """An integer, at least `least` unless that is None; booleans and fractions are refused.

    Examples
    --------
    >>> whole_number(3, "n of at_most")
    3
    """
    number = as_whole(value)
    if number is None or (least is not None and number < least):
        minimum = "" if least is None else f" >= {least}"
        raise RuleError(f"{what} must be a whole number{minimum}, got {value!r}")
    return number


def checked_position(position: Any, length: int, rule: str) -> int:
    """A position as 0..length-1; negative ones count from the end.

    Examples
    --------
    >>> checked_position(-1, 3, "a rule")
    2
    """
    if type(position) is int and 0 <= position < length:
        return position
    number = as_whole(position)
    if number is None or not -length <= number < length:
        raise PositionError(position, length, rule)
    return number % length


def checked_spans(spans: Any, length: int, rule: str) -> list[tuple[int, int]]:
    """Half-open spans (start, end) inside a sequence.

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
        start, end = map(as_whole, span)
    except (TypeError, ValueError):
        raise SpanError(span, length, rule) from None
    if start is None or end is None or not 0 <= start < end <= length:
        raise SpanError(span, length, rule)
    return start, end


def _items(values: Any, expected: str, rule: str) -> Iterable[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ContextError(f"rule {rule!r} needs a list of {expected}, got {values!r}")
    return values


def spell(function: str, *arguments: object, **options: object) -> str:
    """The call that makes a rule, as code.

    Examples
    --------
    >>> spell("segment_length", "A", max=3)
    "segment_length('A', max=3)"
    """
    parts = [repr(argument) for argument in arguments]
    parts += [f"{name}={value!r}" for name, value in options.items()]
    return f"{function}({', '.join(parts)})"


def spell_labels(names: tuple[str, ...]) -> str | list[str]:
    """How labels print as one argument: a single label as itself, several as a list.

    Examples
    --------
    >>> spell_labels(("A",)), spell_labels(("A", "B"))
    ('A', ['A', 'B'])
    """
    return names[0] if len(names) == 1 else list(names)
