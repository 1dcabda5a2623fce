from __future__ import annotations

import numpy as np
import pytest

from lawful.errors import DtypeError, InputError, ShapeError
from lawful.models.features import AttributeSequences

GOOD = {
    "sequence_offsets": [0, 2, 2, 3],
    "item_offsets": [0, 2, 3, 4],
    "attributes": [0, 1, 1, 2],
    "values": [1.0, 2.0, 0.5, 1.0],
    "size": 3,
}


def test_arrays_are_typed_and_cannot_be_written_to() -> None:
    mine = np.array([0, 1, 1, 2], dtype=np.int32)
    sequences = AttributeSequences(**{**GOOD, "attributes": mine})
    mine[0] = 2
    assert sequences.attributes.tolist() == [0, 1, 1, 2]
    assert [sequences.sequence_offsets.dtype, sequences.attributes.dtype] == [np.int64, np.int32]
    with pytest.raises(ValueError, match="read-only"):
        sequences.attributes[0] = 1


def test_sequences_are_taken_with_all_they_have() -> None:
    some = AttributeSequences(**GOOD).take([2, 0, 1])
    assert some.lengths.tolist() == [1, 2, 0]
    assert some.attributes.tolist() == [2, 0, 1, 1]
    assert some.values is not None
    assert some.values.tolist() == [1.0, 1.0, 2.0, 0.5]
    assert len(AttributeSequences(**GOOD).take([])) == 0


@pytest.mark.parametrize(
    ("field", "value", "error", "message"),
    [
        ("sequence_offsets", [0, 2], InputError, "must go from 0 to the number of positions, 3"),
        ("sequence_offsets", [], ShapeError, "sequence_offsets"),
        ("sequence_offsets", [0, 2, 1, 3], InputError, "must not fall, but 2 is followed by 1 at 2"),
        ("item_offsets", [0, 2, 3, 5], InputError, "the length of attributes, 4"),
        ("item_offsets", [[0, 2, 3, 4]], ShapeError, "item_offsets"),
        ("attributes", [0, 1, 1, 3], InputError, r"attributes\[3\] is 3: with size=3"),
        ("attributes", [0, 1, -1, 2], InputError, r"attributes\[2\] is -1"),
        ("attributes", [0, 1, 1, 2**40], DtypeError, "integers from"),
        ("attributes", [0.0, 1.0, 1.0, 2.0], DtypeError, "integers"),
        ("values", [1.0], ShapeError, "values"),
        ("values", [1.0, np.nan, 1.0, 1.0], InputError, r"values\[1\] is nan"),
        ("values", ["a", "b", "c", "d"], DtypeError, "numbers"),
        ("size", -1, InputError, "size must be 0 or more"),
    ],
)
def test_what_does_not_fit_is_named(field: str, value: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        AttributeSequences(**{**GOOD, field: value})
