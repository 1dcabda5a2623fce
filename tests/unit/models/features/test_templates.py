from __future__ import annotations

import copy
from typing import Any

import pytest

from lawful import features as f
from lawful.errors import FeatureError, TokenError
from lawful.tasks.bio.features import bio_entity_features
from lawful.tasks.chunking.features import chunking_features
from lawful.tasks.pos.features import tagging_features

SENTENCE = [("The", "DT"), ("IL-2R", "NN"), ("binds", "VBZ")]

# The feature sets of the thesis on output encodings: Figures 4.3, 4.12 and 4.13.
CHUNKING, TAGGING, ENTITIES = chunking_features(1), tagging_features(), bio_entity_features()


def test_figure_4_3() -> None:
    assert CHUNKING.attributes(SENTENCE)[1] == [
        "bias=yes",
        *["word[-1]=The", "word=IL-2R", "word[+1]=binds"],
        *["word|word[-1]=IL-2R|The", "word|word[+1]=IL-2R|binds"],
        *["pos[-1]=DT", "pos=NN", "pos[+1]=VBZ"],
        *["pos[-1]|pos=DT|NN", "pos|pos[+1]=NN|VBZ"],
        "pos[-1]|pos|pos[+1]=DT|NN|VBZ",
    ]
    assert len(CHUNKING.slots) == 1 + 5 + 2 + 5 + 4 + 3


def test_figure_4_12() -> None:
    assert TAGGING.attributes(SENTENCE)[1][4:] == [
        "length=5",
        *["prefix1=I", "prefix2=IL", "prefix3=IL-", "prefix4=IL-2"],
        *["suffix1=R", "suffix2=2R", "suffix3=-2R", "suffix4=L-2R"],
        *["starts_upper=yes", "starts_digit=no", "has_upper=yes", "has_digit=yes", "has_hyphen=yes"],
    ]


def test_figure_4_13() -> None:
    found = ENTITIES.attributes(SENTENCE)[1]
    assert found[4:14] == [
        "lower=il-2r",
        *[
            "is_number=no",
            "is_roman=no",
            "is_dna=no",
            "is_rna=no",
            "has_hyphen=yes",
            "has_upper=yes",
            "has_digit=yes",
        ],
        *["shape=AA-0A", "short_shape=A-0A"],
    ]


@pytest.mark.parametrize("features", [CHUNKING, TAGGING, ENTITIES])
def test_the_core_agrees_on_the_figures(features: f.Features) -> None:
    sequences, index = features.fit([SENTENCE])
    assert index is not None
    wanted = [name for names in features.attributes(SENTENCE) for name in names]
    assert [index[i] for i in sequences.attributes] == wanted


@pytest.mark.parametrize(
    ("kind", "yes", "no"),
    [
        ("has_upper", ["aB", "É"], ["", "ab", "1", "東"]),
        ("has_lower", ["Ab", "é"], ["", "AB", "1"]),
        ("has_digit", ["a1", "٣"], ["", "½", "x"]),
        ("has_hyphen", ["a-b", "a–b", "—"], ["", "a_b"]),
        ("has_punctuation", ["a.", "€", "😀"], ["", "ab 1"]),
        ("starts_upper", ["Ab", "Éa"], ["", "aB", "1A"]),
        ("starts_digit", ["1st"], ["", "a1"]),
        ("all_caps", ["U.S.", "A"], ["", "Ab", "1", "."]),
        ("all_lower", ["a-b", "x1"], ["", "Ab", "1"]),
        ("initial_cap", ["Bonn", "Al-hasa"], ["", "A", "BONN", "McDonald", "bonn"]),
        ("inner_cap", ["McDonald", "iPhone", "mRNA"], ["", "BONN", "Bonn"]),
        ("is_initial", ["A.", "É."], ["", "a.", "AB.", "A"]),
        ("is_alphabetic", ["ab", "東京"], ["", "a1", "a b"]),
        ("is_alphanumeric", ["a1"], ["", "a-1"]),
        ("is_digits", ["12", "٣"], ["", "1a", "1.2"]),
        ("is_number", ["12", "-3", "1,234.5", "+1"], ["", "1.", ".5", "1a", "--1", "1,,2", "٣", "1\n"]),
        ("is_punctuation", [".", "...", "“"], ["", "a.", " "]),
        ("is_roman", ["I", "IV", "MCMXCIV", "XXX", "MMM"], ["", "IIII", "IC", "VX", "iv", "MMMM", "A"]),
        ("is_dna", ["GATTACA", "A"], ["", "GATU", "gatt"]),
        ("is_rna", ["GAUUACA"], ["", "GATT"]),
    ],
)
def test_kinds(kind: str, yes: list[str], no: list[str]) -> None:
    features = f.Features(f.kinds(kind, both=True))
    assert features.attributes(yes) == [[f"{kind}=yes"]] * len(yes)
    assert features.attributes(no) == [[f"{kind}=no"]] * len(no)
    sequences, index = features.fit([yes, no])
    assert index is not None
    assert [index[i] for i in sequences.attributes] == [f"{kind}=yes"] * len(yes) + [f"{kind}=no"] * len(no)


