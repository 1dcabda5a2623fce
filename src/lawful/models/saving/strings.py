"""Many strings as two arrays, for vocabularies too large for a JSON list."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lawful.errors import InputError

__all__ = ["pack_strings", "unpack_strings"]


def pack_strings(strings: Sequence[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """The UTF-8 bytes of all strings, and where each ends.

    Returns
    -------
    text : uint8 array (bytes,)
    ends : int64 array (number of strings,)

    Examples
    --------
    >>> text, ends = pack_strings(["a", "", "né"])
    >>> ends.tolist(), unpack_strings(text, ends)
    ([1, 1, 4], ['a', '', 'né'])
    """
    encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
    ends = np.cumsum([len(string) for string in encoded], dtype=np.int64)
    return np.frombuffer(b"".join(encoded), dtype=np.uint8), ends


def unpack_strings(text: npt.NDArray[np.uint8], ends: npt.NDArray[np.int64]) -> list[str]:
    """The strings that `pack_strings` packed. Arrays that do not fit together are refused.

    Examples
    --------
    >>> unpack_strings(np.array([97, 98], dtype=np.uint8), np.array([1, 2]))
    ['a', 'b']
    """
    whole = text.tobytes()
    stops = ends.tolist()
    fits = text.ndim == ends.ndim == 1 and text.dtype == np.uint8 and ends.dtype.kind in "iu"
    starts = [0, *stops]
    if not fits or starts[-1] != len(whole) or any(a > b for a, b in zip(starts, stops, strict=False)):
        raise InputError("the ends of packed strings do not fit their text")
    try:
        return [whole[a:b].decode("utf-8", "surrogatepass") for a, b in zip(starts[:-1], stops, strict=True)]
    except UnicodeDecodeError as error:
        raise InputError(f"packed strings are not UTF-8: {error}") from None
