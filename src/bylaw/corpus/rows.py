"""Lines into rows of fields. Lines come again and again (`the DT B-NP`), so their rows are remembered."""

from __future__ import annotations

import re
from collections.abc import Callable

__all__ = ["RowReader"]

# str.split() parts a line at these too; the tools that write such files part it at blanks and tabs only, and a
# no-break space inside a word is common in web text.
_ASCII_SPACES = "\x0b\x0c\x1c\x1d\x1e\x1f"
_OTHER_SPACES = "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
_BLANKS = re.compile("[ \t]+")

_MOST_ROWS = 1 << 16
_MOST_STRINGS = 1 << 18
_TRIAL = 1 << 13  # lines after which remembering must have paid


class RowReader:
    r"""Splits lines at a separator; equal strings are one object, as long as there are not too many.

    Examples
    --------
    >>> RowReader(" ").rows(["the DT  B-NP", "the DT\tB-NP"])
    [('the', 'DT', 'B-NP'), ('the', 'DT', 'B-NP')]
    """

    def __init__(self, separator: str) -> None:
        self.separator = separator
        self._rows: dict[str, tuple[str, ...]] = {}
        self._strings: dict[str, str] = {}
        self._seen = 0
        self._remember = True

    def rows(self, lines: list[str]) -> list[tuple[str, ...]]:
        """The fields of each line."""
        if not self._remember:
            return self._read(lines)
        rows = list(map(self._rows.get, lines))
        if None in rows:
            missing = [at for at, row in enumerate(rows) if row is None]
            for at, row in zip(missing, self._read([lines[at] for at in missing]), strict=True):
                rows[at] = self._rows[lines[at]] = row
        if self._seen < _TRIAL:
            self._seen += len(lines)
            if self._seen >= _TRIAL:
                self._remember = len(self._rows) < 0.7 * self._seen
        if len(self._rows) > _MOST_ROWS:
            self._rows.clear()
        return rows  # type: ignore[return-value]

    def _read(self, lines: list[str]) -> list[tuple[str, ...]]:
        if len(self._strings) > _MOST_STRINGS:
            self._strings.clear()
        keep = self._strings.setdefault
        if self.separator != " ":
            mark = self.separator
            return [tuple(map(keep, fields, fields)) for fields in [line.split(mark) for line in lines]]
        return [tuple(map(keep, fields, fields)) for fields in map(_splitter(lines), lines)]


def _splitter(lines: list[str]) -> Callable[[str], list[str]]:
    text = "\n".join(lines)
    if any(space in text for space in _ASCII_SPACES) or (
        not text.isascii() and any(space in text for space in _OTHER_SPACES)
    ):
        return lambda line: _BLANKS.split(line.strip(" \t"))
    return str.split
