from __future__ import annotations

import copy

import numpy as np
import pytest

from lawful.errors import FeatureError
from lawful.models.features import AttributeIndex, Features, at, bias, column, join, window, word

ODD = ["", "a", "a\0b", "ü", "日本", "😀", "\ud800", "x" * 1000, "a\n", "ab", "abcdefgh", "abcdefghi"]


def test_ids_and_strings_belong_together() -> None:
    index = AttributeIndex(ODD)
    assert index.strings() == list(index) == ODD
    assert [index.find(text) for text in ODD] == list(range(len(ODD)))
    assert [index[i] for i in range(len(ODD))] == ODD
    assert ("nope" in index, "ü" in index, 3 in index) == (False, True, False)
    with pytest.raises(IndexError):
        index[len(ODD)]


def test_many_strings_keep_their_ids() -> None:
    strings = [f"w[{i % 7}]={i}" for i in range(50_000)]
    index = AttributeIndex(strings)
    assert [index.find(text) for text in strings] == list(range(50_000))
    assert index.find("w[0]=50000") == -1


def test_arrays_hold_everything() -> None:
    index = AttributeIndex(ODD)
    arrays = index.arrays()
    assert AttributeIndex.from_arrays(**arrays) == index != AttributeIndex(ODD[1:])
    assert copy.deepcopy(index) == index
    assert not arrays["bytes"].flags.writeable
    assert AttributeIndex.from_arrays(**AttributeIndex().arrays()) == AttributeIndex()


@pytest.mark.parametrize(
    ("text", "offsets", "message"),
    [
        (b"ab", [0, 1], "end at the number of bytes"),
        (b"ab", [], "start at 0"),
        (b"ab", [0, 2, 1, 2], "must not fall"),
        (b"aa", [0, 1, 2], "string 1 stands there twice"),
        (b"\xff\xfe", [0, 1, 2], "utf-8"),
        (b"ab", [0.0, 2.0], "got uint8 .* and float64"),
    ],
)
def test_damaged_arrays_are_refused(text: bytes, offsets: list[float], message: str) -> None:
    with pytest.raises(FeatureError, match=message):
        AttributeIndex.from_arrays(
            np.frombuffer(text, dtype=np.uint8), np.array(offsets or np.zeros(0, np.int64))
        )


def test_strings_must_differ() -> None:
    with pytest.raises(FeatureError, match="string 2 stands there twice"):
        AttributeIndex(["a", "b", "a"])
    with pytest.raises(FeatureError, match="string 0 is no string"):
        AttributeIndex([1])  # type: ignore[list-item]


def test_a_mask_keeps_the_order() -> None:
    assert AttributeIndex(["a", "b", "c"]).keep(np.array([False, True, True])).strings() == ["b", "c"]
    with pytest.raises(FeatureError, match=r"shape \(3,\)"):
        AttributeIndex(["a", "b", "c"]).keep([True])


CHUNKING = Features(
    bias(), window(word(), -1, 1), join(at(-1, word()), word()), join(word(), column(1), at(1, word()))
)
SENTENCES = [
    [("a|b", "X"), ("=", "Y"), ("\\", "X")],
    [("a", "X"), ("ü", "Y")],
    [("a", "X"), ("|", "|"), ("\ud800", "")],
]


def test_an_index_of_templates_needs_no_strings() -> None:
    sequences, index = CHUNKING.fit(SENTENCES)
    assert index is not None
    compiled = AttributeIndex.from_arrays(**index.arrays(), program=CHUNKING.program)
    assert compiled._table is None  # otherwise this test would test nothing
    assert len(compiled) == len(index)
    assert [compiled[i] for i in range(len(index))] == compiled.strings() == index.strings()
    assert [compiled.find(text) for text in index.strings()] == list(range(len(index)))
    assert [
        compiled.find(text) for text in ("", "word", "word=", "word=z", "word=a|b", "nope=a", "bias=yes|")
    ] == [-1] * 7
    assert compiled == index == copy.deepcopy(compiled)
    assert hash(compiled) == hash(index)
    assert CHUNKING.extract(SENTENCES, compiled).attributes.tolist() == sequences.attributes.tolist()
    with pytest.raises(IndexError):
        compiled[len(index)]
    with pytest.raises(IndexError):
        compiled[-1]


def test_another_programs_templates_do_not_lose_the_names() -> None:
    _, index = CHUNKING.fit(SENTENCES)
    assert index is not None
    compiled = AttributeIndex.from_arrays(**index.arrays(), program=CHUNKING.program)
    other = Features(word())
    assert other.extract([["a", "nope"]], compiled).attributes.tolist() == [index.find("word=a")]
    assert compiled.strings() == index.strings()


def test_strings_that_no_template_makes_are_kept() -> None:
    arrays = AttributeIndex(["word=a", "mine=1"]).arrays()
    index = AttributeIndex.from_arrays(**arrays, program=Features(word()).program)
    assert index.strings() == ["word=a", "mine=1"]
    assert index.find("mine=1") == 1


def test_damaged_arrays_are_refused_with_templates_too() -> None:
    program = Features(word()).program
    for text, offsets, message in (
        (b"word=aword=a", [0, 6, 12], "string 1 stands there twice"),
        (b"word=\xff", [0, 6], "utf-8"),
        (b"word=a", [0, 9, 6], "must not fall"),
        (b"word=a", [0, 5], "end at the number of bytes"),
    ):
        with pytest.raises(FeatureError, match=message):
            AttributeIndex.from_arrays(
                np.frombuffer(text, dtype=np.uint8), np.array(offsets), program=program
            )
