"""What a request, and all of them together, may use. The server is for one person on one machine; the limits keep it responsive."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True)
class Limits:
    """Limits of sizes, times and numbers.

    Attributes
    ----------
    body, answer : int
        Bytes in a request, and in the answer to it.
    tokens, token_letters : int
        Tokens in a text, characters in a token.
    rules, rule_letters : int
        Rules in a rule file, characters in it.
    decoding, explaining : float
        Seconds for decoding, and for an explanation. Decoding that takes longer gives its best labels so far.
    queueing, answering : float
        Seconds that a request may wait for a worker, and that the worker may take for it. A worker that takes longer is killed.
    receiving, sending : float
        Seconds from the start of a request until all of it has come, and until the client has read the answer.
    idle : float
        Seconds that a connection may stay open between requests.
    memory : int
        Bytes that a worker may use beyond what it uses when its model is loaded.
    workers : int
        Processes that work on requests, each on one at a time.
    waiting : int
        Requests that may wait for a worker; further ones are refused.
    connections : int
        Connections that may be open. Of further ones, each takes the place of one on which no request is complete.
    examples : int
        Sequences of a corpus that the page offers.
    kept : int
        Compiled rule sets that each worker keeps for the next request.

    Examples
    --------
    >>> Limits(tokens=100).tokens
    100
    """

    body: int = 400_000
    answer: int = 8_000_000
    tokens: int = 2_000
    token_letters: int = 1_000
    rules: int = 200
    rule_letters: int = 100_000
    decoding: float = 1.0
    explaining: float = 3.0
    queueing: float = 10.0
    answering: float = 10.0
    receiving: float = 10.0
    sending: float = 30.0
    idle: float = 30.0
    memory: int = 2**30
    workers: int = 2
    waiting: int = 64
    connections: int = 128
    examples: int = 500
    kept: int = 64
