from __future__ import annotations

import tomllib
from typing import Any

import pytest

from lawful import features as f
from lawful.errors import FeatureError

FILE = """
templates = [
    "word",
    { shape = { short = true } },
    { prefix = [1, 3] },
    { suffix = 2 },
    { column = "pos" },
    { window = { template = { lower = { of = "lemma" } }, first = -1, last = 1, pad = true } },
    { join = ["folded", { at = [-1, { column = "pos" }] }] },
    { kinds = ["is_roman", "has_digit"] },
    { kinds = { names = ["is_dna"], both = true } },
    { in_list = { name = "cities", words = ["Rome", "Bonn"], lower = true } },
    { matches = ["year", "[0-9]{4}"] },
    { function = "mine" },
]
hash_bits = 18
signed = true
"""


def mine(tokens: Any, position: int) -> None:
    """A function of the user's."""


def test_a_file_is_read_as_people_write_it() -> None:
    features = f.Features.from_dict(tomllib.loads(FILE), functions={"mine": mine})
    assert features == f.Features(
        f.word(),
        f.shape(short=True),
        f.prefix(1, 3),
        f.suffix(2),
        f.column("pos"),
        f.window(f.lower(of="lemma"), -1, 1, pad=True),
        f.join(f.folded(), f.at(-1, f.column("pos"))),
        f.kinds("is_roman", "has_digit"),
        f.kinds("is_dna", both=True),
        f.in_list("cities", ["Bonn", "Rome"], lower=True),
        f.matches("year", "[0-9]{4}"),
        f.function("mine", mine),
        hash_bits=18,
        signed=True,
    )
    assert f.Features.from_json(features.to_json(), functions={"mine": mine}) == features


@pytest.mark.parametrize(
    ("templates", "key", "message"),
    [
        (["wrod"], "templates[0].wrod", "there is no template 'wrod'; did you mean 'word'?"),
        ([{"word": {"off": 1}}], "templates[0].word.off", "word has no argument 'off'; it has of"),
        (
            ["word", {"prefix": [3, 1]}],
            "templates[1].prefix.longest",
            "longest must be a whole number from 3",
        ),
        ([{"prefix": [1, 2, 3]}], "templates[0].prefix", "takes 2 arguments in a list"),
        (["prefix"], "templates[0].prefix", "prefix takes (shortest: int, longest: int"),
        ([{"at": [1, {"wrod": 1}]}], "templates[0].at[1].wrod", "no template 'wrod'"),
        (
            [{"join": ["word", {"window": {"template": "lower", "first": 1}}]}],
            "templates[0].join[1].window",
            "window takes",
        ),
        ([{"join": "word"}], "templates[0].join.templates", "two templates or more"),
        ([{"kinds": {"names": "is_dna"}}], "templates[0].kinds.names", "expected a list"),
        ([{"function": "mine"}], "templates[0].function", "pass functions={'mine': ...}"),
        ([3], "templates[0]", "expected a template"),
        ([{"word": {}, "lower": {}}], "templates[0]", "a table with one entry"),
        ("word", "templates", "must be a list of templates"),
        (None, "templates", "must be a list of templates"),
        ([{"in_list": {"name": "x", "words": [1]}}], "templates[0].in_list.words", "words must be strings"),
        ([{"in_list": {"name": "x", "words": 3}}], "templates[0].in_list", "in_list takes"),
    ],
)
def test_the_wrong_entry_is_named(templates: Any, key: str, message: str) -> None:
    with pytest.raises(FeatureError) as caught:
        f.Features.from_dict({"templates": templates})
    assert caught.value.key == key
    assert message in str(caught.value)


def test_other_entries_are_refused() -> None:
    with pytest.raises(FeatureError, match="unknown entry 'template'"):
        f.Features.from_dict({"template": []})
    with pytest.raises(FeatureError, match="hash_bits must be"):
        f.Features.from_dict({"templates": ["word"], "hash_bits": "many"})
    with pytest.raises(FeatureError, match="not JSON"):
        f.Features.from_json("{")
    with pytest.raises(FeatureError, match="must be a table"):
        f.Features.from_json("[]")


def test_endless_nesting_is_refused() -> None:
    data: Any = "word"
    for _ in range(40):
        data = {"at": [0, data]}
    with pytest.raises(FeatureError, match="nested more than 32 deep"):
        f.Features.from_dict({"templates": [data]})
