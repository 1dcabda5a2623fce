"""What a request may ask for. The server is for one person's rules on one machine; these keep it answering."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True)
class Limits:
    """Sizes and times.

    Attributes
    ----------
    body : int
        Bytes of a request.
    tokens, token_letters : int
        Tokens of a text, letters of a token.
    rules, rule_letters : int
        Rules of a rule file, and its letters.
    decoding, explaining, answering : float
        Seconds for the search for an answer, for each search of an explanation, and for a whole request.
    waiting : int
        Requests that wait for their turn; more are refused.
    kept : int
        Compiled rule sets that are kept for the next request.

    Examples
    --------
    >>> Limits(tokens=100).tokens
    100
    """

    body: int = 400_000
    tokens: int = 2_000
    token_letters: int = 1_000
    rules: int = 200
    rule_letters: int = 100_000
    decoding: float = 1.0
    explaining: float = 0.5
    answering: float = 10.0
    waiting: int = 256
    kept: int = 64
