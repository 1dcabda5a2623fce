"""What goes between the server and its workers: a word, and the bytes of a request or of an answer."""

from __future__ import annotations

import asyncio
import struct
from typing import BinaryIO, NamedTuple

__all__ = ["Frame", "read_frame", "receive_frame"]

LENGTHS = struct.Struct("!HI")


class Frame(NamedTuple):
    """A word for the other side, and bytes that are passed on as they are.

    Examples
    --------
    >>> import io
    >>> read_frame(io.BytesIO(Frame("/decode", b"{}").to_bytes()))
    Frame(word='/decode', body=b'{}')
    """

    word: str
    body: bytes

    def to_bytes(self) -> bytes:
        """The frame as it is sent."""
        word = self.word.encode()
        return LENGTHS.pack(len(word), len(self.body)) + word + self.body


def read_frame(stream: BinaryIO) -> Frame | None:
    """The next frame of a stream; None at its end."""
    head = stream.read(LENGTHS.size)
    if len(head) < LENGTHS.size:
        return None
    word, body = LENGTHS.unpack(head)
    return Frame(stream.read(word).decode(), stream.read(body))


async def receive_frame(stream: asyncio.StreamReader) -> Frame:
    """The next frame of a stream; `IncompleteReadError` at its end."""
    word, body = LENGTHS.unpack(await stream.readexactly(LENGTHS.size))
    return Frame((await stream.readexactly(word)).decode(), await stream.readexactly(body))
