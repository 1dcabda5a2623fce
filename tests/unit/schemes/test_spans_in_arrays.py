"""Spans of many sequences at once are those of each."""

from __future__ import annotations

import numpy as np
import pytest

from lawful.errors import InputError
from lawful.schemes import find_spans
from lawful.schemes.spans_in_arrays import find_spans_of_all

TAGS = ["O", *(f"{tag}-{kind}" for tag in "BIES" for kind in "XY")]
FLAT = ["O", "X", "Y", "none"]
READINGS = [
    (TAGS, "IOB2", False),
    (TAGS, "IOBES", False),
    (["O", "I-X", "B-X", "I", "B", "L-X", "U-Y"], "IOB1", False),
    (TAGS, "IOBES", True),
    (["O", "B-X", "I-X", "B-Y"], "IOB2", True),
    (["O", "I-X", "I-Y"], "IO", False),
    (FLAT, "flat", False),
]


@pytest.mark.parametrize(("names", "scheme", "strict"), READINGS)
@pytest.mark.parametrize("outside", ["O", ("O", "none"), ()])
def test_they_are_those_of_each_sequence(
    names: list[str], scheme: str, strict: bool, outside: str | tuple[str, ...]
) -> None:
    rng = np.random.default_rng(len(names))
    found_some = 0
    for _ in range(60):
        lengths = rng.integers(0, 7, size=rng.integers(0, 6))
        labels = rng.integers(len(names), size=lengths.sum())
        found = find_spans_of_all(labels, names, lengths, scheme, strict=strict, outside=outside)
        wanted, first = [], 0
        for length in lengths.tolist():
            of_sequence = [names[label] for label in labels[first : first + length]]
            for span in find_spans(of_sequence, scheme, strict=strict, outside=outside):
                wanted.append((span.type, first + span.start, first + span.end))
            first += length
        types = [found.types[place] for place in found.type]
        assert list(zip(types, found.start.tolist(), found.end.tolist(), strict=True)) == wanted
        found_some += len(wanted)
    assert found_some > 50


@pytest.mark.parametrize(("names", "scheme"), [(["author"], "IOB2"), (["B-X"], "BIOX")])
def test_what_cannot_be_read_is_refused(names: list[str], scheme: str) -> None:
    with pytest.raises(InputError, match=r"is not a tag of a chunk scheme|unknown scheme"):
        find_spans_of_all(np.array([0]), names, np.array([1]), scheme)