def test_tokens_may_be_strings_rows_or_mappings() -> None:
    features = f.Features(f.word(), f.suffix(1))
    wanted = [["word=the", "suffix1=e"]]
    for token in (
        "the",
        ("the", "DT"),
        ["the"],
        {"text": "the"},
        {"word": "the"},
        {"token": "the", "pos": "DT"},
    ):
        assert features.attributes([token]) == wanted
        sequences, index = features.fit([[token]])
        assert index is not None
        assert index.strings() == wanted[0]
        assert sequences.positions == 1


class Row(dict[str, Any]):
    """A mapping that is no plain dict."""


def test_columns_hold_text_numbers_or_nothing() -> None:
    features = f.Features(f.column("a"), f.shape(of="b"))
    tokens = [{"a": "x", "b": "Yz"}, {"a": None, "b": 1.5}, {"a": True, "b": ""}, Row(a=3, b="c")]
    wanted = [["a=x", "shape(b)=Aa"], ["shape(b)=0-0"], ["a=True", "shape(b)="], ["a=3", "shape(b)=a"]]
    assert features.attributes(tokens) == wanted
    sequences, index = features.fit([tokens])
    assert index is not None
    assert [index[i] for i in sequences.attributes] == [name for names in wanted for name in names]


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([["a"], ["a", {"pos": 1}]], "sequence 2, position 1: token .* has no text"),
        ([["a", 3]], "sequence 1, position 1: token 3 has no text"),
    ],
)
def test_a_token_without_text_is_named(X: list[Any], message: str) -> None:
    with pytest.raises(TokenError, match=message):
        f.Features(f.word()).fit(X)


def test_what_is_no_sequence_is_named() -> None:
    for X, message in ((["the dog"], "sequence 1: expected a list of tokens, got 'the dog'"), ([5], "got 5")):
        with pytest.raises(ValueError, match=message):
            f.Features(f.word()).fit(X)


def test_a_column_that_is_missing_or_odd_is_named() -> None:
    with pytest.raises(TokenError, match=r"sequence 1, position 0: .* has no column 'pos'"):
        f.Features(f.column("pos")).fit([[{"text": "a"}]])
    with pytest.raises(TokenError, match="holds \\['x'\\]: expected a string, a number or None"):
        f.Features(f.column(1)).fit([[("a", ["x"])]])
    with pytest.raises(TokenError, match="position 0: token 'a' has no columns"):
        f.Features(f.column("pos")).attributes(["a"])


def test_errors_of_functions_keep_their_kind_and_say_where() -> None:
    def fails(tokens: Any, position: int) -> str:
        raise KeyError("mine") if position else ValueError("mine too")

    features = f.Features(f.function("fails", fails))
    for run in (features.attributes, lambda tokens: features.fit([tokens])):
        with pytest.raises(ValueError, match="mine too") as caught:
            run(["a", "b"])
        assert caught.value.__notes__ == ["while feature function 'fails' looked at position 0"]
    with pytest.raises(FeatureError, match="'odd' returned 3: expected a string"):
        f.Features(f.function("odd", lambda tokens, t: 3)).fit([["a"]])


