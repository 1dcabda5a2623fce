"""Writing TOML, for the shapes that rule files have: `tomllib` only reads."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from lawful.errors import RuleError

__all__ = ["toml_key", "toml_pairs", "toml_value"]

BARE = re.compile(r"[A-Za-z0-9_-]+")
WIDTH = 100
ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def toml_key(name: str) -> str:
    """A key, quoted if need be.

    Examples
    --------
    >>> toml_key("zip"), toml_key("zip code")
    ('zip', '"zip code"')
    """
    return name if BARE.fullmatch(name) else _string(name)


def toml_pairs(table: Mapping[str, Any]) -> str:
    """The lines of a table, one `key = value` each.

    Examples
    --------
    >>> print(toml_pairs({"kind": "at_most", "n": 1, "labels": ["A", "B"]}))
    kind = "at_most"
    n = 1
    labels = ["A", "B"]
    """
    return "\n".join(f"{toml_key(key)} = {_broken(value, len(key) + 3)}" for key, value in table.items())


def toml_value(value: Any) -> str:
    r"""A value on one line; strings with backslashes are literal where they can be.

    Examples
    --------
    >>> print(toml_value({"matches": r"\d{5}", "n": [1, 2.5, True]}))
    { matches = '\d{5}', n = [1, 2.5, true] }
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(int(value))
        case float():
            return _number(float(value))
        case str():
            return _string(str(value))
        case list() | tuple():
            return f"[{', '.join(map(toml_value, value))}]"
        case Mapping():
            pairs = ", ".join(f"{toml_key(key)} = {toml_value(held)}" for key, held in value.items())
            return f"{{ {pairs} }}" if pairs else "{}"
    raise RuleError(
        f"{value!r} cannot be written to a rule file: it holds strings, numbers, booleans, and lists and tables of them"
    )


def _broken(value: Any, before: int) -> str:
    """A value, with an array that is too long for one line over several."""
    line = toml_value(value)
    if before + len(line) <= WIDTH or not isinstance(value, (list, tuple)):
        return line
    lines = [""]
    for item in map(toml_value, value):
        if lines[-1] and len(lines[-1]) + len(item) + 2 > WIDTH - 2:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{item},"
    return "\n".join(["[", *(f"  {one}" for one in lines), "]"])


def _number(value: float) -> str:
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(value)


def _string(text: str) -> str:
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise RuleError(
            f"{text!r} cannot be written to a rule file: half of a surrogate pair is no character"
        )
    if "\\" in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(sign: str) -> str:
    if sign in ESCAPES:
        return ESCAPES[sign]
    return f"\\u{ord(sign):04x}" if ord(sign) < 32 or sign == "\x7f" else sign
