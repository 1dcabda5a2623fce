"""Tidying what a user passes to a rule: label names, numbers, and how they print."""

from __future__ import annotations

from collections.abc import Iterable, Set as AbstractSet
from operator import index
from typing import Any

from lawful.errors import RuleError

__all__ = ["LabelNames", "label_names", "spell", "spell_labels", "whole_number"]

LabelNames = str | Iterable[str]


def label_names(given: LabelNames | Iterable[LabelNames], where: str) -> tuple[str, ...]:
    """One or more label names, in the order given and without repeats; sets are sorted.

    Examples
    --------
    >>> label_names(["A", ["B", "A"]], "forbid")
    ('A', 'B')
    """
    names = list(_flat(given, where))
    if not names:
        raise RuleError(f"{where} needs at least one label, got none")
    return tuple(dict.fromkeys(names))


def _flat(given: object, where: str) -> Iterable[str]:
    if isinstance(given, str):
        return (given,)
    if isinstance(given, Iterable):
        inner = [name for item in given for name in _flat(item, where)]
        return sorted(inner) if isinstance(given, AbstractSet) else inner
    raise RuleError(f"{where} takes label names, got {given!r}")


def whole_number(given: Any, what: str, *, least: int | None = 0) -> int:
    """An integer, of at least `least` if that is given; booleans and fractions are refused.

    Examples
    --------
    >>> whole_number(3, "n of at_most")
    3
    """
    try:
        number = None if isinstance(given, bool) else index(given)
    except TypeError:
        number = None
    if number is None or (least is not None and number < least):
        bound = "" if least is None else f" >= {least}"
        raise RuleError(f"{what} must be a whole number{bound}, got {given!r}")
    return number


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
    """A single label as itself, several as a list: how a set of labels prints when it is one argument.

    Examples
    --------
    >>> spell_labels(("A",)), spell_labels(("A", "B"))
    ('A', ['A', 'B'])
    """
    return names[0] if len(names) == 1 else list(names)
