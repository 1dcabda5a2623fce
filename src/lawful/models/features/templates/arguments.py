"""Checks of the arguments of templates; errors name the argument."""

from __future__ import annotations

from lawful.errors import FeatureError
from lawful.support.numbers import as_whole

__all__ = ["column_argument", "flag_argument", "text_argument", "whole_number"]


def whole_number(kind: str, name: str, value: object, least: int, most: int) -> int:
    """An int argument in its range, or an error that names it."""
    number = as_whole(value)
    if number is None or not least <= number <= most:
        raise FeatureError(
            f"{kind}: {name} must be a whole number from {least} to {most}, got {value!r}", key=name
        )
    return number


def text_argument(kind: str, name: str, value: object) -> str:
    """A str argument, not empty, or an error that names it."""
    if not isinstance(value, str) or not value:
        raise FeatureError(f"{kind}: {name} must be a string that is not empty, got {value!r}", key=name)
    return value


def flag_argument(kind: str, name: str, value: object) -> bool:
    """A bool argument, or an error that names it."""
    if not isinstance(value, bool):
        raise FeatureError(f"{kind}: {name} must be true or false, got {value!r}", key=name)
    return value


def column_argument(kind: str, name: str, value: object) -> str | int:
    """A column: a name or an index."""
    if (
        isinstance(value, bool)
        or not isinstance(value, (str, int))
        or (isinstance(value, int) and abs(value) > 2**31)
    ):
        raise FeatureError(f"{kind}: {name} must be a column's name or index, got {value!r}", key=name)
    return value
