"""The base classes: a user's mistake, or a bug of ours."""

from __future__ import annotations

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


LawfulWarning.__module__ = "lawful.errors"
LawfulError.__module__ = "lawful.errors"
