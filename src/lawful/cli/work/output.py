"""Where results go: files that are never seen half written, stdout as `-`, JSON."""

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

__all__ = ["STDOUT", "make_folder", "open_output", "print_json", "ready_for"]

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
    if str(path) == STDOUT:
        yield sys.stdout
        sys.stdout.flush()
        return
    with written_aside(path) as raw, text_over(raw) as stream:
        yield stream


def make_folder(folder: Path) -> Path:
    """The folder, made if it is not there.

    Examples
    --------
    >>> make_folder(Path("pictures")).is_dir()
    True
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise FileError(folder, "cannot be made: there is a file of that name", error) from error
    except OSError as error:
        raise FileError.of(folder, "made", error) from error
    return folder


def ready_for(output: str | os.PathLike[str], *inputs: str | os.PathLike[str] | None) -> None:
    """Refuse, before long work, an output that would replace a file which the command reads, or that has no folder.

    Examples
    --------
    >>> ready_for("model.lawful", "gold.conll", None)
    >>> _ = Path("gold.conll").write_text("a X")
    >>> ready_for("./gold.conll", "gold.conll")
    Traceback (most recent call last):
    lawful.errors.InputError: the output ./gold.conll would replace what is read from gold.conll: give it another name
    """
    if str(output) == STDOUT:
        return
    folder = Path(output).parent
    if not folder.is_dir():
        raise MissingFileError(output, f"cannot be written: there is no folder {folder}")
    for given in inputs:
        if given and given != STDOUT and os.path.realpath(output) == os.path.realpath(given):
            if not os.path.isfile(given):  # noqa: PTH113 - a device, such as /dev/null
                continue
            raise InputError(
                f"the output {output} would replace what is read from {given}: give it another name"
            )


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
