"""Checks of numeric parameters of models."""

from __future__ import annotations

import math
from numbers import Integral, Real

from lawful.errors import InputError

__all__ = ["check_count", "check_number"]


def check_number(name: str, value: object, *, least: float = 0.0) -> float:
    """A finite number of at least `least`.

    Examples
    --------
    >>> check_number("c2", 1)
    1.0
    >>> check_number("c2", "1")
    Traceback (most recent call last):
    lawful.errors.InputError: c2 must be a number of 0 or more, got '1'
    """
    if type(value) is not bool and isinstance(value, Real):
        number = float(value)
        if least <= number < math.inf:
            return number
    raise InputError(f"{name} must be a number of {least:g} or more, got {value!r}")


def check_count(name: str, value: object, *, least: int = 0) -> int:
    """A whole number of at least `least`.

    Examples
    --------
    >>> check_count("rounds", 5)
    5
    >>> check_count("rounds", 1.5)
    Traceback (most recent call last):
    lawful.errors.InputError: rounds must be a whole number of 0 or more, got 1.5
    """
    if type(value) is not bool and isinstance(value, Integral):
        number = int(value)
        if number >= least:
            return number
    raise InputError(f"{name} must be a whole number of {least} or more, got {value!r}")
