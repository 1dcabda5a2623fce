"""Model files that are in memory as a whole: their arrays stand where their bytes stand."""

from __future__ import annotations

import numpy as np
import pytest

from lawful.errors import DamagedFileError
from lawful.models.saving.layout import COMMENT_LENGTH, comment_for
from lawful.models.saving.reading import parse_model
from lawful.models.saving.writing import model_bytes

ARRAYS = {
    "text": np.arange(9, dtype=np.uint8),
    "weights": np.array([[0.1, -np.inf], [5e-324, 1e308]]),
    "ids": np.arange(4, dtype=np.int32),
    "none": np.zeros((0, 3), dtype=np.float32),
}


def test_bytes_in_memory_are_not_copied_but_arrays_are_aligned() -> None:
    data = model_bytes("tiny", {}, ARRAYS)
    found = parse_model(data).arrays
    assert {name: array.tolist() for name, array in found.items()} == {
        name: array.tolist() for name, array in ARRAYS.items()
    }
    assert np.shares_memory(found["text"], np.frombuffer(data, dtype=np.uint8))
    for name, array in found.items():
        assert array.flags.aligned and not array.flags.writeable, name


def test_a_member_that_is_not_where_the_list_says_is_told() -> None:
    listed = model_bytes("tiny", {}, {"w": np.array([1.0, 2.0])})[:-COMMENT_LENGTH]
    place = listed.rindex(
        b"arrays/w.npy", 0, listed.rindex(b"arrays/w.npy")
    )  # before the data; the last is the list's
    moved = listed[:place] + b"arrays/v" + listed[place + 8 :]
    with pytest.raises(DamagedFileError, match="not where the list of contents says"):
        parse_model(moved + comment_for(moved))
