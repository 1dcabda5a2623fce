"""What a user's feature function may return, and what it means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lawful.errors import FeatureError

__all__ = ["Weighted", "as_item", "call_function", "read_values"]

Weighted = tuple[str, float]


def as_item(answer: Any) -> Any:
    """A function's result as a CRFsuite-style item: a string is one attribute, True is `yes`, None and False are nothing.

    Examples
    --------
    >>> as_item("x"), as_item(True), as_item(None), as_item({"a": 2.0})
    (['x'], ['yes'], [], {'a': 2.0})
    """
    if answer is None or answer is False:
        return []
    if answer is True:
        return ["yes"]
    return [answer] if isinstance(answer, str) else answer


def call_function(name: str, call: Callable[..., Any], tokens: Sequence[Any], position: int) -> Any:
    """A function's result as an item; its own errors get a note with the position.

    Examples
    --------
    >>> call_function("last letter", lambda tokens, t: tokens[t][-1], ["ab"], 0)
    ['b']
    """
    try:
        item = as_item(call(tokens, position))
    except Exception as error:
        error.add_note(f"while feature function {name!r} looked at position {position}")
        raise
    if isinstance(item, (dict, list, tuple, set, frozenset)):
        return item
    raise FeatureError(
        f"feature function {name!r} returned {item!r}: expected a string, a list, a dict, a bool or None"
    )


def read_values(name: str, call: Callable[..., Any], tokens: Sequence[Any], position: int) -> list[Weighted]:
    """The values that a function returns at a position, with their weights.

    Examples
    --------
    >>> read_values("ends", lambda tokens, t: {"in": tokens[t][-1], "len": len(tokens[t])}, ["ab"], 0)
    [('in:b', 1.0), ('len', 2.0)]
    """
    values: list[Weighted] = []
    _flatten(call_function(name, call, tokens, position), "", values, name)
    return values


def _flatten(item: Any, prefix: str, into: list[Weighted], name: str) -> None:
    if isinstance(item, dict):
        for key, value in item.items():
            if isinstance(value, str):
                into.append((f"{prefix}{_text(key, name)}:{value}", 1.0))
            elif isinstance(value, (dict, list, tuple, set, frozenset)):
                _flatten(value, f"{prefix}{_text(key, name)}:", into, name)
            else:
                into.append((prefix + _text(key, name), float(value)))
    else:
        names = sorted(item) if isinstance(item, (set, frozenset)) else item
        into.extend((prefix + _text(value, name), 1.0) for value in names)


def _text(value: Any, name: str) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise FeatureError(f"feature function {name!r} returned the name {value!r}: expected a string")
    return value
