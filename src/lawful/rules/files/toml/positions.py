"""Where each key of a TOML text stands: `tomllib` reads values, but keeps no line numbers.

The text has been read by `tomllib` before, so it is well formed, and this walk need not check it again.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

__all__ = ["Path", "Spot", "find_positions"]

Path = tuple[str | int, ...]
"""The keys and indices that lead to a value: `("rule", 2, "labels", 0)`."""


class Spot(NamedTuple):
    """A line and a column, both counted from 1."""

    line: int
    column: int


BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)+")
SPACE = re.compile(r"[ \t]*")
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
STRING = re.compile(
    r'"""(?P<long>(?:[^\\]|\\.)*?"{0,2})"""(?!")'
    r"|'''(?P<raw_long>.*?'{0,2})'''(?!')"
    r'|"(?P<short>(?:[^"\\\n]|\\.)*)"'
    r"|'(?P<raw>[^'\n]*)'",
    re.DOTALL,
)
PLAIN = re.compile(r"[^,\]}#\n]+")
ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}


def find_positions(text: str) -> dict[Path, Spot]:
    r"""The spot of every table header, key and array item.

    Examples
    --------
    >>> spots = find_positions('labels = ["A"]\n\n[[rule]]\nkind = "forbid"\nlabels = "A"\n')
    >>> spots["rule", 0, "labels"]
    Spot(line=5, column=1)
    >>> spots["labels", 0]
    Spot(line=1, column=11)
    """
    return _Walk(text).found


class _Walk:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.line = 0  # of `at`; it only grows
        self.found: dict[Path, Spot] = {}
        self.arrays: dict[Path, int] = {}  # how many tables [[...]] each array of tables has so far
        self.document()

    def document(self) -> None:
        table: Path = ()
        while self.skip(BLANK) < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)

    def header(self) -> Path:
        spot, many = self.spot(), self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        path = self.inside(self.key())
        if many:
            number = self.arrays[path] = self.arrays.get(path, -1) + 1
            self.found.setdefault(path, spot)
            path = (*path, number)
        self.found.setdefault(path, spot)
        self.skip(SPACE)
        self.at += 2 if many else 1
        return path

    def inside(self, keys: list[str]) -> Path:
        """The path that a header means: inside an array of tables, the last table so far."""
        path: Path = ()
        for place, key in enumerate(keys):
            path = (*path, key)
            if path in self.arrays and place + 1 < len(keys):
                path = (*path, self.arrays[path])
        return path

    def pair(self, table: Path) -> None:
        spot = self.spot()
        path = table
        for key in self.key():
            path = (*path, key)
            self.found.setdefault(path, spot)
        self.skip(SPACE)
        self.at += 1  # the equals sign
        self.skip(SPACE)
        self.value(path)

    def key(self) -> list[str]:
        keys = []
        while True:
            self.skip(SPACE)
            bare = BARE_KEY.match(self.text, self.at)
            if bare:
                keys.append(bare[0])
                self.at = bare.end()
            else:
                keys.append(self.string())
            self.skip(SPACE)
            if not self.text.startswith(".", self.at):
                return keys
            self.at += 1

    def value(self, path: Path) -> None:
        sign = self.text[self.at]
        if sign == "[":
            self.items(path)
        elif sign == "{":
            self.pairs(path)
        elif sign in "\"'":
            self.string()
        else:
            self.skip(PLAIN)

    def items(self, path: Path) -> None:
        self.at += 1
        number = 0
        while self.text[self.skip(BLANK)] != "]":
            if self.text[self.at] == ",":
                self.at += 1
                continue
            self.found[(*path, number)] = self.spot()
            self.value((*path, number))
            number += 1
        self.at += 1

    def pairs(self, path: Path) -> None:
        self.at += 1
        while self.text[self.skip(BLANK)] != "}":
            if self.text[self.at] == ",":
                self.at += 1
                continue
            self.pair(path)
        self.at += 1

    def string(self) -> str:
        match = STRING.match(self.text, self.at)
        if match is None:  # not TOML: leave the walk where it is rather than fall out of the text
            raise ValueError(f"no string at character {self.at}")
        self.at = match.end()
        groups = match.groupdict()
        raw = groups["raw"] if groups["raw"] is not None else groups["raw_long"]
        if raw is not None:
            return raw
        return ESCAPE.sub(_unescape, groups["short"] if groups["short"] is not None else groups["long"])

    def skip(self, what: re.Pattern[str]) -> int:
        match = what.match(self.text, self.at)
        if match:
            self.at = match.end()
        return self.at

    def spot(self) -> Spot:
        while self.line + 1 < len(self.starts) and self.starts[self.line + 1] <= self.at:
            self.line += 1
        return Spot(self.line + 1, self.at - self.starts[self.line] + 1)


def _unescape(match: re.Match[Any]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if code[0] in "uU" else ESCAPES.get(code, "")
