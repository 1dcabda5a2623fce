"""Errors as JSON: what went wrong, in a form that a page and a program can use."""

from __future__ import annotations

from typing import Any

from lawful.errors import InputError, InternalError, LawfulError, RuleFileError

__all__ = ["Refusal", "refusal_of"]


class Refusal(Exception):
    """A request that is not answered: the status, a word for programs, and a sentence for people.

    Examples
    --------
    >>> Refusal(413, "too_large", "the body may have 10 bytes").body
    {'error': {'kind': 'too_large', 'message': 'the body may have 10 bytes'}}
    """

    def __init__(self, status: int, kind: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status, self.body = status, {"error": {"kind": kind, "message": message, **more}}


def refusal_of(error: LawfulError) -> Refusal:
    """How an error of ours is told.

    Examples
    --------
    >>> refusal_of(InputError("give either text or tokens")).status
    422
    """
    if isinstance(error, RuleFileError):
        problems = [one._asdict() for one in error.problems]
        return Refusal(422, "rules", str(error), problems=problems)
    if isinstance(error, InternalError):
        return Refusal(500, "internal", "this is a bug in lawful; the log of the server has more")
    return Refusal(422, "input" if isinstance(error, InputError) else "limit", str(error))
