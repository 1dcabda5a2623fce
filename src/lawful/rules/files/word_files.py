"""Files that a rule file refers to: word lists with one word per line, and where files may be opened."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Any

from lawful.rules.files.scope import Location

__all__ = ["LARGEST_WORD_FILE", "beside", "read_words"]

LARGEST_WORD_FILE = 32 * 2**20  # bytes


def read_words(name: Any, at: Location) -> tuple[str, ...]:
    """The words of a file, one per line, without surrounding spaces and empty lines."""
    path = beside(name, at, "a word list")
    try:
        if path.stat().st_size > LARGEST_WORD_FILE:
            at.fail(f"{name!r} is larger than {LARGEST_WORD_FILE // 2**20} MB")
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        at.fail(f"{name!r} is not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}")
    except OSError as error:
        at.fail(f"{name!r} cannot be read: {error.strerror or error}")
    return tuple(word for line in text.splitlines() if (word := line.strip()))


def beside(name: Any, at: Location, what: str) -> FilePath:
    """The path of a file that a document names: relative to it, and inside the root folder."""
    if not isinstance(name, str) or not name:
        at.expected(f"the path of {what}", name)
    folder, root = at.document.folder, at.scope.root
    if folder is None or root is None:
        at.fail(f"this text may not open other files, so {name!r} cannot be read")
    try:
        path = (folder / name).resolve()
    except (OSError, ValueError, RuntimeError) as error:
        at.fail(f"{name!r} is not a valid path: {error}")
    if FilePath(name).is_absolute() or not path.is_relative_to(root):
        at.fail(f"{name!r} is outside {str(root)!r}: files must be in that folder or below")
    return path
