"""The core makes exactly the attributes that the plain Python of `Features.items` makes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given, settings, strategies as st

from lawful.errors import FeatureError
from lawful.models import features as f
from lawful.models.features.reference import hash_attribute
from lawful.models.features.templates.character_kinds import KINDS

ODD = [
    "",
    "\0",
    "a|b",
    "\\",
    "\\start",
    "a=b",
    "[",
    "😀",
    "👩‍👩‍👧",
    "é",
    "e\u0301",
    "ß",
    "İ",
    "ΟΔΟΣ",
    "ǅ",
    "東京",
    "٣",
    "½",
    "\ud800",
]
ODD += [
    "XIV",
    "IIII",
    "MCMXCIV",
    "GATTACA",
    "GAUU",
    "3,141.5",
    "-2",
    "1.",
    "IL-2R",
    "McDonald",
    "U.S.",
    "A.",
    "–",
    " ",
    "\n",
    "ª",
]
TEXTS = st.sampled_from(ODD) | st.text(max_size=5) | st.text("abAB01-.|\\", max_size=6)
TOKENS = st.tuples(TEXTS, st.sampled_from(["NN", "DT", None, "", "|", 7, True, 0.5]))
SEQUENCES = st.lists(TOKENS, max_size=6)
OF = st.sampled_from([None, None, 1])


def answer(tokens: list[Any], position: int) -> Any:
    """A function of every kind of answer."""
    text = tokens[position][0]
    kinds = [
        None,
        True,
        False,
        text,
        [text, "x"],
        {text: 2.0, "y": text},
        {"z": {"a": [text, text]}},
        {text, "|"},
    ]
    return kinds[(len(text) + position) % len(kinds)]


LEAVES = st.one_of(
    st.builds(f.word, of=OF),
    st.builds(f.lower, of=OF),
    st.builds(f.folded, of=OF),
    st.builds(f.shape, short=st.booleans(), of=OF),
    st.builds(lambda a, b: f.prefix(a, a + b), st.integers(1, 3), st.integers(0, 2)),
    st.builds(lambda a, b: f.suffix(a, a + b), st.integers(1, 3), st.integers(0, 2)),
    st.builds(f.length, most=st.none() | st.just(3)),
    st.builds(
        lambda names, both: f.kinds(*names, both=both),
        st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=4, unique=True),
        st.booleans(),
    ),
    st.builds(lambda lower: f.in_list("a list", ["ab", "ß", "οδος", "XIV"], lower=lower), st.booleans()),
    st.builds(lambda both: f.matches("=regex|", r"[a-zé]+", both=both), st.booleans()),
    st.just(f.column(1, name="pos")),
    st.just(f.bias()),
    st.just(f.first()),
    st.just(f.last()),
    st.just(f.function("own", answer)),
)
TEMPLATES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(lambda o, t, pad: f.at(o, t, pad=pad), st.integers(-3, 3), inner, st.booleans()),
        st.builds(
            lambda t, a, b, pad: f.window(t, a, a + b, pad=pad),
            inner,
            st.integers(-2, 1),
            st.integers(0, 2),
            st.booleans(),
        ),
        st.builds(lambda ts: f.join(*ts), st.lists(inner, min_size=2, max_size=3)),
    ),
    max_leaves=4,
)


def collected(templates: list[f.Template], **options: Any) -> f.Features:
    """A collection of those templates that can stand beside each other, with a word so that there is always one."""
    found = f.Features(f.word(), **options)
    for template in templates:
        try:
            found = f.Features(*found.templates, template, **options)
        except FeatureError:
            continue
    return found


def expected(features: f.Features, X: list[list[Any]]) -> list[list[tuple[str, float]]]:
    return [items for tokens in X for items in features.items(tokens)]


def decoded(sequences: f.AttributeSequences, names: Any) -> list[list[tuple[Any, float]]]:
    values = [1.0] * len(sequences.attributes) if sequences.values is None else sequences.values.tolist()
    pairs = [(names[i], v) for i, v in zip(sequences.attributes.tolist(), values, strict=True)]
    bounds = sequences.item_offsets.tolist()
    return [pairs[a:b] for a, b in pairwise(bounds)]


@given(st.lists(TEMPLATES, max_size=4), st.lists(SEQUENCES, max_size=4))
@settings(max_examples=120)
def test_fitting_makes_the_attributes_of_the_reference(
    templates: list[f.Template], X: list[list[Any]]
) -> None:
    features = collected(templates)
    sequences, index = features.fit(X)
    assert index is not None
    wanted = expected(features, X)
    assert decoded(sequences, index.strings()) == wanted
    assert index.strings() == list(dict.fromkeys(name for items in wanted for name, _ in items))
    assert sequences.lengths.tolist() == [len(tokens) for tokens in X]


@given(
    st.lists(TEMPLATES, max_size=4),
    st.lists(SEQUENCES, max_size=3),
    st.lists(SEQUENCES, max_size=3),
    st.integers(1, 3),
)
@settings(max_examples=120)
def test_extraction_keeps_the_known_attributes_of_the_reference(
    templates: list[f.Template], X: list[list[Any]], Y: list[list[Any]], min_count: int
) -> None:
    features = collected(templates)
    fitted, index = features.fit(X, min_count=min_count)
    assert index is not None
    every = [name for items in expected(features, X) for name, _ in items]
    assert index.strings() == [name for name in dict.fromkeys(every) if every.count(name) >= min_count]
    assert decoded(fitted, index) == decoded(features.extract(X, index), index)
    known = [[(name, v) for name, v in items if name in index] for items in expected(features, Y)]
    again = f.AttributeIndex.from_arrays(**index.arrays())
    assert decoded(features.extract(Y, again), index) == known


@given(st.lists(TEMPLATES, max_size=4), st.lists(SEQUENCES, max_size=3), st.integers(1, 30), st.booleans())
def test_hashing_hashes_the_attributes_of_the_reference(
    templates: list[f.Template], X: list[list[Any]], bits: int, signed: bool
) -> None:
    features = collected(templates, hash_bits=bits, signed=signed)
    wanted = []
    for items in expected(features, X):
        hashed = [(hash_attribute(name, bits), v) for name, v in items]
        wanted.append([(h, v * (s if signed else 1)) for (h, s), v in hashed])
    assert decoded(features.extract(X), range(2**bits)) == wanted


@given(st.lists(TEMPLATES, max_size=5))
def test_collections_survive_json_and_printing(templates: list[f.Template]) -> None:
    features = collected(templates)
    again = f.Features.from_json(features.to_json(), functions={"own": answer})
    assert again == features
    assert hash(again) == hash(features)
    names = {name: getattr(f, name) for name in f.__all__} | {"answer": answer}
    assert eval(repr(features), names) == features  # noqa: S307
