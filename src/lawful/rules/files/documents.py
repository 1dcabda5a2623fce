"""From a path or a text to documents: its TOML, with line numbers, and the files that it includes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path as FilePath

from lawful.errors import FileError
from lawful.rules.files.scope import Document, Location, Scope, Skip
from lawful.rules.files.toml import TomlError, locate_keys, parse_toml
from lawful.rules.files.word_files import beside

__all__ = ["DEEPEST_INCLUDE", "LARGEST_FILE", "MOST_FILES", "load_file", "load_text"]

LARGEST_FILE = 4 * 2**20  # bytes of one rule file
DEEPEST_INCLUDE = 16
MOST_FILES = 200


def load_file(path: FilePath, scope: Scope, *, shown: str) -> list[Document]:
    """The documents of a file and of all that it includes, in the order in which their rules come."""
    start = Location(scope, Document(shown, {}))
    return _Loader(scope).file(path, shown, start, ())


def load_text(text: str, source: str, scope: Scope) -> list[Document]:
    """The document of a text, and those that it includes if the scope has a root."""
    loader = _Loader(scope)
    if len(text) > LARGEST_FILE:
        Location(scope, Document(source, {})).fail(
            f"a rule file has at most {LARGEST_FILE} bytes, got {len(text)}"
        )
    return list(loader.documents(_document(text, source, scope.root, scope), ()))


@dataclass
class _Loader:
    scope: Scope
    seen: set[FilePath] = field(default_factory=set)

    def file(self, path: FilePath, shown: str, at: Location, above: tuple[FilePath, ...]) -> list[Document]:
        if path in above:
            cycle = [*above[above.index(path) :], path]
            names = " -> ".join(file.name for file in cycle)
            at.fail(f"this file includes itself: {names}")
        if path in self.seen:  # included twice: its rules come once
            return []
        if len(above) >= DEEPEST_INCLUDE:
            at.fail(f"files are included through more than {DEEPEST_INCLUDE} others")
        self.seen.add(path)
        if len(self.seen) > MOST_FILES:
            at.fail(f"more than {MOST_FILES} files are included")
        text = _read(path, at, shown)
        return list(self.documents(_document(text, shown, path.parent, self.scope), (*above, path)))

    def documents(self, document: Document, above: tuple[FilePath, ...]) -> Iterator[Document]:
        at = Location(self.scope, document).under("include")
        content = document.content.get("include", [])
        names = [content] if isinstance(content, str) else content
        if not isinstance(names, list):
            at.note(f"expected the path of a rule file, or a list of paths, got {content!r}")
            names = []
        for index, name in enumerate(names):
            here = at / index if isinstance(content, list) else at
            try:
                path = beside(name, here, "a rule file")
                yield from self.file(path, self._shown(path), here, above)
            except Skip:
                continue
        yield document

    def _shown(self, path: FilePath) -> str:
        root = self.scope.root
        return str(path.relative_to(root)) if root is not None else str(path)


def _read(path: FilePath, at: Location, shown: str) -> str:
    try:
        if path.stat().st_size > LARGEST_FILE:
            at.fail(f"{shown} is larger than {LARGEST_FILE // 2**20} MB: too large for a rule file")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        named = "this" if at.document.source == shown else shown
        at.fail(f"{named} is not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}")
    except OSError as error:
        if at.document.source == shown:  # the file that was asked for, not one that it includes
            raise FileError.of(shown, "read", error) from error
        at.fail(f"{shown} cannot be read: {error.strerror or error}")


def _document(text: str, source: str, folder: FilePath | None, scope: Scope) -> Document:
    start = Location(scope, Document(source, {}))
    try:
        content = parse_toml(text)
        key_locations = locate_keys(text.replace("\r\n", "\n"))
    except TomlError as error:
        if error.where is None:
            start.fail(str(error))
        start.at_line(str(error), *error.where)
    except RecursionError:
        start.fail("values are nested too deep")
    return Document(source, content, key_locations, folder)
