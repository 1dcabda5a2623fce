"""Where results go: files that are never seen half written, stdout as `-`, JSON."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

__all__ = ["STDOUT", "open_output", "print_json"]

STDOUT = "-"


@contextmanager
def open_output(path: str | os.PathLike[str]) -> Iterator[IO[str]]:
    """A stream to write text to; `-` is stdout.

    A file is written aside, in the same folder, and renamed when all went well: Ctrl-C or an error leaves what was
    there before. What is no plain file (a pipe, /dev/null) is written to as it is.

    Examples
    --------
    >>> with open_output("out.txt") as stream:
    ...     _ = stream.write("done")
    >>> Path("out.txt").read_text()
    'done'
    """
    target = Path(path)
    if str(path) == STDOUT:
        yield sys.stdout
        sys.stdout.flush()
        return
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    target = target.resolve()  # a link keeps pointing to the file
    handle, aside = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
        Path(aside).chmod(_mode(target))
        Path(aside).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(aside).unlink()
        raise


def print_json(held: Any, path: str | os.PathLike[str] = STDOUT) -> None:
    """Write data as JSON, readable and in the order given.

    Examples
    --------
    >>> print_json({"ok": True, "name": "Köln"})
    {
      "ok": true,
      "name": "Köln"
    }
    """
    with open_output(path) as stream:
        json.dump(held, stream, ensure_ascii=False, indent=2, allow_nan=False)
        stream.write("\n")


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those of any new file."""
    with suppress(OSError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
