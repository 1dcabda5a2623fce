"""Writing text: to a temporary file that is then renamed, so that no reader ever sees half a file."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from os import PathLike
from typing import IO, TypeAlias, cast

from lawful.errors import InputError
from lawful.support.files import text_over, written_aside

__all__ = ["Target", "opened_for_writing", "target_name"]

Target: TypeAlias = "str | PathLike[str] | IO[str] | IO[bytes]"


def target_name(target: Target) -> str:
    """The name of a target in error messages.

    Examples
    --------
    >>> target_name("-"), target_name("out.conll")
    ('<stdout>', 'out.conll')
    """
    if isinstance(target, str | PathLike):
        return "<stdout>" if str(target) == "-" else str(target)
    return str(getattr(target, "name", "the text"))


@contextmanager
def opened_for_writing(target: Target) -> Iterator[IO[str]]:
    r"""A text file to write to: UTF-8, LF. A path is written to a temporary file, which is renamed at the end.

    A name that ends in `.gz` is compressed. A file that the caller opened stays open.

    Examples
    --------
    >>> with opened_for_writing("out.txt") as file:
    ...     _ = file.write("a\n")
    >>> from pathlib import Path
    >>> Path("out.txt").read_bytes()
    b'a\n'
    """
    if isinstance(target, str | PathLike) and str(target) != "-":
        with ExitStack() as stack:
            raw = stack.enter_context(written_aside(target))
            if str(target).endswith(".gz"):
                packed = stack.enter_context(gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0))
                raw = cast(IO[bytes], packed)
            yield stack.enter_context(text_over(raw))
        return
    stream = cast(IO[str], sys.stdout if isinstance(target, str | PathLike) else target)
    binary = getattr(stream, "buffer", None if isinstance(stream, io.TextIOBase) else stream)
    if binary is None:
        yield stream
    elif not hasattr(binary, "write"):
        raise InputError(f"expected a path, '-' or an open file, got {target!r}")
    else:
        stream.flush()
        with text_over(cast(IO[bytes], binary)) as text:
            yield text
