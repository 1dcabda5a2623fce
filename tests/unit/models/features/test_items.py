from __future__ import annotations

from typing import Any

import numpy as np
import pycrfsuite
import pytest
from hypothesis import given, strategies as st

from lawful.errors import FeatureError, InputError
from lawful.models.features import AttributeIndex, extract_attributes, fit_attributes

NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=4)
LEAVES = st.one_of(st.booleans(), st.integers(-9, 9), st.floats(-2, 2), NAMES)
ITEMS = st.recursive(
    st.lists(NAMES, max_size=4) | st.dictionaries(NAMES, LEAVES, max_size=4) | st.sets(NAMES, max_size=3),
    lambda inner: st.dictionaries(NAMES, inner | LEAVES, max_size=3),
    max_leaves=6,
)


def ours(item: Any) -> dict[str, float]:
    sequences, index = fit_attributes([[item]])
    values = np.ones(len(sequences.attributes)) if sequences.values is None else sequences.values
    return {index[i]: float(v) for i, v in zip(sequences.attributes, values, strict=True)}


@given(ITEMS)
def test_items_mean_what_they_mean_to_python_crfsuite(item: Any) -> None:
    assert ours(item) == pycrfsuite.ItemSequence([item]).items()[0]


@given(st.lists(st.lists(ITEMS, max_size=3), max_size=4))
def test_extracting_again_gives_the_same(X: list[list[Any]]) -> None:
    fitted, index = fit_attributes(X)
    again = extract_attributes(X, index)
    assert fitted.sequence_offsets.tolist() == again.sequence_offsets.tolist()
    assert fitted.item_offsets.tolist() == again.item_offsets.tolist()
    assert fitted.attributes.tolist() == again.attributes.tolist()
    assert (fitted.values is None) == (again.values is None)
    if fitted.values is not None:
        assert fitted.values.tolist() == again.values.tolist()


def test_bytes_numpy_numbers_and_tuples_are_welcome() -> None:
    item = {b"k": np.float32(1.5), "t": ("x", b"y"), "b": np.bool_(True), "n": frozenset(["z"])}
    assert ours(item) == {"k": 1.5, "t:x": 1.0, "t:y": 1.0, "b": 1.0, "n:z": 1.0}


def test_any_character_is_kept() -> None:
    odd = ["a\0b", "a\nb", "😀", "\ud800"]
    assert fit_attributes([[odd]])[1].strings() == odd


def test_a_name_twice_counts_twice() -> None:
    assert fit_attributes([[["a", "a"]]])[0].attributes.tolist() == [0, 0]


def test_rare_attributes_are_cut_off() -> None:
    X = [[["a", "b"], {"c": 2.0, "a": 1}], [["b"], []], []]
    sequences, index = fit_attributes(X, min_count=2)
    assert index.strings() == ["a", "b"]
    assert sequences.attributes.tolist() == [0, 1, 0, 1]
    assert sequences.item_offsets.tolist() == [0, 2, 3, 4, 4]
    assert sequences.sequence_offsets.tolist() == [0, 2, 4, 4]
    assert sequences.size == 2
    with pytest.raises(FeatureError, match="min_count"):
        fit_attributes(X, min_count=0)


def test_values_appear_when_one_is_not_1() -> None:
    assert fit_attributes([[["a"], {"b": True}]])[0].values is None
    values = fit_attributes([[["a"], {"b": 0.5}, ["a"]]])[0].values
    assert values is not None
    assert values.tolist() == [1.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (
            [[["a"]], [["a"], "the"]],
            "sequence 2, position 1: expected a list of attribute names.*'the'.*features=",
        ),
        ([[3]], "sequence 1, position 0: expected a list.*got 3"),
        ([[["a", 1]]], "an attribute's name must be a string, got 1"),
        ([[{1: 1}]], "an attribute's name must be a string, got 1"),
        ([[{"x": {"y": None}}]], "attribute 'x:y' has the value None: expected a number"),
        ([[{"x": float("nan")}]], "attribute 'x' has the value nan: expected a finite number"),
        ([[{"x": [1]}]], "an attribute's name must be a string, got 1"),
        ([[{"x": b"\xff"}]], "is not UTF-8"),
        ([[{1, "a"}]], "names of a set must be strings"),
        ([5], "sequence 1: expected a list of items"),
    ],
)
def test_what_cannot_be_read_is_named(X: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fit_attributes(X)
    with pytest.raises(InputError, match=message):
        extract_attributes(X, AttributeIndex(["a"]))


def test_endless_nesting_is_refused() -> None:
    item: dict[str, Any] = {}
    item["x"] = item
    with pytest.raises(InputError, match="nested more than 32 deep"):
        fit_attributes([[item]])
