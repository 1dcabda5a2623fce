"""What a request asks, checked field by field."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lawful.errors import InputError
from lawful.playground.limits import Limits
from lawful.playground.tokenizing import tokenize

__all__ = ["CheckQuestion", "DecodeQuestion", "RuleChoice", "read_check", "read_decode"]

LONGEST_NAME = 1_000
MOST_RUNNERS_UP = 10


@dataclass(frozen=True)
class RuleChoice:
    """Which rules: a text in the format of rule files (None: those that are served), some off, some at other prices.

    Examples
    --------
    >>> RuleChoice(off=frozenset(["one date"])).text is None
    True
    """

    text: str | None = None
    off: frozenset[str] = frozenset()
    prices: tuple[tuple[str, float | str], ...] = ()


@dataclass(frozen=True)
class DecodeQuestion:
    """A text or tokens to label, and under which rules."""

    tokens: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...] | None
    choice: RuleChoice
    explain: bool
    runners_up: int


@dataclass(frozen=True)
class CheckQuestion:
    """A rule text to check, and the rules of it to draw."""

    choice: RuleChoice
    draw: tuple[str, ...]
    analyse: bool


def read_decode(body: Any, limits: Limits) -> DecodeQuestion:
    """The question of `POST /decode`.

    Examples
    --------
    >>> read_decode({"text": "A. Lee", "off": ["one date"]}, Limits()).tokens
    ('A', '.', 'Lee')
    >>> read_decode({"tokns": []}, Limits())
    Traceback (most recent call last):
    lawful.errors.InputError: unknown field 'tokns'; the fields are text, tokens, rules, off, prices, explain, runners_up
    """
    given = _fields(body, ("text", "tokens", "rules", "off", "prices", "explain", "runners_up"))
    if ("text" in given) == ("tokens" in given):
        raise InputError("give either text or tokens")
    offsets = None
    if "text" in given:
        text = _string(given["text"], "text", limits.tokens * 50)
        spans = tokenize(text)
        offsets, tokens = tuple(spans), tuple(text[start:end] for start, end in spans)
    else:
        held = given["tokens"]
        if not isinstance(held, list):
            raise InputError("tokens must be a list of strings")
        tokens = tuple(_string(one, "a token", limits.token_letters) for one in held)
    if len(tokens) > limits.tokens:
        raise InputError(f"at most {limits.tokens:,} tokens, got {len(tokens):,}")
    if any(len(token) > limits.token_letters for token in tokens):
        raise InputError(f"a token may have {limits.token_letters:,} letters")
    runners_up = given.get("runners_up", 0)
    if type(runners_up) is not int or not 0 <= runners_up <= MOST_RUNNERS_UP:
        raise InputError(f"runners_up must be a whole number from 0 to {MOST_RUNNERS_UP}")
    return DecodeQuestion(tokens, offsets, _choice(given, limits), _flag(given, "explain"), runners_up)


def read_check(body: Any, limits: Limits) -> CheckQuestion:
    """The question of `POST /check`.

    Examples
    --------
    >>> read_check({"rules": "", "draw": ["one date"]}, Limits()).draw
    ('one date',)
    """
    given = _fields(body, ("rules", "off", "prices", "draw", "analyse"))
    return CheckQuestion(_choice(given, limits), _names(given, "draw", limits), _flag(given, "analyse"))


def _choice(given: Mapping[str, Any], limits: Limits) -> RuleChoice:
    text = given.get("rules")
    if text is not None:
        text = _string(text, "rules", limits.rule_letters)
    prices = given.get("prices", {})
    if not isinstance(prices, dict) or len(prices) > limits.rules:
        raise InputError(f"prices must be an object of at most {limits.rules} rules")
    return RuleChoice(
        text,
        frozenset(_names(given, "off", limits)),
        tuple(sorted((name, _price(name, price)) for name, price in prices.items())),
    )


def _price(name: str, price: Any) -> float | str:
    if price == "hard":
        return "hard"
    if type(price) not in (int, float) or not (math.isfinite(price) and 0 <= price <= 1e6):
        raise InputError(f"the price of {name!r} must be a number from 0 to 1000000, or 'hard'")
    return float(price)


def _fields(body: Any, known: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(body, dict):
        raise InputError("the body must be a JSON object")
    for name in body:
        if name not in known:
            raise InputError(f"unknown field {name[:100]!r}; the fields are {', '.join(known)}")
    return body


def _string(value: Any, what: str, longest: int) -> str:
    if not isinstance(value, str):
        raise InputError(f"{what} must be a string")
    if len(value) > longest:
        raise InputError(f"{what} may have {longest:,} letters, got {len(value):,}")
    return value


def _names(given: Mapping[str, Any], field: str, limits: Limits) -> tuple[str, ...]:
    held = given.get(field, [])
    if not isinstance(held, list) or len(held) > limits.rules:
        raise InputError(f"{field} must be a list of at most {limits.rules} names of rules")
    return tuple(_string(one, f"a name in {field}", LONGEST_NAME) for one in held)


def _flag(given: Mapping[str, Any], field: str) -> bool:
    value = given.get(field, False)
    if not isinstance(value, bool):
        raise InputError(f"{field} must be true or false")
    return value
