"""What stands between two columns."""

from __future__ import annotations

from lawful.errors import InputError

__all__ = ["guess_separator", "parse_separator"]

_SPELLED = {"tab": "\t", "\\t": "\t", "space": " ", "whitespace": " ", "comma": ","}


def parse_separator(separator: str | None) -> str | None:
    r"""A separator as a user may spell it; None and "auto" mean: look at the file.

    Examples
    --------
    >>> parse_separator("tab"), parse_separator("|"), parse_separator("auto")
    ('\t', '|', None)
    """
    if separator is None or separator == "auto":
        return None
    if not separator or "\n" in separator:
        raise InputError(f"separator must be 'tab', 'whitespace' or a character, got {separator!r}")
    return _SPELLED.get(separator, separator)


def guess_separator(line: str) -> str:
    r"""A tab if the line has one, else blanks.

    Examples
    --------
    >>> guess_separator("New York\tB-LOC"), guess_separator("in IN B-PP")
    ('\t', ' ')
    """
    return "\t" if "\t" in line else " "
