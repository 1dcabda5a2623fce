"""TOML beyond `tomllib`, which only reads and keeps no line numbers: reading within limits, locating keys, and writing.

A text has been read by `tomllib` before its keys are located, so it is well formed and is not checked again.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

from lawful.errors import RuleError

__all__ = [
    "LineColumn",
    "Path",
    "TomlError",
    "locate_keys",
    "parse_toml",
    "toml_key",
    "toml_pairs",
    "toml_value",
]

Path = tuple[str | int, ...]
"""The keys and indices that lead to a value: `("rule", 2, "labels", 0)`."""


class LineColumn(NamedTuple):
    """A line and a column, both counted from 1."""

    line: int
    column: int


class TomlError(ValueError):
    """A text that is not TOML, or more than we read; with the line and column, if they are known."""

    def __init__(self, message: str, where: LineColumn | None = None) -> None:
        super().__init__(message)
        self.where = where


MOST_PARTS = 32  # of a dotted key; the time and the memory that tomllib needs grow with their square
DEEPEST_BRACKETS = 250  # about 100 levels of logic
LONGEST_WORD = 1_000  # characters of a number or of a key without quotes

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
PART = r"""(?>[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
MARKS = re.compile(
    rf"""(?P<dotted>{PART}(?:[ \t]*+\.[ \t]*+{PART}){{{MOST_PARTS},}}+)"""
    rf"""|(?P<string>{STRING.pattern})|(?P<unended>["'])|\#[^\n]*|(?P<open>[\[{{])|(?P<close>[\]}}])"""
    rf"""|(?P<wordy>[\w.+-]{{{LONGEST_WORD + 1},}})|[\w.+-]+""",
    re.DOTALL,
)
LINE_COLUMN = re.compile(r" \(at line (\d+), column (\d+)\)| \(at end of document\)")
ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
UNESCAPED = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}
WIDTH = 100
ESCAPED = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def parse_toml(text: str) -> dict[str, Any]:
    """The content of a text; `TomlError` if it is not TOML or goes beyond our limits.

    Examples
    --------
    >>> parse_toml("a.b = 1")
    {'a': {'b': 1}}
    >>> parse_toml("a" + ".a" * 20_000 + " = 1")
    Traceback (most recent call last):
    lawful.rules.files.toml.TomlError: a dotted key has at most 32 parts
    """
    _check_limits(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = LINE_COLUMN.search(str(error))
        where = _line_column(text, len(text))
        if match and match[1]:
            where = LineColumn(int(match[1]), int(match[2]))
        raise TomlError(f"this is not TOML: {LINE_COLUMN.sub('', str(error))}", where) from None
    except RecursionError:
        raise TomlError("values are nested too deep") from None
    except ValueError as error:
        raise TomlError(f"this is not TOML: {error}") from None


def _check_limits(text: str) -> None:
    """Refuse what `tomllib` would take very long for, in one walk that reads no more of TOML than it needs.

    The walk and `tomllib` see the same strings and comments up to the first mistake, and there `tomllib` stops too.
    """
    depth = 0
    for mark in MARKS.finditer(text):
        kind = mark.lastgroup
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        elif kind == "unended":
            return
        if kind == "dotted":
            raise TomlError(f"a dotted key has at most {MOST_PARTS} parts", _line_column(text, mark.start()))
        if kind == "wordy":
            message = f"a number, or a key without quotes, has at most {LONGEST_WORD:,} characters"
            raise TomlError(message, _line_column(text, mark.start()))
        if depth > DEEPEST_BRACKETS:
            message = f"values are nested too deep: at most {DEEPEST_BRACKETS} brackets may be open"
            raise TomlError(message, _line_column(text, mark.start()))


def _line_column(text: str, index: int) -> LineColumn:
    return LineColumn(text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


def locate_keys(text: str) -> dict[Path, LineColumn]:
    r"""The line and column of every table header, key and array item.

    Examples
    --------
    >>> locations = locate_keys('labels = ["A"]\n\n[[rule]]\nkind = "forbid"\nlabels = "A"\n')
    >>> locations["rule", 0, "labels"]
    LineColumn(line=5, column=1)
    >>> locations["labels", 0]
    LineColumn(line=1, column=11)
    """
    return _Walk(text).locations


class _Walk:
    def __init__(self, text: str) -> None:
        self.text, self.index = text, 0
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.line = 0  # of `index`; it only grows
        self.locations: dict[Path, LineColumn] = {}
        self.arrays: dict[Path, int] = {}  # how many tables [[...]] each array of tables has so far
        self.document()

    def document(self) -> None:
        table: Path = ()
        while self.skip(BLANK) < len(self.text):
            if self.text[self.index] == "[":
                table = self.header()
            else:
                self.pair(table)

    def header(self) -> Path:
        here, many = self.line_column(), self.text.startswith("[[", self.index)
        self.index += 2 if many else 1
        path = self.inside(self.key())
        if many:
            number = self.arrays[path] = self.arrays.get(path, -1) + 1
            self.locations.setdefault(path, here)
            path = (*path, number)
        self.locations.setdefault(path, here)
        self.skip(SPACE)
        self.index += 2 if many else 1
        return path

    def inside(self, keys: list[str]) -> Path:
        """The path that a header means: inside an array of tables, the last table so far."""
        path: Path = ()
        for index, key in enumerate(keys):
            path = (*path, key)
            if path in self.arrays and index + 1 < len(keys):
                path = (*path, self.arrays[path])
        return path

    def pair(self, table: Path) -> None:
        here = self.line_column()
        path = table
        for key in self.key():
            path = (*path, key)
            self.locations.setdefault(path, here)
        self.skip(SPACE)
        self.index += 1  # the equals sign
        self.skip(SPACE)
        self.value(path)

    def key(self) -> list[str]:
        keys = []
        while True:
            self.skip(SPACE)
            bare = BARE_KEY.match(self.text, self.index)
            if bare:
                keys.append(bare[0])
                self.index = bare.end()
            else:
                keys.append(self.string())
            self.skip(SPACE)
            if not self.text.startswith(".", self.index):
                return keys
            self.index += 1

    def value(self, path: Path) -> None:
        sign = self.text[self.index]
        if sign == "[":
            self.items(path)
        elif sign == "{":
            self.pairs(path)
        elif sign in "\"'":
            self.string()
        else:
            self.skip(PLAIN)

    def items(self, path: Path) -> None:
        self.index += 1
        number = 0
        while self.text[self.skip(BLANK)] != "]":
            if self.text[self.index] == ",":
                self.index += 1
                continue
            self.locations[(*path, number)] = self.line_column()
            self.value((*path, number))
            number += 1
        self.index += 1

    def pairs(self, path: Path) -> None:
        self.index += 1
        while self.text[self.skip(BLANK)] != "}":
            if self.text[self.index] == ",":
                self.index += 1
                continue
            self.pair(path)
        self.index += 1

    def string(self) -> str:
        match = STRING.match(self.text, self.index)
        if match is None:  # not TOML: leave the walk where it is rather than fall out of the text
            raise ValueError(f"no string at character {self.index}")
        self.index = match.end()
        groups = match.groupdict()
        raw = groups["raw"] if groups["raw"] is not None else groups["raw_long"]
        if raw is not None:
            return raw
        return ESCAPE.sub(_unescape, groups["short"] if groups["short"] is not None else groups["long"])

    def skip(self, what: re.Pattern[str]) -> int:
        match = what.match(self.text, self.index)
        if match:
            self.index = match.end()
        return self.index

    def line_column(self) -> LineColumn:
        while self.line + 1 < len(self.starts) and self.starts[self.line + 1] <= self.index:
            self.line += 1
        return LineColumn(self.line + 1, self.index - self.starts[self.line] + 1)


def _unescape(match: re.Match[Any]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if code[0] in "uU" else UNESCAPED.get(code, "")


def toml_key(name: str) -> str:
    """A key, quoted if necessary.

    Examples
    --------
    >>> toml_key("zip"), toml_key("zip code")
    ('zip', '"zip code"')
    """
    return name if BARE_KEY.fullmatch(name) else _string(name)


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
            pairs = ", ".join(f"{toml_key(key)} = {toml_value(inner)}" for key, inner in value.items())
            return f"{{ {pairs} }}" if pairs else "{}"
    raise RuleError(
        f"{value!r} cannot be written to a rule file: it can contain strings, numbers, booleans, and lists and tables of them"
    )


def _broken(value: Any, before: int) -> str:
    """A value; an array that is too long for one line takes several."""
    line = toml_value(value)
    if before + len(line) <= WIDTH or not isinstance(value, (list, tuple)):
        return line
    lines = [""]
    for item in map(toml_value, value):
        if lines[-1] and len(lines[-1]) + len(item) + 2 > WIDTH - 2:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{item},"
    return "\n".join(["[", *(f"  {line}" for line in lines), "]"])


def _number(value: float) -> str:
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(value)


def _string(text: str) -> str:
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise RuleError(
            f"{text!r} cannot be written to a rule file: half of a surrogate pair is not a character"
        )
    if "\\" in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(sign: str) -> str:
    if sign in ESCAPED:
        return ESCAPED[sign]
    return f"\\u{ord(sign):04x}" if ord(sign) < 32 or sign == "\x7f" else sign
