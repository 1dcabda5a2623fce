"""Which format a file is in: by its name, else by how it begins."""

from __future__ import annotations

import gzip
import io
import re
from os import PathLike
from pathlib import Path, PurePath
from typing import IO

from lawful.corpus.sources import Source
from lawful.errors import FileError, InputError

__all__ = ["FORMATS", "format_by_content", "format_by_name", "guess_format", "peek_start"]

FORMATS = ("columns", "conllu", "jsonl", "csv", "parquet", "xml")

_SUFFIXES = {
    ".conll": "columns",
    ".conllu": "conllu",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".xml": "xml",
}
_LOOK = 1 << 13


def format_by_name(path: str | PathLike[str]) -> str | None:
    """What a file's name says about its format.

    Examples
    --------
    >>> format_by_name("gold.jsonl.gz"), format_by_name("train.txt")
    ('jsonl', None)
    """
    name = PurePath(path)
    if name.suffix == ".gz":
        name = name.with_suffix("")
    return _SUFFIXES.get(name.suffix.lower())


def format_by_content(start: bytes) -> str:
    r"""What the first bytes of a file say about its format.

    Examples
    --------
    >>> format_by_content(b'{"tokens": ["a"]}\n'), format_by_content(b"a DT O\n")
    ('jsonl', 'columns')
    """
    if start.startswith(b"PAR1"):
        return "parquet"
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if re.match(rb"\{\s*(\"|\}|$)", text):
        return "jsonl"
    if re.match(rb"<(\?xml|!--|\w+>\s*<\w)", text):
        return "xml"
    lines = [line for line in text.splitlines() if line and not line.startswith(b"# ")]
    if lines and lines[0].count(b"\t") == 9 and re.match(rb"1(-\d+)?\t", lines[0]):
        return "conllu"
    return "columns"


def guess_format(source: Source) -> str:
    """The format of a file; of an open one without consuming it.

    Examples
    --------
    >>> guess_format(io.BytesIO(b"a DT O"))
    'columns'
    """
    if isinstance(source, str | PathLike):
        named = format_by_name(source)
        if named is not None or str(source) == "-":
            return named or format_by_content(peek_start(source))
    return format_by_content(peek_start(source))


def peek_start(source: Source) -> bytes:
    """The first bytes of a file, some thousand, unpacked; an open one is not consumed.

    Examples
    --------
    >>> peek_start(io.BytesIO(b"a DT O"))
    b'a DT O'
    """
    if not isinstance(source, str | PathLike):
        return _peek(source)
    if str(source) == "-":
        return _peek_stdin()
    try:
        with Path(source).open("rb") as file:
            return _unpack(file.read(_LOOK))
    except OSError as error:
        raise FileError.of(source, "opened", error) from error


def _peek_stdin() -> bytes:
    import sys

    return _peek(sys.stdin)


def _peek(stream: IO[str] | IO[bytes]) -> bytes:
    binary = getattr(stream, "buffer", stream)
    if hasattr(binary, "peek"):
        return _unpack(bytes(binary.peek(_LOOK)[:_LOOK]))
    if not binary.seekable():
        raise InputError(
            "this stream cannot be looked into before it is read: name its format (format='columns')"
        )
    place = binary.tell()
    start = binary.read(_LOOK)
    binary.seek(place)
    return start.encode() if isinstance(start, str) else _unpack(start)


def _unpack(start: bytes) -> bytes:
    if not start.startswith(b"\x1f\x8b"):
        return start
    try:
        return gzip.GzipFile(fileobj=io.BytesIO(start)).read1(_LOOK)
    except (OSError, EOFError):
        return b""
