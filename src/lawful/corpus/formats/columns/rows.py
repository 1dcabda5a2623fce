"""Lines into rows of fields: stretches of a file that can be taken at once, and rows that are split line by line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from lawful.corpus.sources import Block

__all__ = ["EvenStretch", "RowReader", "even_stretch", "has_odd_spaces"]

# str.split() splits at these too, but the tools that write such files split at blanks and tabs only, and a no-break
# space inside a word is common in web text.
_ASCII_SPACES = "\x0b\x0c\x1c\x1d\x1e\x1f"
_OTHER_SPACES = "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

_BLANKS = re.compile("[ \t]+")

_MOST_ROWS = 1 << 16
_MOST_STRINGS = 1 << 18
_FREE = 1 << 16  # lines of a file that are read before sharing strings pays off
_TRIAL = 1 << 13  # lines after which remembering rows must have paid off


class EvenStretch(NamedTuple):
    """Lines that are rows or empty.

    Attributes
    ----------
    first : int
        The number of the first line.
    lines : list of str
    text : str
        All of them, each after a line end.
    spans : list of (int, int)
        Where each run of rows starts and stops.
    """

    first: int
    lines: list[str]
    text: str
    spans: list[tuple[int, int]]


def even_stretch(stretch: Block, special: Sequence[str], max_lines: int) -> EvenStretch | None:
    """The runs of rows of a stretch, if it can be read at once; else None, and it must be read line by line.

    It can if no line starts with a special mark (a comment) or with white space, so that blank lines are empty; if its
    only white space is blanks and tabs; and if no run is longer than `max_lines`. Each check is one search in the
    whole text.

    Examples
    --------
    >>> even_stretch(Block(1, ["a X", "b Y", "", "c X"]), ("#",), 100).spans
    [(0, 2), (3, 4)]
    >>> even_stretch(Block(1, ["# a comment", "a X"]), ("#",), 100) is None
    True
    """
    first, lines = stretch
    text = "\n".join(["", *lines])
    if has_odd_spaces(text) or any(f"\n{mark}" in text for mark in (" ", "\t", *special)):
        return None
    spans, start, end = [], 0, len(lines)
    while start < end:
        try:
            stop = lines.index("", start)
        except ValueError:
            stop = end
        if stop - start > max_lines:
            return None
        if start < stop:
            spans.append((start, stop))
        start = stop + 1
    return EvenStretch(first, lines, text, spans) if spans else None


def has_odd_spaces(text: str) -> bool:
    r"""Whether a text has white space other than blanks, tabs and line ends.

    Examples
    --------
    >>> has_odd_spaces("10\xa0000 CD"), has_odd_spaces("10 000\tCD")
    (True, False)
    """
    return any(space in text for space in _ASCII_SPACES) or (
        not text.isascii() and any(space in text for space in _OTHER_SPACES)
    )


class RowReader:
    r"""Splits lines at a separator. In a large file equal strings are one object, up to a limit.

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
            missing = [index for index, row in enumerate(rows) if row is None]
            for index, row in zip(missing, self._share([lines[index] for index in missing]), strict=True):
                rows[index] = self._rows[lines[index]] = row
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
            separator = self.separator
            return [line.split(separator) for line in lines]
        if has_odd_spaces("\n".join(lines)):
            return [_BLANKS.split(line.strip(" \t")) for line in lines]
        return list(map(str.split, lines))
