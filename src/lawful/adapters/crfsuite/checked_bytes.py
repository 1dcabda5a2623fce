"""The bytes of a CRFsuite model file, with every offset and length checked before it is followed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lawful.errors import DamagedFileError

__all__ = ["CheckedBytes", "Integers"]

Integers = npt.NDArray[np.int64]

WORD = 4  # bytes of the little-endian unsigned integers that the format is made of


class CheckedBytes:
    """Little-endian words of a file; reading past its end raises `DamagedFileError`.

    Parameters
    ----------
    data : bytes
    path : object
        The name of the file in errors.

    Examples
    --------
    >>> data = CheckedBytes(b"abcd" + bytes([2, 1, 0, 0]), "model")
    >>> data.word(4, "a number")
    258
    >>> data.word(6, "a number")
    Traceback (most recent call last):
    lawful.errors.DamagedFileError: model: a number should be at bytes 6 to 10, but the file has 8 bytes
    """

    def __init__(self, data: bytes, path: object) -> None:
        self.data, self.path = data, path
        self._bytes = np.frombuffer(data, dtype=np.uint8)
        self._aligned = np.frombuffer(data, dtype="<u4", count=len(data) // WORD)

    def __len__(self) -> int:
        return len(self.data)

    def damaged(self, problem: str) -> DamagedFileError:
        """The error for content that CRFsuite would not have written."""
        return DamagedFileError(self.path, problem)

    def require(self, offset: int, size: int, what: str) -> None:
        """Raise unless `size` bytes from `offset` lie inside the file."""
        if offset < 0 or size < 0 or offset + size > len(self.data):
            raise self.damaged(
                f"{what} should be at bytes {offset} to {offset + size}, but the file has {len(self.data)} bytes"
            )

    def word(self, offset: int, what: str) -> int:
        """The word at an offset."""
        self.require(offset, WORD, what)
        return int.from_bytes(self.data[offset : offset + WORD], "little")

    def row(self, offset: int, count: int, what: str) -> Integers:
        """`count` words that follow each other, as int64 (count,)."""
        self.require(offset, WORD * count, what)
        return np.frombuffer(self.data, dtype="<u4", count=count, offset=offset).astype(np.int64)

    def words_at(self, offsets: Integers, what: str) -> Integers:
        """The words at many offsets, as int64 (N,)."""
        if offsets.size:
            self.require(int(offsets.min()), WORD, what)
            self.require(int(offsets.max()), WORD, what)
        if not (offsets % WORD).any():
            return self._aligned[offsets // WORD].astype(np.int64)
        single = self._bytes[offsets[:, None] + np.arange(WORD)]
        return np.ascontiguousarray(single).view("<u4")[:, 0].astype(np.int64)

    def bytes_at(self, offsets: Integers, what: str) -> npt.NDArray[np.uint8]:
        """Single bytes at many offsets."""
        if offsets.size:
            self.require(int(offsets.min()), 1, what)
            self.require(int(offsets.max()), 1, what)
        return self._bytes[offsets]

    def chunk(self, offset: int, name: bytes, header: int) -> int:
        """The end of the chunk that starts at an offset: its name is checked, and that it fits into the file."""
        what = f"chunk {name.decode()}"
        self.require(offset, header, what)
        if self.data[offset : offset + WORD] != name:
            actual = self.data[offset : offset + WORD]
            raise self.damaged(f"{what} should start at byte {offset}, but {actual!r} is there")
        size = self.word(offset + WORD, what)
        if size < header:
            raise self.damaged(f"{what} claims to have {size} bytes; its header alone has {header}")
        self.require(offset, size, what)
        return offset + size
