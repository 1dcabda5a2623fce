"""Encodings in files: JSON, data only."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lawful.encodings.encoding import Encoding
from lawful.encodings.properties import check_encoding, domain_of
from lawful.errors import EncodingError, FileError
from lawful.support.files import written_aside

__all__ = ["FORMAT", "VERSION", "parse_encoding", "read_encoding", "write_encoding"]

FORMAT, VERSION = "lawful encoding", 1
MOST_BYTES = 1 << 26


def write_encoding(encoding: Encoding, path: str | os.PathLike[str]) -> None:
    """Write an encoding to a file, which appears when it is complete.

    Examples
    --------
    >>> from lawful.encodings import scheme_encoding
    >>> write_encoding(scheme_encoding("IOB1", "IOE1"), "ioe1.json")
    >>> read_encoding("ioe1.json").encode(["I", "B"])
    ('E', 'I')
    """
    data = {"format": FORMAT, "version": VERSION, **encoding.to_dict()}
    text = json.dumps(data, ensure_ascii=False, indent=1)
    with written_aside(path) as file:
        file.write(text.encode("utf-8", "surrogatepass") + b"\n")


def read_encoding(
    path: str | os.PathLike[str], *, functions: Mapping[str, Callable[..., Any]] | None = None
) -> Encoding:
    """Read an encoding from a file that `write_encoding` or `lawful search` wrote.

    Parameters
    ----------
    path : path
    functions : mapping, optional
        Those that its feature templates name, if any: a file holds no code.
    """
    try:
        size = Path(path).stat().st_size
        if size > MOST_BYTES:
            raise FileError(path, f"it has {size:,} bytes, more than an encoding can have ({MOST_BYTES:,})")
        data = Path(path).read_bytes()
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise FileError.of(path, "read", error) from error
    return parse_encoding(data, str(path), functions=functions)


def parse_encoding(
    data: bytes, name: str, *, functions: Mapping[str, Callable[..., Any]] | None = None
) -> Encoding:
    """The encoding in the bytes of a file; `name` is for the errors.

    Examples
    --------
    >>> parse_encoding(b"[]", "best.json")
    Traceback (most recent call last):
    lawful.errors.EncodingError: best.json is no encoding that lawful wrote
    """
    try:
        content = json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise EncodingError(f"{name} is no encoding that lawful wrote: it is no JSON ({error})") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise EncodingError(f"{name} is no encoding that lawful wrote")
    version = content.get("version")
    if version != VERSION:
        raise EncodingError(f"{name} has version {version!r} of the format, but this lawful reads {VERSION}")
    try:
        encoding = Encoding.from_dict(content, functions=functions)
        # Lengths are all that decoding relies on; a domain that differs from some task's is no damage.
        flaws = [flaw for flaw in check_encoding(encoding, domain_of(encoding)) if flaw.property != "domain"]
    except EncodingError as error:
        raise EncodingError(f"{name}: {error}") from error
    if flaws:
        raise EncodingError(f"{name}: it is no encoding: {flaws[0].message}")
    return encoding
