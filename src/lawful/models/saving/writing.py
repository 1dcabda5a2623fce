"""Writing model files: the same bytes for the same model, and never half a file."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.errors import DtypeError, InputError
from lawful.models.saving.layout import (
    COMMENT_LENGTH,
    FORMAT,
    FORMAT_VERSION,
    HEADER,
    KINDS_OF_NUMBERS,
    MOST_ARRAYS,
    comment_for,
    is_array_name,
    member_of,
)
from lawful.support.files import written_aside

__all__ = ["model_bytes", "write_model"]

_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # a file's bytes must not depend on the clock


def write_model(
    path: str | os.PathLike[str], kind: str, meta: Mapping[str, Any], arrays: Mapping[str, npt.ArrayLike]
) -> None:
    """Write a model file. It is written under another name and then renamed, so that there is never half a file at `path`.

    Parameters
    ----------
    path : path
    kind : str
        The kind of model, by which its class is found.
    meta : mapping
        Names and parameters: strings, finite numbers, None, booleans, lists and mappings of them.
    arrays : mapping of str to array
        Numbers of any shape; they are restored bit by bit.

    Examples
    --------
    >>> from lawful.models.saving import read_model
    >>> write_model("tiny.lawful", "example", {"labels": ["A", "B"]}, {"start": [0.5, -0.25]})
    >>> read_model("tiny.lawful").arrays["start"]
    array([ 0.5 , -0.25])
    """
    data = model_bytes(kind, meta, arrays)
    with written_aside(path) as file:
        file.write(data)


def model_bytes(kind: str, meta: Mapping[str, Any], arrays: Mapping[str, npt.ArrayLike]) -> bytes:
    """The contents of a model file.

    Examples
    --------
    >>> model_bytes("example", {}, {}) == model_bytes("example", {}, {})
    True
    """
    if len(arrays) > MOST_ARRAYS:
        raise InputError(f"a model file holds at most {MOST_ARRAYS} arrays, got {len(arrays)}")
    members = {member_of(name): _npy(name, arrays[name]) for name in sorted(arrays)}
    header = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "kind": kind,
        "lawful_version": _own_version(),
        "checksums": {member: sha256(data).hexdigest() for member, data in members.items()},
        "meta": dict(meta),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for member, data in ({HEADER: _json(header)} | members).items():
            info = zipfile.ZipInfo(member, _LONG_AGO)
            info.create_system, info.external_attr = 3, 0o644 << 16  # the same on every system
            archive.writestr(info, data)
        archive.comment = b" " * COMMENT_LENGTH
    before = buffer.getbuffer()[:-COMMENT_LENGTH]
    return bytes(before) + comment_for(before)


def _own_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("lawful")
    except PackageNotFoundError:  # run from its sources
        return "unknown"


def _npy(name: str, values: npt.ArrayLike) -> bytes:
    if not is_array_name(name):
        raise InputError(
            f"an array of a model cannot be named {name!r}: take letters, digits, '_', '-' and '.'"
        )
    array = np.asarray(values)
    if array.dtype.kind not in KINDS_OF_NUMBERS or array.dtype.itemsize > 8:
        raise DtypeError(f"array {name!r} of a model", "numbers of at most 64 bits", f"dtype {array.dtype}")
    array = np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def _json(header: dict[str, Any]) -> bytes:
    try:
        return json.dumps(header, allow_nan=False, sort_keys=True, separators=(",", ":")).encode("ascii")
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(
            f"to be saved, a model's parameters must be data that JSON can hold: {error}"
        ) from None
