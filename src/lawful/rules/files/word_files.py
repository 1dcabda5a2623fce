"""Word lists that stand in a text file beside the rule file, one word a line."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Any

from lawful.rules.files.scope import Place

__all__ = ["LARGEST_WORD_FILE", "beside", "read_words"]

LARGEST_WORD_FILE = 32 * 2**20  # bytes


def read_words(given: Any, at: Place) -> tuple[str, ...]:
    """The words of a file: one a line, spaces around them and empty lines left out."""
    path = beside(given, at, "a word list")
    try:
        if path.stat().st_size > LARGEST_WORD_FILE:
            at.fail(f"{given!r} is larger than {LARGEST_WORD_FILE // 2**20} MB")
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        at.fail(f"{given!r} is not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}")
    except OSError as error:
        at.fail(f"{given!r} cannot be read: {error.strerror or error}")
    return tuple(word for line in text.splitlines() if (word := line.strip()))


def beside(given: Any, at: Place, what: str) -> FilePath:
    """The path of a file that a document names: relative, and nowhere above the folder of the first file."""
    if not isinstance(given, str) or not given:
        at.expected(f"the path of {what}", given)
    folder, root = at.document.folder, at.scope.root
    if folder is None or root is None:
        at.fail(f"this text may not open other files, so {given!r} is out of reach")
    try:
        path = (folder / given).resolve()
    except (OSError, ValueError, RuntimeError) as error:
        at.fail(f"{given!r} is no path: {error}")
    if FilePath(given).is_absolute() or not path.is_relative_to(root):
        at.fail(f"{given!r} lies outside {str(root)!r}: files are taken from that folder and below")
    return path
