"""What every error is: a user's mistake, or one of ours."""

from __future__ import annotations

__all__ = [
    "BylawError",
    "InputError",
    "InternalError",
]


class BylawError(Exception):
    """The base of everything that bylaw raises.

    Examples
    --------
    >>> import bylaw
    >>> try:
    ...     bylaw.Decoder(bylaw.forbid("C"), labels=["A", "B"])
    ... except bylaw.BylawError as error:
    ...     print(error)
    unknown label 'C' in forbid('C'); the labels are 'A', 'B'
    """


class InputError(BylawError, ValueError):
    """Something the caller gave cannot be used as it is. It is a `ValueError` too.

    Examples
    --------
    >>> import bylaw
    >>> bylaw.Lattice([[0.0, float("nan")]], labels=["A", "B"])
    Traceback (most recent call last):
    bylaw.errors.ScoreError: emissions[0, 1] (label 'B') is nan: scores are finite logs, or -inf for what is forbidden
    >>> issubclass(bylaw.errors.ScoreError, bylaw.InputError)
    True
    """


class InternalError(BylawError):
    """A bug in bylaw: two independent computations disagree. Please report it with the data that caused it.

    Examples
    --------
    >>> import bylaw
    >>> issubclass(bylaw.InternalError, bylaw.BylawError), issubclass(bylaw.InternalError, bylaw.InputError)
    (True, False)
    """
