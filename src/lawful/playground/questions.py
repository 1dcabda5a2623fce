"""The requests of the API, checked field by field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lawful.corpus.texts.tokenizer import Tokenizer
from lawful.errors import InputError
from lawful.playground.limits import Limits

__all__ = [
    "CheckQuestion",
    "DecodeQuestion",
    "RuleChoice",
    "SaveQuestion",
    "read_check",
    "read_decode",
    "read_save",
]

DECODE_FIELDS = ("text", "tokens", "rules", "off", "prices", "explain", "runners_up", "probabilities")
LONGEST_NAME = 1_000
MOST_RUNNERS_UP = 10
WORDS = Tokenizer()
SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class RuleChoice:
    """Which rules to use: the text of a rule file (None: the one that is served), some off, some at other prices.

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
    """Tokens to label, and the rules to use."""

    tokens: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...] | None
    choice: RuleChoice
    explain: bool
    runners_up: int
    probabilities: bool = False


@dataclass(frozen=True)
class SaveQuestion:
    """A rule text to save, and the fingerprint of the text that it replaces."""

    text: str
    was: str


@dataclass(frozen=True)
class CheckQuestion:
    """A rule text to check, and the rules in it to draw."""

    choice: RuleChoice
    draw: tuple[str, ...]
    analyse: bool


def read_decode(body: Any, limits: Limits, tokenizer: Tokenizer = WORDS) -> DecodeQuestion:
    """The request body of `POST /decode`; a text in it is cut by the tokenizer of the model.

    Examples
    --------
    >>> read_decode({"text": "A. Lee", "off": ["one date"]}, Limits()).tokens
    ('A', '.', 'Lee')
    >>> read_decode({"tokns": []}, Limits())
    Traceback (most recent call last):
    lawful.errors.InputError: unknown field 'tokns'; the fields are text, tokens, rules, off, prices, explain, runners_up, probabilities
    """
    fields = _fields(body, DECODE_FIELDS)
    if ("text" in fields) == ("tokens" in fields):
        raise InputError("give either text or tokens")
    offsets = None
    if "text" in fields:
        text = _string(fields["text"], "text", limits.tokens * 50)
        spans = tokenizer.spans(text)
        offsets, tokens = tuple(spans), tuple(text[start:end] for start, end in spans)
    else:
        if not isinstance(fields["tokens"], list):
            raise InputError("tokens must be a list of strings")
        tokens = tuple(_string(token, "a token", limits.token_letters) for token in fields["tokens"])
    if len(tokens) > limits.tokens:
        raise InputError(f"at most {limits.tokens:,} tokens, got {len(tokens):,}")
    if any(len(token) > limits.token_letters for token in tokens):
        raise InputError(f"a token may have at most {limits.token_letters:,} characters")
    runners_up = fields.get("runners_up", 0)
    if type(runners_up) is not int or not 0 <= runners_up <= MOST_RUNNERS_UP:
        raise InputError(f"runners_up must be a whole number from 0 to {MOST_RUNNERS_UP}")
    return DecodeQuestion(
        tokens,
        offsets,
        _choice(fields, limits),
        _flag(fields, "explain"),
        runners_up,
        _flag(fields, "probabilities"),
    )


def read_check(body: Any, limits: Limits) -> CheckQuestion:
    """The request body of `POST /check`.

    Examples
    --------
    >>> read_check({"rules": "", "draw": ["one date"]}, Limits()).draw
    ('one date',)
    """
    fields = _fields(body, ("rules", "off", "prices", "draw", "analyse"))
    return CheckQuestion(_choice(fields, limits), _names(fields, "draw", limits), _flag(fields, "analyse"))


def read_save(body: Any, limits: Limits) -> SaveQuestion:
    """The request body of `POST /save`.

    Examples
    --------
    >>> read_save({"rules": "", "was": "e3b0c442"}, Limits())
    SaveQuestion(text='', was='e3b0c442')
    """
    fields = _fields(body, ("rules", "was"))
    if len(fields) < 2:
        raise InputError("give rules, and was: the fingerprint of the text that they replace")
    return SaveQuestion(
        _string(fields["rules"], "rules", limits.rule_letters), _string(fields["was"], "was", LONGEST_NAME)
    )


def _choice(fields: Mapping[str, Any], limits: Limits) -> RuleChoice:
    text = fields.get("rules")
    if text is not None:
        text = _string(text, "rules", limits.rule_letters)
    prices = fields.get("prices", {})
    if not isinstance(prices, dict) or len(prices) > limits.rules:
        raise InputError(f"prices must be an object of at most {limits.rules} rules")
    return RuleChoice(
        text,
        frozenset(_names(fields, "off", limits)),
        tuple(sorted((name, _price(name, price)) for name, price in prices.items())),
    )


def _price(name: str, price: Any) -> float | str:
    if price == "hard":
        return "hard"
    if type(price) not in (int, float) or not 0 <= price <= 1e6:
        raise InputError(f"the price of {name[:100]!r} must be a number from 0 to 1000000, or 'hard'")
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
        raise InputError(f"{what} may have at most {longest:,} characters, got {len(value):,}")
    half = SURROGATE.search(value)
    if half is not None:
        raise InputError(
            f"character {half.start()} of {what} is half of a surrogate pair, which is no character"
        )
    return value


def _names(fields: Mapping[str, Any], field: str, limits: Limits) -> tuple[str, ...]:
    names = fields.get(field, [])
    if not isinstance(names, list) or len(names) > limits.rules:
        raise InputError(f"{field} must be a list of at most {limits.rules} rule names")
    return tuple(_string(name, f"a name in {field}", LONGEST_NAME) for name in names)


def _flag(fields: Mapping[str, Any], field: str) -> bool:
    value = fields.get(field, False)
    if not isinstance(value, bool):
        raise InputError(f"{field} must be true or false")
    return value
