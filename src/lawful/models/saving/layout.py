"""What a model file looks like.

A zip archive without compression, so that the same model gives the same bytes everywhere and nothing can expand
to more than the size of the file. Its members are

- `model.json`, the first: format, format version, kind, lawful's version, the model's names and parameters
  ("meta"), and the SHA-256 of every other member;
- `arrays/NAME.npy`: one per numeric array, little-endian, in C order.

The archive's comment is `lawful-sha256:` and the SHA-256 of everything before the text of the comment, so that any
changed byte is noticed before anything is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy.typing as npt

__all__ = [
    "COMMENT_LENGTH",
    "FORMAT",
    "FORMAT_VERSION",
    "HEADER",
    "KINDS_OF_NUMBERS",
    "LARGEST_FILE",
    "MOST_ARRAYS",
    "SavedModel",
    "comment_for",
    "is_array_name",
    "member_of",
    "seal_of",
]

FORMAT = "lawful model"
FORMAT_VERSION = 1
HEADER = "model.json"
COMMENT_LENGTH = len("lawful-sha256:") + 64
LARGEST_FILE = 8 * 2**30
MOST_ARRAYS = 1000
KINDS_OF_NUMBERS = "biuf"  # numpy's letters: bool, signed, unsigned, float

_ARRAY_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


@dataclass(frozen=True)
class SavedModel:
    """What a model file holds.

    Attributes
    ----------
    kind : str
        Which kind of model.
    meta : mapping
        Its names and parameters, in JSON types.
    arrays : mapping of str to array
        Its numbers; read-only.
    lawful_version : str
        The version that wrote it.
    format_version : int

    Examples
    --------
    >>> import numpy as np
    >>> SavedModel("hmm", {"labels": ["A"]}, {"start": np.zeros(1)}).kind
    'hmm'
    """

    kind: str
    meta: Mapping[str, Any]
    arrays: Mapping[str, npt.NDArray[Any]]
    lawful_version: str = ""
    format_version: int = FORMAT_VERSION


def comment_for(everything_before: bytes | memoryview) -> bytes:
    """The archive's comment, for the bytes before it.

    Examples
    --------
    >>> comment_for(b"")[:20], len(comment_for(b"")) == COMMENT_LENGTH
    (b'lawful-sha256:e3b0c4', True)
    """
    return seal_of(sha256(everything_before).hexdigest())


def seal_of(digest: str) -> bytes:
    """The archive's comment, for the SHA-256 of the bytes before it.

    Examples
    --------
    >>> seal_of("00")
    b'lawful-sha256:00'
    """
    return f"lawful-sha256:{digest}".encode("ascii")


def is_array_name(name: object) -> bool:
    """Whether an array may have that name: letters, digits, `_`, `-` and `.`, at most 100.

    Examples
    --------
    >>> is_array_name("emissions.0"), is_array_name("../../etc/passwd")
    (True, False)
    """
    return isinstance(name, str) and _ARRAY_NAME.fullmatch(name) is not None


def member_of(name: str) -> str:
    """Where the archive keeps an array.

    Examples
    --------
    >>> member_of("start")
    'arrays/start.npy'
    """
    return f"arrays/{name}.npy"
