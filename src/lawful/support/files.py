"""Files that are never seen half written."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Literal

from lawful.errors import FileError

__all__ = ["text_over", "written_aside"]


@contextmanager
def written_aside(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Bytes that appear at `path` all at once, when the block ends without an error; otherwise the old file stays.

    They are written to a file beside it, which is then renamed. A link stays a link, and a file that is replaced
    keeps its permissions. Anything but a regular file (a pipe, a terminal) is written directly.

    Raises
    ------
    FileError
        If it cannot be written, an `OSError` too; it names `path`, not the file beside it.

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
    final = Path(os.path.realpath(path))
    if final.exists() and not final.is_file():
        with _open(final, "wb", path) as file:
            yield file
        return
    aside = final.with_name(f".{final.name[:50]}.{os.urandom(6).hex()}.part")  # 50: names end at 255 bytes
    try:
        with _open(aside, "xb", path) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            aside.chmod(final.stat().st_mode & 0o7777)
        aside.replace(final)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


@contextmanager
def text_over(raw: IO[bytes]) -> Iterator[IO[str]]:
    r"""Text to write over bytes: UTF-8, LF. It is flushed at the end; the caller closes the bytes.

    Examples
    --------
    >>> raw = io.BytesIO()
    >>> with text_over(raw) as text:
    ...     _ = text.write("é\n")
    >>> raw.getvalue()
    b'\xc3\xa9\n'
    """
    text = io.TextIOWrapper(raw, encoding="utf-8", newline="\n")
    try:
        yield text
        text.flush()
    finally:
        with suppress(OSError, ValueError):  # it has been flushed, or another error is being raised
            text.detach()


def _open(path: Path, mode: Literal["wb", "xb"], named: str | os.PathLike[str]) -> IO[bytes]:
    try:
        return path.open(mode)
    except OSError as error:
        raise FileError.of(named, "written", error) from error
