"""Lines into rows of fields. Lines come again and again (`the DT B-NP`), so their rows are remembered in large files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from bylaw.corpus.even import EvenStretch, has_odd_spaces

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

    def fields(self, even: EvenStretch, width: int) -> list[str] | None:
        r"""The fields of all rows of a stretch, one after another, if each row has `width`; else None.

        Examples
        --------
        >>> from bylaw.corpus.sources import Block
        >>> from bylaw.corpus.even import even_stretch
        >>> even = even_stretch(Block(1, ["the DT", "", "cat NN"]), (), 100)
        >>> RowReader(" ").fields(even, 2), RowReader(" ").fields(even, 3)
        (['the', 'DT', 'cat', 'NN'], None)
        """
        mark, lines = self.separator, even.lines
        held = len(lines) - even.empty
        if len(mark) > 1 or not mark.isascii() or (mark == " " and "\t" in even.text):
            return None
        # If no row has more than `width - 1` marks, and all rows together have as many as they can, each has as many.
        marks = even.text.encode("utf-8", "surrogatepass").translate(None, _all_but(mark))
        if marks.count(mark.encode()) != held * (width - 1) or width * mark.encode() in marks:
            return None
        if mark != " ":
            fields = mark.join(filter(None, lines)).split(mark)
        else:
            fields = even.text.split()
            if len(fields) != held * width:  # two marks touch
                return None
        self._seen += held
        if self._seen > _FREE:
            keep = self._strings_to_share().setdefault
            fields = list(map(keep, fields, fields))
        return fields

    def _strings_to_share(self) -> dict[str, str]:
        if len(self._strings) > _MOST_STRINGS:
            self._strings.clear()
        return self._strings

    def _share(self, lines: list[str]) -> list[Sequence[str]]:
        keep = self._strings_to_share().setdefault
        return [tuple(map(keep, fields, fields)) for fields in self._split(lines)]

    def _split(self, lines: list[str]) -> list[Sequence[str]]:
        if self.separator != " ":
            mark = self.separator
            return [line.split(mark) for line in lines]
        if has_odd_spaces("\n".join(lines)):
            return [_BLANKS.split(line.strip(" \t")) for line in lines]
        return list(map(str.split, lines))


@cache
def _all_but(mark: str) -> bytes:
    """All bytes but a mark and the line end: what is deleted to see how many marks each line has."""
    return bytes(byte for byte in range(256) if byte not in (ord(mark), ord("\n")))
