"""Lines into rows of fields. Lines come again and again (`the DT B-NP`), so their rows are remembered in large files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

__all__ = ["RowReader"]

# str.split() parts a line at these too; the tools that write such files part it at blanks and tabs only, and a
# no-break space inside a word is common in web text.
_ASCII_SPACES = "\x0b\x0c\x1c\x1d\x1e\x1f"
_OTHER_SPACES = "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
_BLANKS = re.compile("[ \t]+")

_MOST_ROWS = 1 << 16
_MOST_STRINGS = 1 << 18
_FREE = 1 << 16  # lines of a file before sharing strings is worth its time
_TRIAL = 1 << 13  # lines after which remembering rows must have paid


class RowReader:
    r"""Splits lines at a separator. In a large file equal strings are one object, as long as they are not too many.

    Examples
    --------
    >>> RowReader(" ").rows(["the DT  B-NP", "the DT\tB-NP"])
    [['the', 'DT', 'B-NP'], ['the', 'DT', 'B-NP']]
    """

    def __init__(self, separator: str) -> None:
        self.separator = separator
        self._rows: dict[str, Sequence[str]] = {}
        self._strings: dict[str, str] = {}
        self._seen = 0
        self._remember = True

    def rows(self, lines: list[str]) -> list[Sequence[str]]:
        """The fields of each line."""
        self._seen += len(lines)
        if self._seen <= _FREE:
            return self._split(lines)
        if not self._remember:
            return self._share(lines)
        rows = list(map(self._rows.get, lines))
        if None in rows:
            missing = [at for at, row in enumerate(rows) if row is None]
            for at, row in zip(missing, self._share([lines[at] for at in missing]), strict=True):
                rows[at] = self._rows[lines[at]] = row
            if _TRIAL < self._seen - _FREE < 2 * _TRIAL and len(self._rows) > 0.7 * (self._seen - _FREE):
                self._remember = False
                self._rows.clear()
            elif len(self._rows) > _MOST_ROWS:
                self._rows.clear()
        return rows  # type: ignore[return-value]

    def _share(self, lines: list[str]) -> list[Sequence[str]]:
        if len(self._strings) > _MOST_STRINGS:
            self._strings.clear()
        keep = self._strings.setdefault
        return [tuple(map(keep, fields, fields)) for fields in self._split(lines)]

    def _split(self, lines: list[str]) -> list[Sequence[str]]:
        if self.separator != " ":
            mark = self.separator
            return [line.split(mark) for line in lines]
        return list(map(_splitter(lines), lines))


def _splitter(lines: list[str]) -> Callable[[str], list[str]]:
    text = "\n".join(lines)
    if any(space in text for space in _ASCII_SPACES) or (
        not text.isascii() and any(space in text for space in _OTHER_SPACES)
    ):
        return lambda line: _BLANKS.split(line.strip(" \t"))
    return str.split
