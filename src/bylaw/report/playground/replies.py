"""Errors as JSON: what went wrong, in a form that a page and a program can use."""

from __future__ import annotations

from typing import Any

from bylaw.errors import BylawError, InputError, InternalError, RuleFileError

__all__ = ["Refusal", "describe_error", "refusal_of"]


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


def refusal_of(error: BylawError) -> Refusal:
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
        return Refusal(500, "internal", "this is a bug in bylaw; the log of the server has more")
    return Refusal(422, "input" if isinstance(error, InputError) else "limit", str(error))


def describe_error() -> dict[str, Any]:
    """The schema of an error's body.

    Examples
    --------
    >>> sorted(describe_error()["properties"]["error"]["properties"])
    ['kind', 'message', 'problems']
    """
    problem = {
        "type": "object",
        "properties": {
            **{name: {"type": ["integer", "null"]} for name in ("line", "column")},
            **{name: {"type": ["string", "null"]} for name in ("source", "rule", "key", "suggestion")},
            "message": {"type": "string"},
        },
    }
    inside = {
        "kind": {
            "type": "string",
            "description": "input, rules, limit, too_large, busy, timeout, host, token, ...",
        },
        "message": {"type": "string"},
        "problems": {"type": "array", "items": problem, "description": "for kind 'rules': all that is wrong"},
    }
    error = {"type": "object", "required": ["kind", "message"], "properties": inside}
    return {"type": "object", "required": ["error"], "properties": {"error": error}}
