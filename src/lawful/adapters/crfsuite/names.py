"""The names in a CRFsuite model file: two constant databases (CQDB), of labels and of attributes.

A database holds records (number, length, name ending in a zero byte), hash tables from names to numbers, and a table
from numbers to records. We read the last one; a Python dictionary replaces the hash tables.
"""

from __future__ import annotations

import numpy as np

from lawful.adapters.crfsuite.checked_bytes import WORD, CheckedBytes

__all__ = ["read_names"]

HEADER = 24 + 256 * 8  # six words, then offset and size of each hash table
BYTE_ORDER_MARK = 0x62445371
RECORD_HEADER = 2 * WORD


def read_names(data: CheckedBytes, offset: int, count: int, kind: str) -> list[str]:
    """The names 0 to count - 1 of the database at an offset; bytes that are not UTF-8 become surrogates.

    Parameters
    ----------
    data : CheckedBytes
    offset, count : int
    kind : str
        What the names are, for errors.

    Examples
    --------
    >>> read_names(CheckedBytes(b"CQDB", "model"), 0, 1, "label")
    Traceback (most recent call last):
    lawful.errors.DamagedFileError: model: chunk CQDB should be at bytes 0 to 2072, but the file has 4 bytes
    """
    end = data.chunk(offset, b"CQDB", HEADER)
    if data.word(offset + 12, f"the byte order of the {kind}s") != BYTE_ORDER_MARK:
        raise data.damaged(
            f"the {kind}s were written in another byte order: convert the model where it was made"
        )
    if not count:
        return []
    table = data.word(offset + 20, f"the table of {kind}s")
    if table < HEADER or offset + table + WORD * count > end:
        raise data.damaged(f"the table of {count} {kind}s does not fit into its chunk")
    offsets = data.row(offset + table, count, f"the table of {kind}s")
    if offsets.min() < HEADER or offsets.max() + RECORD_HEADER >= end - offset:
        wrong = int(np.flatnonzero((offsets < HEADER) | (offsets + RECORD_HEADER >= end - offset))[0])
        raise data.damaged(f"{kind} {wrong} has no record in its chunk")
    records = offsets + offset
    numbers = data.words_at(records, f"the number of a {kind}")
    sizes = data.words_at(records + WORD, f"the length of a {kind}")
    starts = records + RECORD_HEADER
    ends = starts + sizes - 1  # the zero byte counts
    wrong_ones = (numbers != np.arange(count)) | (sizes < 1) | (ends >= end)
    if wrong_ones.any():
        raise data.damaged(
            f"the record of {kind} {int(np.flatnonzero(wrong_ones)[0])} is not its own, or too long"
        )
    if data.bytes_at(ends, f"the end of a {kind}").any():
        raise data.damaged(f"a {kind} does not end where its record says")
    raw = data.data
    names = [
        raw[a:b].decode("utf-8", "surrogateescape")
        for a, b in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
    if len(set(names)) != count or any("\0" in name for name in names):
        raise data.damaged(f"two {kind}s have the same name, or a name has a zero byte inside")
    return names
