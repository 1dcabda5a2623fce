"""What the reader of a rule file knows while it reads: names, places, and all that was wrong so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import Any, NoReturn

from lawful.errors import RuleProblem
from lawful.errors.wording import nearest, suggestion
from lawful.labels import LabelSet
from lawful.rules.files.toml import Path, Spot

__all__ = ["Document", "Entry", "Place", "Scope", "Skip"]


class Skip(Exception):
    """A value that cannot be read. What is wrong with it stands in the scope's problems."""


@dataclass(frozen=True, eq=False)
class Document:
    """One TOML text: its name, what it holds, and where.

    `folder` is that of the file, None for a text that may not open other files.
    """

    source: str
    content: Mapping[str, Any]
    spots: Mapping[Path, Spot] = field(default_factory=dict)
    folder: FilePath | None = None

    def spot(self, path: Path) -> Spot | None:
        """Where a path stands, or the nearest thing around it."""
        while path and path not in self.spots:
            path = path[:-1]
        return self.spots.get(path)


@dataclass(frozen=True)
class Place:
    """A value's place: its document, the path to it, and the rule and the key that it belongs to."""

    scope: Scope
    document: Document
    path: Path = ()
    rule: str | None = None
    key: str | None = None

    def __truediv__(self, step: str | int) -> Place:
        return replace(self, path=(*self.path, step))

    def under(self, key: str) -> Place:
        """The place of a key of this table, which errors will name."""
        return replace(self / key, key=key)

    def inside(self, rule: str) -> Place:
        """The same place, as part of a rule."""
        return replace(self, rule=rule)

    def note(self, message: str, *, suggestion: str | None = None) -> None:
        """Remember that something is wrong here."""
        line, column = self.document.spot(self.path) or (None, None)
        self.scope.problems.append(
            RuleProblem(self.document.source, line, column, self.rule, self.key, message, suggestion)
        )

    def fail(self, message: str, *, suggestion: str | None = None) -> NoReturn:
        """Remember that something is wrong here, and give up on the value."""
        self.note(message, suggestion=suggestion)
        raise Skip

    def at_line(self, message: str, line: int, column: int) -> NoReturn:
        """Something is wrong at a spot that has no path."""
        self.scope.problems.append(RuleProblem(self.document.source, line, column, None, None, message))
        raise Skip

    def expected(self, what: str, given: Any) -> NoReturn:
        """The value is not what it should be."""
        self.fail(f"expected {what}, got {_shown(given)}")

    def unknown(self, what: str, name: Any, known: Iterable[str], plural: str) -> NoReturn:
        """The name is none of those that may stand here."""
        names = list(known)
        told = suggestion(str(name), names, plural)
        self.fail(f"unknown {what} {_shown(name)}; {told}", suggestion=nearest(str(name), names))

    def each(self, given: Iterable[tuple[str | int, Any]], read: Callable[[Any, Place], Any]) -> list[Any]:
        """Read items one by one; all that are wrong are noted before giving up."""
        found, failed = [], False
        for step, item in given:
            try:
                found.append(read(item, self / step))
            except Skip:
                failed = True
        if failed:
            raise Skip
        return found


@dataclass(frozen=True)
class Entry:
    """Something that a document names: where it stands, and what stands there."""

    place: Place
    content: Any


@dataclass(eq=False)
class Scope:
    """The names of all documents that are read together.

    Attributes
    ----------
    labels : LabelSet or None
        What labels are checked against.
    functions : mapping of name to function
        What `function = "name"` may refer to.
    trusted : bool
        Whether regular expressions may be of any kind.
    root : path or None
        The folder that files may be taken from; None for no files at all.
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

    def look_up(self, room: str, name: str, at: Place, read: Callable[[Any, Place], Any]) -> Any:
        """What a group, test or rule of that name is. It is read once; a wrong one is told of where it stands."""
        entries: dict[str, Entry] = getattr(self, room)
        if name not in entries:
            at.unknown(f"{room[:-1]}", name, entries, plural=room)
        key = (room, name)
        if key in self._open:
            circle = [other for _, other in self._open[self._open.index(key) :]]
            at.fail(f"{room[:-1]} {name!r} refers to itself: {' -> '.join([*circle, name])}")
        if key not in self._done:
            self._done[key] = None
            self._open.append(key)
            try:
                entry = entries[name]
                self._done[key] = read(entry.content, entry.place)
            finally:
                self._open.pop()
        if self._done[key] is None:
            raise Skip
        return self._done[key]


def _shown(given: Any, most: int = 80) -> str:
    text = repr(given)
    return text if len(text) <= most else text[: most - 3] + "..."
