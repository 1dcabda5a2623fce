"""Writing results: to files that are never left half-written, or to stdout (`-`); as text or JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from lawful.errors import FileError, InputError, MissingFileError
from lawful.support.files import text_over, written_aside

__all__ = ["STDOUT", "check_output", "make_folder", "open_output", "print_json"]

STDOUT = "-"


@contextmanager
def open_output(path: str | os.PathLike[str]) -> Iterator[IO[str]]:
    """A stream to write text to; `-` is stdout.

    A file is written aside, in the same folder, and renamed once it is complete: Ctrl-C or an error leaves what was
    there before. Anything else (a pipe, /dev/null) is written to directly.

    Examples
    --------
    >>> with open_output("out.txt") as stream:
    ...     _ = stream.write("done")
    >>> Path("out.txt").read_text()
    'done'
    """
    if str(path) == STDOUT:
        yield sys.stdout
        sys.stdout.flush()
        return
    with written_aside(path) as raw, text_over(raw) as stream:
        yield stream


def make_folder(folder: Path) -> Path:
    """The folder, created if it does not exist.

    Examples
    --------
    >>> make_folder(Path("pictures")).is_dir()
    True
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise FileError(folder, "cannot be created: there is a file with that name", error) from error
    except OSError as error:
        raise FileError.of(folder, "created", error) from error
    return folder


def check_output(output: str | os.PathLike[str], *inputs: str | os.PathLike[str] | None) -> None:
    """Refuse, before any long work, an output that would overwrite an input of the command, or that has no folder.

    Examples
    --------
    >>> check_output("model.lawful", "gold.conll", None)
    >>> _ = Path("gold.conll").write_text("a X")
    >>> check_output("./gold.conll", "gold.conll")
    Traceback (most recent call last):
    lawful.errors.InputError: the output ./gold.conll would overwrite the input gold.conll: choose another name
    """
    if str(output) == STDOUT:
        return
    folder = Path(output).parent
    if not folder.is_dir():
        raise MissingFileError(output, f"cannot be written: there is no folder {folder}")
    for path in inputs:
        if path and path != STDOUT and os.path.realpath(output) == os.path.realpath(path):
            if not os.path.isfile(path):  # noqa: PTH113 - a device, such as /dev/null
                continue
            raise InputError(f"the output {output} would overwrite the input {path}: choose another name")


def print_json(data: Any, path: str | os.PathLike[str] = STDOUT) -> None:
    """Write data as indented JSON, in the order given.

    Examples
    --------
    >>> print_json({"ok": True, "name": "Köln"})
    {
      "ok": true,
      "name": "Köln"
    }
    """
    with open_output(path) as stream:
        json.dump(data, stream, ensure_ascii=False, indent=2, allow_nan=False)
        stream.write("\n")