def test_printing_equality_and_copies() -> None:
    assert repr(
        f.Features(f.word(of="x"), f.prefix(2), f.at(-1, f.lower(), pad=True), f.kinds("is_dna", both=True))
    ) == ("Features(word(of='x'), prefix(2, 2), at(-1, lower(), pad=True), kinds('is_dna', both=True))")
    assert (
        repr(f.Features(f.word(), hash_bits=18, signed=True)) == "Features(word(), hash_bits=18, signed=True)"
    )
    assert copy.deepcopy(CHUNKING) == CHUNKING != TAGGING
    assert f.Features(f.word()) + f.Features(f.lower()) == f.Features(f.word(), f.lower())
    assert len({f.Features(f.word()), f.Features(f.word()), f.Features(f.lower())}) == 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: f.Features(), "at least one template"),
        (lambda: f.Features(f.word), r"did you mean word\(\)\?"),  # type: ignore[arg-type]
        (lambda: f.Features(f.word(), f.window(f.word(), -1, 1)), r"word=\.\.\. is declared twice"),
        (
            lambda: f.Features(f.word(), f.column("word")),
            "two different templates make attributes named 'word'",
        ),
        (lambda: f.Features(f.word(), signed=True), "give hash_bits too"),
        (lambda: f.Features(f.word(), hash_bits=31), "hash_bits must be a whole number from 1 to 30, got 31"),
        (
            lambda: f.Features(f.prefix(1, 64), f.join(f.suffix(1, 64), f.prefix(1, 64, of=1), f.lower())),
            "at most 4096",
        ),
        (lambda: f.Features(f.at(600, f.at(600, f.word()))), "looks 1200 tokens away"),
        (
            lambda: f.Features(f.join(*[f.at(i, f.word()) for i in range(17)])),
            "joins 17 templates; at most 16",
        ),
        (lambda: f.prefix(0), "shortest must be a whole number from 1 to 64, got 0"),
        (lambda: f.suffix(3, 2), "longest must be a whole number from 3"),
        (lambda: f.window(f.word(), 1, 0), "last must be a whole number from 1"),
        (lambda: f.at(1.0, f.word()), "offset must be a whole number"),  # type: ignore[arg-type]
        (lambda: f.join(f.word()), "two templates or more"),
        (lambda: f.kinds("has_digits"), "did you mean 'has_digit'"),
        (lambda: f.kinds(), "one or more of has_upper"),
        (lambda: f.in_list("x", "abc"), "a list of words, got the string 'abc'"),
        (lambda: f.matches("x", "("), "is not a regular expression"),
        (lambda: f.function("x", 3), "expected a function, got 3"),  # type: ignore[arg-type]
        (lambda: f.column(1.5), "column's name or index"),  # type: ignore[arg-type]
        (lambda: f.length(most=0), "most must be"),
        (lambda: f.shape(short=1), "short must be true or false"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_declared_is_named(make: Any, message: str) -> None:
    with pytest.raises(FeatureError, match=message):
        make()


def test_an_index_and_hashing_exclude_each_other() -> None:
    with pytest.raises(FeatureError, match="an index is needed"):
        f.Features(f.word()).extract([["a"]])
    hashed = f.Features(f.word(), hash_bits=4)
    assert hashed.fit([["a"]])[1] is None
    with pytest.raises(FeatureError, match="use no index"):
        hashed.extract([["a"]], f.AttributeIndex())
    with pytest.raises(FeatureError, match="leave out min_count"):
        hashed.fit([["a"]], min_count=2)


def test_threads_give_the_same() -> None:
    X = [[(f"w{i * j % 97}", f"p{j % 5}") for j in range(i % 40)] for i in range(1000)]
    _, index = CHUNKING.fit(X, min_count=2)
    one, many = CHUNKING.extract(X, index), CHUNKING.extract(X, index, jobs=4)
    assert one.positions > 4 * 4096
    for name in ("sequence_offsets", "item_offsets", "attributes"):
        assert getattr(one, name).tolist() == getattr(many, name).tolist()


def test_strings_that_no_template_makes_are_passed_over() -> None:
    index = f.AttributeIndex(
        ["word", "=", "", "word=a|b", "word=a", "x=a", "word|word[+1]=a", "\\", "word=\\"]
    )
    features = f.Features(f.word(), f.join(f.word(), f.at(1, f.word())))
    assert features.extract([["a", "b"]], index).attributes.tolist() == [4]
