"""The base classes: a user's mistake, or a bug of ours."""

from __future__ import annotations

from typing import Any

__all__ = [
    "InputError",
    "InternalError",
    "LawfulError",
    "LawfulWarning",
]


class LawfulError(Exception):
    """The base of everything that lawful raises.

    Examples
    --------
    >>> import lawful
    >>> try:
    ...     lawful.Decoder(lawful.forbid("C"), labels=["A", "B"])
    ... except lawful.LawfulError as error:
    ...     print(error)
    unknown label 'C' in forbid('C'); the labels are 'A', 'B'
    """

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        cls.__module__ = "lawful.errors"  # a traceback should show the name to import it by

    def __reduce__(self) -> tuple[Any, ...]:
        """From another process an error comes back with its message and fields, whatever it was made from."""
        return _error_again, (type(self), self.args, vars(self))


def _error_again(
    kind: type[BaseException], arguments: tuple[Any, ...], fields: dict[str, Any]
) -> BaseException:
    error = OSError.__new__(kind) if issubclass(kind, OSError) else kind.__new__(kind)
    error.args = arguments
    for name, value in fields.items():
        setattr(error, name, value)
    return error


class InputError(LawfulError, ValueError):
    """An argument or a file that cannot be used as it is. It is a `ValueError` too.

    Examples
    --------
    >>> import lawful
    >>> lawful.Lattice([[0.0, float("nan")]], labels=["A", "B"])
    Traceback (most recent call last):
    lawful.errors.ScoreError: emissions[0, 1] (label 'B') is nan: scores are finite logs, or -inf for what is forbidden
    >>> issubclass(lawful.errors.ScoreError, lawful.InputError)
    True
    """


class InternalError(LawfulError):
    """A bug in lawful: two independent computations disagree. Please report it with the data that caused it.

    Examples
    --------
    >>> import lawful
    >>> issubclass(lawful.errors.InternalError, lawful.LawfulError), issubclass(lawful.errors.InternalError, lawful.InputError)
    (True, False)
    """


class LawfulWarning(UserWarning):
    """The base of all warnings: something is probably not what it should be, but there is an answer.

    Examples
    --------
    >>> import lawful
    >>> issubclass(lawful.errors.MissingLabelWarning, lawful.errors.LawfulWarning)
    True
    """

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        cls.__module__ = "lawful.errors"

    def __reduce__(self) -> tuple[Any, ...]:
        """As `LawfulError`."""
        return _error_again, (type(self), self.args, vars(self))


LawfulWarning.__module__ = "lawful.errors"
LawfulError.__module__ = "lawful.errors"
