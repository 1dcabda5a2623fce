"""Reading text from paths, `-`, open files and gzip, in blocks of whole lines, never all at once."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO, NamedTuple, TypeAlias, cast

from lawful.errors import CorpusError, FileError, InputError

__all__ = [
    "MAX_LINE",
    "MAX_TOKENS",
    "Block",
    "Source",
    "name_of",
    "opened_for_reading",
    "peek_start",
    "read_blocks",
    "read_lines",
    "read_texts",
    "text_start",
]

Source: TypeAlias = "str | PathLike[str] | IO[str] | IO[bytes]"

MAX_LINE = 1 << 24  # characters
MAX_TOKENS = 1 << 18  # of one sequence
_BLOCK = 1 << 18  # bytes read at a time
_PEEK = 1 << 13  # bytes to recognise a format by
_DAMAGED = (gzip.BadGzipFile, EOFError, zlib.error)


class Block(NamedTuple):
    """Whole lines of a file, without their ends, and the number of the first."""

    first: int
    lines: list[str]


def name_of(source: Source) -> str:
    """The name of a source in error messages.

    Examples
    --------
    >>> name_of("-"), name_of(io.StringIO("a"))
    ('<stdin>', 'the text')
    """
    if isinstance(source, str | PathLike):
        return "<stdin>" if str(source) == "-" else str(source)
    return str(getattr(source, "name", "the text"))


@contextmanager
def opened_for_reading(source: Source) -> Iterator[IO[bytes] | IO[str]]:
    """The bytes of a source, decompressed if they are gzip. A file that the caller opened stays open.

    A text stream without bytes under it (`io.StringIO`) is returned as it is.
    """
    if isinstance(source, str | PathLike) and str(source) != "-":
        try:
            file = Path(source).open("rb")  # noqa: SIM115 - closed below; errors inside are not about opening
        except OSError as error:
            raise FileError.of(source, "opened", error) from error
        with file:
            yield _unpacked(file)
        return
    stream: IO[bytes] | IO[str] = sys.stdin if isinstance(source, str | PathLike) else source
    stream = getattr(stream, "buffer", stream)
    if not hasattr(stream, "read"):
        raise InputError(f"expected a path, '-' or an open file, got {source!r}")
    is_text = isinstance(stream, io.TextIOBase)
    yield stream if is_text else _unpacked(cast(IO[bytes], stream))


def _unpacked(file: IO[bytes]) -> IO[bytes]:
    peek = getattr(file, "peek", None)
    if peek is not None and peek(2)[:2] == b"\x1f\x8b":
        return cast(IO[bytes], gzip.GzipFile(fileobj=file))
    return file


def peek_start(source: Source) -> bytes:
    """The first few thousand bytes of a file, decompressed. An open file is not consumed.

    Examples
    --------
    >>> peek_start(io.BytesIO(b"a DT O"))
    b'a DT O'
    """
    if not isinstance(source, str | PathLike):
        return _peek(source)
    if str(source) == "-":
        return _peek(sys.stdin)
    try:
        with Path(source).open("rb") as file:
            return _unpacked_start(file.read(_PEEK))
    except OSError as error:
        raise FileError.of(source, "opened", error) from error


def text_start(start: bytes) -> bytes:
    r"""The first bytes of a text, without a byte order mark and blank lines.

    Examples
    --------
    >>> text_start(b"\xef\xbb\xbf\n a")
    b'a'
    """
    return start.removeprefix(b"\xef\xbb\xbf").lstrip()


def _peek(stream: IO[str] | IO[bytes]) -> bytes:
    binary = getattr(stream, "buffer", stream)
    if hasattr(binary, "peek"):
        return _unpacked_start(bytes(binary.peek(_PEEK)[:_PEEK]))
    if not binary.seekable():
        raise InputError(
            "this stream cannot be read twice, so its format cannot be guessed: name it (format='columns')"
        )
    position = binary.tell()
    start = binary.read(_PEEK)
    binary.seek(position)
    return start.encode() if isinstance(start, str) else _unpacked_start(start)


def _unpacked_start(start: bytes) -> bytes:
    if not start.startswith(b"\x1f\x8b"):
        return start
    try:
        return gzip.GzipFile(fileobj=io.BytesIO(start)).read1(_PEEK)
    except (OSError, EOFError):
        return b""


def read_blocks(source: Source, *, encoding: str = "utf-8", max_line: int = MAX_LINE) -> Iterator[Block]:
    r"""The lines of a source, some thousand at a time, after every check that text must pass.

    Line ends are LF or CRLF; a byte order mark at the start is dropped. NUL, bad UTF-8 and lines longer than
    `max_line` are errors that name the line.

    Examples
    --------
    >>> list(read_blocks(io.BytesIO(b"\xef\xbb\xbfa\r\nb\r\n")))
    [Block(first=1, lines=['a', 'b'])]
    """
    for first, text in read_texts(source, encoding=encoding, max_line=max_line):
        lines = text.split("\n")
        if lines[-1] == "":
            lines.pop()
        yield Block(first, lines)


def read_texts(
    source: Source, *, encoding: str = "utf-8", max_line: int = MAX_LINE
) -> Iterator[tuple[int, str]]:
    r"""The same before it is cut into lines: the number of the first line, and the text, which ends where a line does.

    Examples
    --------
    >>> list(read_texts(io.BytesIO(b"a\r\nb\r\n")))
    [(1, 'a\nb\n')]
    """
    name, first = name_of(source), 1
    with opened_for_reading(source) as file:
        # An error while reading is about what comes after the lines so far.
        for raw in _whole_lines(file, name, max_line, lambda: first):  # noqa: B023 - the latest is wanted
            text = raw if isinstance(raw, str) else _decode(raw, name, first, encoding)
            if first == 1 and text.startswith("\ufeff"):
                text = text[1:]
            if "\0" in text:
                line = first + text.count("\n", 0, text.index("\0"))
                raise CorpusError(name, line, "a NUL character: this is not a text file, or not in UTF-8")
            if "\r" in text:
                text = text.replace("\r\n", "\n").removesuffix("\r")
                if "\r" in text:
                    line = first + text.count("\n", 0, text.index("\r"))
                    raise CorpusError(name, line, "a carriage return inside a line; lines end in LF or CRLF")
            if max_line < _BLOCK:
                _check_lengths(text.split("\n"), name, first, max_line)
            yield first, text
            first += text.count("\n")


def read_lines(
    source: Source, *, encoding: str = "utf-8", max_line: int = MAX_LINE
) -> Iterator[tuple[int, str]]:
    """Each line with its number, as `read_blocks` reads them.

    Examples
    --------
    >>> list(read_lines(io.StringIO("one line")))
    [(1, 'one line')]
    """
    for block in read_blocks(source, encoding=encoding, max_line=max_line):
        yield from enumerate(block.lines, block.first)


def _whole_lines(
    file: IO[bytes] | IO[str], name: str, max_line: int, number: Callable[[], int]
) -> Iterator[bytes | str]:
    # read1 returns what a pipe has now, so that each line of a stream is answered when it arrives.
    read = getattr(file, "read1", file.read)
    parts: list[bytes | str] = []
    length = 0
    while piece := _read(read, name, number):
        end = b"\n" if isinstance(piece, bytes) else "\n"
        cut = piece.rfind(end) + 1  # type: ignore[arg-type]
        if cut:
            parts.append(piece[:cut])
            yield piece[:0].join(parts)  # type: ignore[arg-type]
            parts, length = [], 0
        if cut < len(piece):
            parts.append(piece[cut:])
            length += len(piece) - cut
        if length > max_line:
            raise _too_long(name, number(), max_line)
    if parts:
        yield parts[0][:0].join(parts)  # type: ignore[arg-type]


def _read(read: object, name: str, number: Callable[[], int]) -> bytes | str:
    try:
        return read(_BLOCK)  # type: ignore[operator, no-any-return]
    except _DAMAGED as error:
        raise CorpusError(name, number(), f"damaged gzip data: {error}") from error
    except UnicodeDecodeError as error:
        raise CorpusError(name, number(), f"not {error.encoding} text: {error.reason}") from error
    except OSError as error:
        raise CorpusError(name, number(), f"cannot be read: {error.strerror or error}") from error


def _decode(raw: bytes, name: str, first: int, encoding: str) -> str:
    if first == 1 and raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise CorpusError(name, 1, "this is UTF-16 text; convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)")
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        start = raw.rfind(b"\n", 0, error.start) + 1
        line = first + raw.count(b"\n", 0, error.start)
        raise CorpusError(
            name,
            line,
            f"byte 0x{raw[error.start]:02x} at {error.start - start + 1} is not {encoding}; convert the file, "
            "or name its encoding (encoding='latin-1')",
        ) from None
    except LookupError:
        raise InputError(f"unknown encoding {encoding!r}; try 'utf-8' or 'latin-1'") from None


def _check_lengths(lines: list[str], name: str, first: int, max_line: int) -> None:
    if max(map(len, lines), default=0) > max_line:
        index = next(number for number, line in enumerate(lines) if len(line) > max_line)
        raise _too_long(name, first + index, max_line)


def _too_long(name: str, line: int, max_line: int) -> CorpusError:
    return CorpusError(
        name,
        line,
        f"a line of more than {max_line:,} characters; if that is right, read_corpus(..., max_line=...) reads it",
    )
