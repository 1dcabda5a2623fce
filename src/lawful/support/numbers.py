"""Checks of numbers that callers give: errors name the option, the value, and what was expected."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Real
from operator import index
from typing import Any, TypeVar

from lawful.errors import InputError

__all__ = ["as_whole", "check_choice", "check_count", "check_flag", "check_number", "check_seed"]

LARGEST = 2**63 - 1  # what the kernels can hold

Choice = TypeVar("Choice", bound=str)


def as_whole(value: Any) -> int | None:
    """An integer of any library as an int; None for anything else, booleans included.

    Examples
    --------
    >>> import numpy as np
    >>> as_whole(np.int64(3)), as_whole(3.0), as_whole(True), as_whole(np.True_)
    (3, None, None, None)
    """
    try:
        return None if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_") else index(value)
    except TypeError:
        return None


def check_count(name: str, value: object, *, least: int = 0, most: int = LARGEST) -> int:
    """A whole number of at least `least`.

    Examples
    --------
    >>> check_count("rounds", 5)
    5
    >>> check_count("rounds", 1.5)
    Traceback (most recent call last):
    lawful.errors.InputError: rounds must be a whole number of 0 or more, got 1.5
    >>> check_count("n", 2**70)
    Traceback (most recent call last):
    lawful.errors.InputError: n must be a whole number of at most 9223372036854775807, got 1180591620717411303424
    """
    number = as_whole(value)
    if number is None or number < least:
        raise InputError(f"{name} must be a whole number of {least} or more, got {_shown(value)}")
    if number > most:
        raise InputError(f"{name} must be a whole number of at most {most}, got {_shown(value)}")
    return number


def check_number(
    name: str,
    value: object,
    *,
    least: float = 0.0,
    above: float | None = None,
    most: float = math.inf,
    below: float | None = None,
    finite: bool = True,
) -> float:
    """A number from `least` on (or above `above`) up to `most` (or below `below`); infinity only if it need not be finite.

    Examples
    --------
    >>> check_number("c2", 1)
    1.0
    >>> check_number("c2", "1")
    Traceback (most recent call last):
    lawful.errors.InputError: c2 must be a number of 0 or more, got '1'
    >>> check_number("timeout", 0, above=0, finite=False)
    Traceback (most recent call last):
    lawful.errors.InputError: timeout must be a number above 0, got 0
    """
    number = _as_real(value)
    if (
        number is None
        or not (least <= number if above is None else above < number)
        or not (number <= most if below is None else number < below)
        or (finite and math.isinf(number))
    ):
        if below is not None or most < math.inf:
            start = f"from {least:g}" if above is None else f"above {above:g}"
            expected = f"{start} to {most:g}" if below is None else f"{start} and below {below:g}"
        else:
            expected = f"of {least:g} or more" if above is None else f"above {above:g}"
        if above is None and least == -math.inf and most == math.inf and below is None:
            raise InputError(f"{name} must be a {'finite ' if finite else ''}number, got {_shown(value)}")
        raise InputError(f"{name} must be a number {expected}, got {_shown(value)}")
    return number


def check_seed(name: str, seed: object) -> Any:
    """A seed that numpy takes: a whole number of 0 or more, a Generator, or None.

    Examples
    --------
    >>> check_seed("seed", 3)
    3
    >>> check_seed("seed", -1)
    Traceback (most recent call last):
    lawful.errors.InputError: seed must be a whole number of 0 or more, a numpy Generator, or None; got -1
    """
    if seed is None or type(seed).__module__.startswith("numpy.random"):
        return seed
    number = as_whole(seed)
    if number is None or number < 0:
        raise InputError(
            f"{name} must be a whole number of 0 or more, a numpy Generator, or None; got {_shown(seed)}"
        )
    return number


def check_flag(name: str, value: object) -> bool:
    """True or False, also numpy's.

    Examples
    --------
    >>> check_flag("finish", 1)
    Traceback (most recent call last):
    lawful.errors.InputError: finish must be True or False, got 1
    """
    if type(value).__name__ not in ("bool", "bool_"):
        raise InputError(f"{name} must be True or False, got {_shown(value)}")
    return bool(value)


def check_choice(name: str, value: object, known: Iterable[Choice]) -> Choice:
    """One of a few words.

    Examples
    --------
    >>> check_choice("on_limit", "ignore", ("raise", "bounded"))
    Traceback (most recent call last):
    lawful.errors.InputError: on_limit must be 'raise' or 'bounded', got 'ignore'
    """
    words = tuple(known)
    for word in words:
        if isinstance(value, str) and value == word:
            return word
    listed = ", ".join(map(repr, words[:-1])) + f" or {words[-1]!r}" if len(words) > 1 else repr(words[0])
    raise InputError(f"{name} must be {listed}, got {_shown(value)}")


def _as_real(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return float(value)
    except (OverflowError, TypeError, ValueError):  # an integer of more digits than a double holds
        return None


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
