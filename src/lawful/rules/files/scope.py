"""The state of reading rule files: the names defined so far, locations in the text, and the problems found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import Any, NoReturn

from lawful.errors import RuleProblem
from lawful.errors.wording import nearest, suggestion
from lawful.labels import LabelSet
from lawful.rules.files.toml import LineColumn, Path

__all__ = ["Document", "Entry", "Location", "Scope", "Skip"]


class Skip(Exception):
    """Raised to give up on a value. Why is in the scope's problems."""


@dataclass(frozen=True, eq=False)
class Document:
    """One TOML text: its name, its content, and the line and column of each key.

    `folder` is the folder of the file, or None for a text that may not open other files.
    """

    source: str
    content: Mapping[str, Any]
    key_locations: Mapping[Path, LineColumn] = field(default_factory=dict)
    folder: FilePath | None = None

    def line_column(self, path: Path) -> LineColumn | None:
        """The line and column of a path, or of the nearest table or array around it."""
        while path and path not in self.key_locations:
            path = path[:-1]
        return self.key_locations.get(path)


@dataclass(frozen=True)
class Location:
    """Where a value is: its document, the path to it, and the rule and the key that it belongs to."""

    scope: Scope
    document: Document
    path: Path = ()
    rule: str | None = None
    key: str | None = None

    def __truediv__(self, step: str | int) -> Location:
        return replace(self, path=(*self.path, step))

    def under(self, key: str) -> Location:
        """The location of a key of this table, which errors will name."""
        return replace(self / key, key=key)

    def inside(self, rule: str) -> Location:
        """The same location, inside a rule that errors will name."""
        return replace(self, rule=rule)

    def note(self, message: str, *, suggestion: str | None = None) -> None:
        """Record a problem here."""
        line, column = self.document.line_column(self.path) or (None, None)
        self.scope.problems.append(
            RuleProblem(self.document.source, line, column, self.rule, self.key, message, suggestion)
        )

    def fail(self, message: str, *, suggestion: str | None = None) -> NoReturn:
        """Record a problem here, and give up on the value."""
        self.note(message, suggestion=suggestion)
        raise Skip

    def at_line(self, message: str, line: int, column: int) -> NoReturn:
        """Record a problem at a line and column that have no path, and give up."""
        self.scope.problems.append(RuleProblem(self.document.source, line, column, None, None, message))
        raise Skip

    def expected(self, what: str, value: Any) -> NoReturn:
        """The value is not what it should be."""
        self.fail(f"expected {what}, got {_shown(value)}")

    def unknown(self, what: str, name: Any, known: Iterable[str], plural: str) -> NoReturn:
        """The name is none of those that are allowed here."""
        names = list(known)
        hint = suggestion(str(name), names, plural)
        self.fail(f"unknown {what} {_shown(name)}; {hint}", suggestion=nearest(str(name), names))

    def each(self, items: Iterable[tuple[str | int, Any]], read: Callable[[Any, Location], Any]) -> list[Any]:
        """Read items one by one; the problems of all are recorded before giving up."""
        values, failed = [], False
        for step, item in items:
            try:
                values.append(read(item, self / step))
            except Skip:
                failed = True
        if failed:
            raise Skip
        return values


@dataclass(frozen=True)
class Entry:
    """Something that a document gives a name to: its location and its content."""

    location: Location
    content: Any


@dataclass(eq=False)
class Scope:
    """All that documents which are read together share.

    Attributes
    ----------
    labels : LabelSet or None
        The labels that may be used; None if any may.
    functions : mapping of name to function
        The functions that `function = "name"` may refer to.
    trusted : bool
        Whether regular expressions may use all of Python's syntax.
    root : path or None
        The folder whose files may be opened; None if no file may be.
    """

    functions: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    labels: LabelSet | None = None
    trusted: bool = True
    root: FilePath | None = None
    groups: dict[str, Entry] = field(default_factory=dict)
    tests: dict[str, Entry] = field(default_factory=dict)
    rules: dict[str, Entry] = field(default_factory=dict)
    problems: list[RuleProblem] = field(default_factory=list)
    _done: dict[tuple[str, str], Any] = field(default_factory=dict)
    _open: list[tuple[str, str]] = field(default_factory=list)

    def look_up(self, table: str, name: str, at: Location, read: Callable[[Any, Location], Any]) -> Any:
        """The group, test or rule of that name. It is read once, and its problems are recorded where it is defined."""
        entries: dict[str, Entry] = getattr(self, table)
        if name not in entries:
            at.unknown(table[:-1], name, entries, plural=table)
        key = (table, name)
        if key in self._open:
            cycle = [other for _, other in self._open[self._open.index(key) :]]
            at.fail(f"{table[:-1]} {name!r} refers to itself: {' -> '.join([*cycle, name])}")
        if key not in self._done:
            self._done[key] = None
            self._open.append(key)
            try:
                entry = entries[name]
                self._done[key] = read(entry.content, entry.location)
            finally:
                self._open.pop()
        if self._done[key] is None:
            raise Skip
        return self._done[key]


def _shown(value: Any, longest: int = 80) -> str:
    text = repr(value)
    return text if len(text) <= longest else text[: longest - 3] + "..."
