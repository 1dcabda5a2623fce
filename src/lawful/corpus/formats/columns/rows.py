"""Lines into rows of fields. Lines come again and again (`the DT B-NP`), so their rows are remembered in large files."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lawful.corpus.formats.columns.even import has_odd_spaces

__all__ = ["RowReader"]

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
        if has_odd_spaces("\n".join(lines)):
            return [_BLANKS.split(line.strip(" \t")) for line in lines]
        return list(map(str.split, lines))
