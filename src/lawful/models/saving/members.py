"""The arrays of an open model file, read one by one."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from hashlib import sha256
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.errors import DamagedFileError
from lawful.models.saving.layout import is_array_name, member_of

__all__ = ["Members", "find_member", "read_member"]

# The header of a .npy file as numpy writes it: read by a pattern, not as Python's source.
_NPY_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00(?P<length>[\s\S]{2})\{'descr': '(?P<dtype>\|[bu]1|\|i1|<[iu][248]|<f[248])', "
    rb"'fortran_order': False, 'shape': \((?P<shape>(?:\d{1,18}, )*(?:\d{1,18},?)?)\), \} {0,64}\n"
)
_CHUNK = 2**18
_LOCAL_HEADER = 30  # bytes before a member's name


class Members(Mapping[str, npt.NDArray[Any]]):
    """The arrays of an open archive by name: each is read and checked against its checksum when asked for.

    With `archive_bytes`, the whole archive is in memory and its seal was checked over these very bytes: checksums of
    members would add nothing, and arrays are views into them.
    """

    def __init__(
        self,
        archive: zipfile.ZipFile,
        sums: Mapping[str, object],
        path: object,
        archive_bytes: bytes | None = None,
    ) -> None:
        self._archive, self._sums, self._path, self._archive_bytes = archive, sums, path, archive_bytes
        self._names = {}
        for member in sums:
            name = member.removeprefix("arrays/").removesuffix(".npy")
            if not is_array_name(name) or member_of(name) != member:
                raise DamagedFileError(path, f"no model file of lawful has a member {member!r}")
            self._names[name] = member

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        member = self._names[name]
        if self._archive_bytes is not None:
            return _array(
                find_member(self._archive, self._archive_bytes, member, self._path), member, self._path
            )
        data = read_member(self._archive, member, self._path)
        if sha256(data.data).hexdigest() != self._sums[member]:
            raise DamagedFileError(self._path, f"the checksum of {member} does not fit it")
        return _array(data, member, self._path)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def read_member(archive: zipfile.ZipFile, name: str, path: object) -> npt.NDArray[np.uint8]:
    """The bytes of a member, in an array of exactly their size."""
    info = _checked_info(archive, name, path)
    data = np.empty(info.file_size, dtype=np.uint8)
    into = data.data
    try:
        with archive.open(info) as stream:
            filled = 0
            while chunk := stream.read(_CHUNK):
                into[filled : filled + len(chunk)] = chunk
                filled += len(chunk)
    except (zipfile.BadZipFile, ValueError, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise DamagedFileError(path, f"{name} cannot be read ({error})") from None
    if filled != len(data):
        raise DamagedFileError(path, f"{name} cannot be read (it ends after {filled} of {len(data)} bytes)")
    return data


def find_member(
    archive: zipfile.ZipFile, archive_bytes: bytes, name: str, path: object
) -> npt.NDArray[np.uint8]:
    """The bytes of a member as a view of those of the archive."""
    info = _checked_info(archive, name, path)
    head = archive_bytes[info.header_offset : info.header_offset + _LOCAL_HEADER]
    names, more = int.from_bytes(head[26:28], "little"), int.from_bytes(head[28:30], "little")
    start = info.header_offset + _LOCAL_HEADER
    member_name, data = archive_bytes[start : start + names], start + names + more
    if head[:4] != b"PK\x03\x04" or member_name != name.encode() or data + info.file_size > archive.start_dir:
        raise DamagedFileError(path, f"{name} cannot be read (it is not where the list of contents says)")
    return np.frombuffer(archive_bytes, dtype=np.uint8, count=info.file_size, offset=data)


def _checked_info(archive: zipfile.ZipFile, name: str, path: object) -> zipfile.ZipInfo:
    """The entry of a member, once its claimed size is known to fit into the file: before memory is allocated for it."""
    info = archive.getinfo(name)
    if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & 1 or info.file_size != info.compress_size:
        raise DamagedFileError(path, f"{name} is compressed or encrypted, which no model file of lawful is")
    if not 0 <= info.header_offset <= archive.start_dir - info.file_size:
        raise DamagedFileError(path, f"{name} claims {info.file_size} bytes, which the file does not have")
    return info


def _array(data: npt.NDArray[np.uint8], member: str, path: object) -> npt.NDArray[Any]:
    """The array of a .npy file, as a view of the file's bytes: what its header claims allocates nothing."""
    header = _NPY_HEADER.match(data.data)
    if header is None:
        raise DamagedFileError(path, f"{member} does not begin as an array of numbers does")
    dtype = np.dtype(header["dtype"].decode("ascii"))
    shape = tuple(int(size) for size in header["shape"].split(b",") if size.strip())
    size = len(data) - header.end()
    if (
        header.end() != 10 + int.from_bytes(header["length"], "little")
        or prod(shape) * dtype.itemsize != size
    ):
        raise DamagedFileError(
            path, f"{member} claims {dtype} numbers of shape {shape}, but holds {size} bytes"
        )
    try:
        flat = data[header.end() :].view(dtype) if size else np.zeros(0, dtype=dtype)
        array = (flat if flat.flags.aligned else flat.copy()).reshape(shape)
    except ValueError:  # an empty array with more, or larger, dimensions than numpy has
        raise DamagedFileError(path, f"{member} claims the shape {shape}") from None
    array.setflags(write=False)
    return array
