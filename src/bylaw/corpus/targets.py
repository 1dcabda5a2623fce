"""Where text goes: aside first, then in place by a rename, so that no reader ever sees half a file."""

from __future__ import annotations

import gzip
import io
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import IO, Literal, TypeAlias, cast

from bylaw.errors import CorpusError, InputError

__all__ = ["Target", "opened_for_writing", "target_name", "written_aside"]

Target: TypeAlias = "str | PathLike[str] | IO[str] | IO[bytes]"


def target_name(target: Target) -> str:
    """What to call a target in an error message.

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
    r"""A text file to write to: UTF-8, LF. A path is written aside and renamed when all went well.

    A name that ends in `.gz` is packed. An open file of the caller's stays open.

    Examples
    --------
    >>> with opened_for_writing("out.txt") as file:
    ...     _ = file.write("a\n")
    >>> Path("out.txt").read_bytes()
    b'a\n'
    """
    if isinstance(target, str | PathLike) and str(target) != "-":
        with written_aside(target) as raw:
            packed: IO[bytes] = raw
            if str(target).endswith(".gz"):
                packed = cast(IO[bytes], gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0))
            text = io.TextIOWrapper(packed, encoding="utf-8", newline="\n")
            try:
                yield text
                text.flush()
                if packed is not raw:
                    packed.close()
            finally:
                _let_go(text)
        return
    stream = cast(IO[str], sys.stdout if isinstance(target, str | PathLike) else target)
    binary = getattr(stream, "buffer", None if isinstance(stream, io.TextIOBase) else stream)
    if binary is None:
        yield stream
    elif not hasattr(binary, "write"):
        raise InputError(f"expected a path, '-' or an open file, got {target!r}")
    else:
        stream.flush()
        text = io.TextIOWrapper(cast(IO[bytes], binary), encoding="utf-8", newline="\n")
        try:
            yield text
            text.flush()
        finally:
            _let_go(text)


def _let_go(text: io.TextIOWrapper) -> None:
    """Leave the file under a text open: whoever opened it closes it."""
    with suppress(OSError, ValueError):  # it has been flushed, or there is an error under way already
        text.detach()


@contextmanager
def written_aside(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """Bytes that appear at `path` all at once, when the block ends without an error; else nothing does.

    What is no regular file (a pipe, a terminal) is written directly.

    Examples
    --------
    >>> try:
    ...     with written_aside("never.bin") as file:
    ...         _ = file.write(b"half")
    ...         raise KeyboardInterrupt
    ... except KeyboardInterrupt:
    ...     print(Path("never.bin").exists(), list(Path().glob("*never*")))
    False []
    """
    final = Path(os.path.realpath(path))  # a link stays a link
    if final.exists() and not final.is_file():
        with _open(final, "wb") as file:
            yield file
        return
    aside = final.with_name(f".{final.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        with _open(aside, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if final.exists():
            aside.chmod(final.stat().st_mode & 0o7777)
        aside.replace(final)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def _open(path: Path, mode: Literal["wb", "xb"]) -> IO[bytes]:
    try:
        return path.open(mode)
    except OSError as error:
        raise CorpusError(str(path), None, f"cannot be written: {error.strerror or error}") from error
