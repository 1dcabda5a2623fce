"""What every error is: a user's mistake, or one of ours."""

from __future__ import annotations

__all__ = [
    "BylawError",
    "InputError",
    "InternalError",
]


class BylawError(Exception):
    """The base of everything that bylaw raises."""


class InputError(BylawError, ValueError):
    """Something the caller gave cannot be used as it is."""


class InternalError(BylawError):
    """A bug in bylaw: two independent computations disagree. Please report it with the data that caused it."""
