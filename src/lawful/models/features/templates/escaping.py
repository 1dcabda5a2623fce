r"""How attributes are written: `word[-1]|pos=the|NN`. No two different attributes are written alike.

A name has a backslash before each backslash, `|`, `=` and `[`; a value before each backslash and `|`. Beyond the ends
of a sequence stand `\start` and `\end`, which no value is written as.
"""

from __future__ import annotations

__all__ = ["END", "START", "attribute_name", "escape_name", "escape_value"]

START, END = "\\start", "\\end"


def escape_value(value: str) -> str:
    r"""A value as it stands in an attribute.

    Examples
    --------
    >>> print(escape_value("a|b"))
    a\|b
    """
    return value.replace("\\", "\\\\").replace("|", "\\|")


def escape_name(name: str) -> str:
    r"""A leaf's name as it stands in an attribute.

    Examples
    --------
    >>> print(escape_name("a=b"))
    a\=b
    """
    return escape_value(name).replace("=", "\\=").replace("[", "\\[")


def attribute_name(leaves: list[tuple[str, int]]) -> str:
    """What stands before an attribute's `=`: names of leaves, with the offsets at which they are taken.

    Examples
    --------
    >>> attribute_name([("word", -1), ("pos", 0)])
    'word[-1]|pos'
    """
    return "|".join(escape_name(name) + (f"[{offset:+d}]" if offset else "") for name, offset in leaves)
