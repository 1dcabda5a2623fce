"""Reading model files: nothing is used before everything has been checked."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from lawful.errors import (
    DamagedFileError,
    FileError,
    ForeignFileError,
    ModelFileError,
    NewerFormatError,
    TruncatedFileError,
)
from lawful.models.saving.layout import (
    COMMENT_LENGTH,
    FORMAT,
    FORMAT_VERSION,
    HEADER,
    LARGEST_FILE,
    MOST_ARRAYS,
    SavedModel,
    seal_of,
)
from lawful.models.saving.members import Members, read_member

__all__ = ["open_model", "parse_model", "read_model"]

_ZIP_MEMBER, _ZIP_END = b"PK\x03\x04", b"PK\x05\x06"
_ZIP_END_LENGTH = 22
_CHUNK = 2**18


def read_model(path: str | os.PathLike[str], *, max_bytes: int = LARGEST_FILE) -> SavedModel:
    """Read a model file; every bit is checked before anything is used.

    Parameters
    ----------
    path : path
    max_bytes : int
        Larger files are refused unread. Nothing is compressed, so reading takes about as much memory as the file's size.

    Raises
    ------
    ForeignFileError, TruncatedFileError, DamagedFileError, NewerFormatError
        What is wrong with the file. All are a `ModelFileError`.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("notes.txt").write_text("hello")
    >>> read_model("notes.txt")
    Traceback (most recent call last):
    lawful.errors.ForeignFileError: notes.txt: this is not a model file of lawful
    """
    with open_model(path, max_bytes=max_bytes) as saved:
        return _complete(saved)


@contextmanager
def open_model(path: str | os.PathLike[str], *, max_bytes: int = LARGEST_FILE) -> Iterator[SavedModel]:
    """As `read_model`, but each array is read when it is asked for, so that not all of them need to be in memory at once.

    The checksum of the whole file is checked first, and that of an array whenever it is read: the file may have changed
    since. Parameters and errors are those of `read_model`.

    Examples
    --------
    >>> from lawful.models.saving import write_model
    >>> write_model("tiny.lawful", "example", {}, {"start": [0.5, -0.25]})
    >>> with open_model("tiny.lawful") as saved:
    ...     saved.kind, sorted(saved.arrays), saved.arrays["start"]
    ('example', ['start'], array([ 0.5 , -0.25]))
    """
    with _opened(path) as file:
        source: BinaryIO = file if file.seekable() else io.BytesIO(file.read(max_bytes + 1))
        if source.seek(0, os.SEEK_END) > max_bytes:
            raise ModelFileError(
                path, f"larger than max_bytes={max_bytes}: raise the limit if you trust the file"
            )
        yield _checked(source, path)


def parse_model(data: bytes, path: str | os.PathLike[str] = "model") -> SavedModel:
    """The model in the bytes of a file; `path` is for errors."""
    return _complete(_checked(io.BytesIO(data), path, data))


def _opened(path: str | os.PathLike[str]) -> BinaryIO:
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise FileError.of(path, "opened", error) from error


def _complete(saved: SavedModel) -> SavedModel:
    """With all arrays read."""
    arrays = MappingProxyType(dict(saved.arrays))
    return SavedModel(saved.kind, saved.meta, arrays, saved.lawful_version, saved.format_version)


def _checked(file: BinaryIO, path: object, archive_bytes: bytes | None = None) -> SavedModel:
    """The model of a file; `archive_bytes` is its whole content, where that is in memory already."""
    length = file.seek(0, os.SEEK_END)
    start = _bytes_at(file, 0, len(_ZIP_MEMBER))
    if start != _ZIP_MEMBER[: len(start)]:
        raise ForeignFileError(path, "this is not a model file of lawful")
    sealed = _is_sealed(file, length, path, archive_bytes)
    archive = _open(file, length, path)
    if archive.namelist()[:1] != [HEADER]:
        raise ForeignFileError(
            path, f"a zip archive, but not a model file of lawful: {HEADER} is not its first member"
        )
    header = _header(read_member(archive, HEADER, path).tobytes(), path)
    if not sealed:  # checked after the version: a later format may be sealed in another way
        raise DamagedFileError(path, "its checksum is missing")
    return _model(header, archive, path, archive_bytes)


def _bytes_at(file: BinaryIO, offset: int, count: int) -> bytes:
    file.seek(max(0, offset))
    return file.read(count)


def _is_sealed(file: BinaryIO, length: int, path: object, archive_bytes: bytes | None) -> bool:
    """Whether the file ends with a checksum, and it is the right one."""
    comment = _bytes_at(file, length - COMMENT_LENGTH, COMMENT_LENGTH)
    end = _bytes_at(file, length - COMMENT_LENGTH - _ZIP_END_LENGTH, len(_ZIP_END))
    if end != _ZIP_END or not comment.startswith(b"lawful-sha256:"):
        return False
    digest, left = sha256(), length - COMMENT_LENGTH
    if archive_bytes is not None:
        digest.update(memoryview(archive_bytes)[:left])
        left = 0
    file.seek(0)
    while left > 0 and (chunk := file.read(min(left, _CHUNK))):
        digest.update(chunk)
        left -= len(chunk)
    if comment != seal_of(digest.hexdigest()):
        raise DamagedFileError(path, "its checksum does not fit its contents: copy or download it again")
    return True


def _is_cut(file: BinaryIO, length: int) -> bool:
    """Whether a zip archive lacks the end of its last record."""
    data = _bytes_at(file, length - _ZIP_END_LENGTH - 0xFFFF, _ZIP_END_LENGTH + 0xFFFF)
    offset = data.rfind(_ZIP_END)
    promised = int.from_bytes(data[offset + 20 : offset + 22], "little")
    return offset < 0 or len(data) < offset + _ZIP_END_LENGTH + promised


def _open(file: BinaryIO, length: int, path: object) -> zipfile.ZipFile:
    if not length:
        raise TruncatedFileError(path, "the file is empty; expected a model that lawful saved")
    if _is_cut(file, length):
        raise TruncatedFileError(path, "its end is missing: copy or download it again")
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError) as error:
        raise DamagedFileError(path, f"its list of contents cannot be read ({error})") from None
    names = archive.namelist()
    if len(names) > MOST_ARRAYS + 1 or len(set(names)) != len(names):
        raise DamagedFileError(path, f"{len(names)} members, or two with one name")
    return archive


def _header(data: bytes, path: object) -> dict[str, Any]:
    try:
        header = json.loads(data)
    except (ValueError, RecursionError):
        raise DamagedFileError(path, f"{HEADER} is not JSON") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ForeignFileError(path, _foreign(header))
    version = header.get("format_version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise DamagedFileError(path, f"its format version is {version!r}")
    if version > FORMAT_VERSION:
        raise NewerFormatError(path, version, FORMAT_VERSION)
    return header


def _foreign(header: object) -> str:
    """What a file of another program is, as far as its header tells: lawful had another name before 0.2."""
    if isinstance(header, dict) and isinstance(format_name := header.get("format"), str):
        maker, _, what = format_name.partition(" ")
        version = header.get(f"{maker}_version")
        if what == "model" and maker.isidentifier() and isinstance(version, str):
            return f"made by {maker[:40]} {version[:40]}; train it again"
    return f"this is not a model file of lawful: {HEADER} does not say so"


def _model(
    header: dict[str, Any], archive: zipfile.ZipFile, path: object, archive_bytes: bytes | None
) -> SavedModel:
    kind, written, meta, sums = (header.get(key) for key in ("kind", "lawful_version", "meta", "checksums"))
    if not isinstance(kind, str) or not isinstance(written, str) or not isinstance(meta, dict):
        raise DamagedFileError(path, f"{HEADER} lacks the model's kind, version or parameters")
    members = archive.namelist()[1:]
    if not isinstance(sums, dict) or sorted(sums) != sorted(members):
        raise DamagedFileError(path, f"the members are not those that {HEADER} lists")
    return SavedModel(
        kind, meta, Members(archive, sums, path, archive_bytes), written, header["format_version"]
    )
