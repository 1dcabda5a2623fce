"""What a request may ask for. The server is for one person on one machine; the limits keep it responsive."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True)
class Limits:
    """Limits of sizes and times.

    Attributes
    ----------
    body : int
        Bytes in a request.
    tokens, token_letters : int
        Tokens in a text, characters in a token.
    rules, rule_letters : int
        Rules in a rule file, characters in it.
    decoding, explaining, answering : float
        Seconds for decoding, for each search of an explanation, and for a whole request.
    waiting : int
        Requests that may wait for their turn; further ones are refused.
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
