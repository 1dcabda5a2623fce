"""Errors as JSON, for the page and for programs."""

from __future__ import annotations

import json
from typing import Any

from lawful.errors import InputError, InternalError, LawfulError, RuleFileError

__all__ = ["Refusal", "refusal_of", "to_json"]


class Refusal(Exception):
    """Why a request is not answered: a status, a word for programs, and a sentence for people.

    Examples
    --------
    >>> Refusal(413, "too_large", "the body may have 10 bytes").body
    {'error': {'kind': 'too_large', 'message': 'the body may have 10 bytes'}}
    """

    def __init__(self, status: int, kind: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status, self.body = status, {"error": {"kind": kind, "message": message, **more}}


def refusal_of(error: LawfulError) -> Refusal:
    """The refusal for one of our errors.

    Examples
    --------
    >>> refusal_of(InputError("give either text or tokens")).status
    422
    """
    if isinstance(error, RuleFileError):
        problems = [problem._asdict() for problem in error.problems]
        return Refusal(422, "rules", str(error), problems=problems)
    if isinstance(error, InternalError):
        return Refusal(500, "internal", "this is a bug in lawful; see the log of the server")
    return Refusal(422, "input" if isinstance(error, InputError) else "limit", str(error))


def to_json(content: Any) -> bytes:
    r"""An answer or a refusal as it is sent.

    Examples
    --------
    >>> to_json({"labels": ["é"]})
    b'{"labels":["\\u00e9"]}'
    """
    return json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode()
