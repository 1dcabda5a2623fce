"""Reading model files: nothing is used before everything has been checked."""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from math import prod
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from bylaw.errors import (
    DamagedFileError,
    ForeignFileError,
    ModelFileError,
    NewerFormatError,
    TruncatedFileError,
)
from bylaw.models.saving.layout import (
    COMMENT_LENGTH,
    FORMAT,
    FORMAT_VERSION,
    HEADER,
    LARGEST_FILE,
    MOST_ARRAYS,
    SavedModel,
    comment_for,
    is_array_name,
    member_of,
)

__all__ = ["parse_model", "read_model"]

_ZIP_MEMBER, _ZIP_END = b"PK\x03\x04", b"PK\x05\x06"
_ZIP_END_LENGTH = 22
# The header of a .npy file as numpy writes it: read by a pattern, not as Python's source.
_NPY_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00(?P<length>[\s\S]{2})\{'descr': '(?P<dtype>\|[bu]1|\|i1|<[iu][248]|<f[248])', "
    rb"'fortran_order': False, 'shape': \((?P<shape>(?:\d{1,18}, )*(?:\d{1,18},?)?)\), \} {0,64}\n"
)


def read_model(path: str | os.PathLike[str], *, max_bytes: int = LARGEST_FILE) -> SavedModel:
    """Read a model file; every bit is checked before anything is used.

    Parameters
    ----------
    path : path
    max_bytes : int
        Larger files are refused unread. Nothing is compressed, so reading takes about the file's size.

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
    bylaw.errors.ForeignFileError: notes.txt: this is not a model file of bylaw
    """
    with Path(path).open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        # `read` takes the memory that it is asked for at once, so ask for no more than there is.
        data = file.read(size + 1) if size <= max_bytes else b""
    if max(size, len(data)) > max_bytes:
        raise ModelFileError(
            path, f"larger than max_bytes={max_bytes}: raise the limit if you trust the file"
        )
    return parse_model(data, path)


def parse_model(data: bytes, path: str | os.PathLike[str] = "model") -> SavedModel:
    """What the bytes of a model file say; `path` is for the errors."""
    if data[: len(_ZIP_MEMBER)] != _ZIP_MEMBER[: len(data)]:
        raise ForeignFileError(path, "this is not a model file of bylaw")
    sealed = _is_sealed(data, path)
    archive = _open(data, path)
    if archive.namelist()[:1] != [HEADER]:
        raise ForeignFileError(
            path, f"a zip archive, but not a model file of bylaw: {HEADER} is not its first member"
        )
    header = _header(_member(archive, HEADER, path), path)
    if not sealed:  # a later format may seal its files in another way; this one does not
        raise DamagedFileError(path, "its checksum is missing")
    return _model(header, archive, path)


def _is_sealed(data: bytes, path: object) -> bool:
    """Whether the file ends with a checksum, and it is the right one."""
    comment = data[-COMMENT_LENGTH:]
    end = data[-COMMENT_LENGTH - _ZIP_END_LENGTH :][: len(_ZIP_END)]
    if end != _ZIP_END or not comment.startswith(b"bylaw-sha256:"):
        return False
    if comment != comment_for(memoryview(data)[:-COMMENT_LENGTH]):
        raise DamagedFileError(path, "its checksum does not fit its contents: copy or download it again")
    return True


def _is_cut(data: bytes) -> bool:
    """Whether a zip archive lacks the end of its last record."""
    place = data.rfind(_ZIP_END, -_ZIP_END_LENGTH - 0xFFFF)
    promised = int.from_bytes(data[place + 20 : place + 22], "little")
    return place < 0 or len(data) < place + _ZIP_END_LENGTH + promised


def _open(data: bytes, path: object) -> zipfile.ZipFile:
    if _is_cut(data):
        raise TruncatedFileError(path, "its end is missing: copy or download it again")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError) as error:
        raise DamagedFileError(path, f"its list of contents cannot be read ({error})") from None
    names = archive.namelist()
    if len(names) > MOST_ARRAYS + 1 or len(set(names)) != len(names):
        raise DamagedFileError(path, f"{len(names)} members, or two with one name")
    return archive


def _member(archive: zipfile.ZipFile, name: str, path: object) -> bytes:
    info = archive.getinfo(name)
    if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & 1 or info.file_size != info.compress_size:
        raise DamagedFileError(path, f"{name} is compressed or encrypted, which no model file of bylaw is")
    try:
        return archive.read(info)
    except (zipfile.BadZipFile, ValueError, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise DamagedFileError(path, f"{name} cannot be read ({error})") from None


def _header(data: bytes, path: object) -> dict[str, Any]:
    try:
        header = json.loads(data)
    except (ValueError, RecursionError):
        raise DamagedFileError(path, f"{HEADER} is not JSON") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ForeignFileError(path, f"this is not a model file of bylaw: {HEADER} does not say so")
    version = header.get("format_version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise DamagedFileError(path, f"its format version is {version!r}")
    if version > FORMAT_VERSION:
        raise NewerFormatError(path, version, FORMAT_VERSION)
    return header


def _model(header: dict[str, Any], archive: zipfile.ZipFile, path: object) -> SavedModel:
    kind, written, meta, sums = (header.get(key) for key in ("kind", "bylaw_version", "meta", "checksums"))
    if not isinstance(kind, str) or not isinstance(written, str) or not isinstance(meta, dict):
        raise DamagedFileError(path, f"{HEADER} lacks the model's kind, version or parameters")
    members = archive.namelist()[1:]
    if not isinstance(sums, dict) or sorted(sums) != sorted(members):
        raise DamagedFileError(path, f"the members are not those that {HEADER} lists")
    arrays = {}
    for member in members:
        data = _member(archive, member, path)
        if sha256(data).hexdigest() != sums[member]:
            raise DamagedFileError(path, f"the checksum of {member} does not fit it")
        name = member.removeprefix("arrays/").removesuffix(".npy")
        if not is_array_name(name) or member_of(name) != member:
            raise DamagedFileError(path, f"no model file of bylaw has a member {member!r}")
        arrays[name] = _array(data, member, path)
    frozen: Mapping[str, npt.NDArray[Any]] = MappingProxyType(arrays)
    return SavedModel(kind, meta, frozen, written, header["format_version"])


def _array(data: bytes, member: str, path: object) -> npt.NDArray[Any]:
    """The array of a .npy file, over the file's own bytes: what its header claims allocates nothing."""
    found = _NPY_HEADER.match(data)
    if found is None:
        raise DamagedFileError(path, f"{member} does not begin as an array of numbers does")
    dtype = np.dtype(found["dtype"].decode("ascii"))
    shape = tuple(int(size) for size in found["shape"].split(b",") if size.strip())
    held = len(data) - found.end()
    if found.end() != 10 + int.from_bytes(found["length"], "little") or prod(shape) * dtype.itemsize != held:
        raise DamagedFileError(
            path, f"{member} claims {dtype} numbers of shape {shape}, but holds {held} bytes"
        )
    try:
        flat = np.frombuffer(data, dtype=dtype, offset=found.end()) if held else np.zeros(0, dtype=dtype)
        array = flat.reshape(shape)
    except ValueError:  # an empty array with more, or larger, dimensions than numpy has
        raise DamagedFileError(path, f"{member} claims the shape {shape}") from None
    array.setflags(write=False)
    return array
