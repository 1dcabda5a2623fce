"""Chunk schemes against seqeval and against the plain twin in `lawful.testing.chunk_schemes`."""

from __future__ import annotations

import itertools
import random

import pytest
import seqeval.scheme as seqeval_schemes

from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.rules import valid_tags
from lawful.rules.example import Example
from lawful.schemes import SCHEME_NAMES, SCHEMES, convert_labels, find_spans, guess_scheme, label_spans
from lawful.testing.chunk_schemes import (
    count_illegal_steps,
    plain_labels,
    plain_spans,
    plain_strict_spans,
)

IN_SEQEVAL = ["IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU"]


def all_labels(scheme: str) -> list[str]:
    return ["O", *(f"{tag}-{kind}" for tag in SCHEMES[scheme].tags if tag != "O" for kind in ("X", "Y"))]


def sequences(scheme: str) -> list[tuple[str, ...]]:
    """All label sequences of up to 3 tokens, and some thousand longer ones."""
    labels = all_labels(scheme)
    rng = random.Random(7)  # noqa: S311 - tests want the same numbers every time
    short = [path for length in range(4) for path in itertools.product(labels, repeat=length)]
    return [*short, *(tuple(rng.choices(labels, k=rng.randint(4, 9))) for _ in range(3000))]


def random_spans(rng: random.Random, *, apart: bool) -> list[tuple[str, int, int]]:
    spans, start = [], 0
    while start < 12:
        size = rng.randint(1, 3)
        if rng.random() < 0.6:
            spans.append((rng.choice("XY"), start, start + size))
        start += size + (1 if apart else rng.randint(0, 1))
    return spans


@pytest.mark.parametrize("scheme", SCHEMES)
def test_any_labels_are_read_as_conlleval_reads_them(scheme: str) -> None:
    for labels in sequences(scheme):
        assert find_spans(labels, scheme) == plain_spans(labels), labels


@pytest.mark.parametrize("scheme", ["IOB2", "BIO", "IOE2", "IOBES", "BIOES", "BILOU", "BMES", "BMEWO"])
def test_the_strict_reading_is_that_of_the_definition(scheme: str) -> None:
    for labels in sequences(scheme):
        assert find_spans(labels, scheme, strict=True) == plain_strict_spans(labels, scheme), labels


@pytest.mark.parametrize("scheme", IN_SEQEVAL)
def test_the_strict_reading_is_that_of_seqeval(scheme: str) -> None:
    for labels in sequences(scheme):
        if labels:
            theirs = seqeval_schemes.Tokens(list(labels), getattr(seqeval_schemes, scheme)).entities
            expected = [(entity.tag, entity.start, entity.end) for entity in theirs]
            assert find_spans(labels, scheme, strict=True) == expected, labels


@pytest.mark.parametrize("scheme", SCHEMES)
def test_illegal_steps_are_those_of_the_definition(scheme: str) -> None:
    rule, label_set = valid_tags(scheme), LabelSet(all_labels(scheme))
    [(machine, table, _)] = rule.compile(label_set).bind(Example(1, None, {}))
    for labels in sequences(scheme):
        expected = count_illegal_steps(labels, scheme)
        assert rule.violations(labels) == expected, labels
        assert machine.count([table[0, label_set.index(label)] for label in labels]) == expected, labels


@pytest.mark.parametrize("scheme", SCHEMES)
def test_legal_labels_are_exactly_those_that_spans_have(scheme: str) -> None:
    for labels in sequences(scheme):
        written = label_spans(find_spans(labels, scheme), len(labels), scheme)
        assert (written == list(labels)) == (count_illegal_steps(labels, scheme) == 0), labels


@pytest.mark.parametrize("scheme", SCHEME_NAMES)
def test_spans_come_back_from_their_labels(scheme: str) -> None:
    rng = random.Random(3)  # noqa: S311 - tests want the same numbers every time
    merges = scheme in ("IO", "flat")  # two neighbours of one type become one span there
    for _ in range(500):
        spans = random_spans(rng, apart=merges)
        labels = label_spans(spans, 15, scheme)
        assert labels == plain_labels(spans, 15, scheme)
        assert find_spans(labels, scheme) == spans
        if scheme != "flat":
            assert valid_tags(scheme).violations(labels) == 0
            if scheme not in ("IOE1", "IOB1"):  # seqeval itself is not sure about these two
                assert find_spans(labels, scheme, strict=True) == spans
        if not merges:
            assert convert_labels(convert_labels(labels, scheme, "BILOU"), "BILOU", scheme) == labels


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(InputError, match="strict reading needs a scheme: one of IO, IOB1"):
        find_spans(["B-X"], strict=True)
    with pytest.raises(InputError, match="token 0: E-X is not a tag of IOB2, which has I, O, B"):
        find_spans(["E-X"], "IOB2", strict=True)
    with pytest.raises(InputError, match=r"'author' is not a tag of a chunk scheme.*scheme='flat'"):
        find_spans(["author"], "IOB2")
    with pytest.raises(InputError, match=r"unknown scheme 'BIB'; the schemes are IO, IOB1.*flat"):
        find_spans(["O"], "BIB")
    with pytest.raises(InputError, match="unknown scheme 'BIB'"):
        label_spans([], 1, "BIB")
    with pytest.raises(InputError, match="overlaps"):
        label_spans([("X", 0, 2), ("Y", 1, 3)], 3, "BIO")
    with pytest.raises(InputError, match="does not fit a sequence of 3 tokens"):
        label_spans([("X", 2, 4)], 3, "BIO")


def test_types_may_contain_the_separator_and_labels_may_have_no_type() -> None:
    assert find_spans(["B-X-1", "I-X-1", "I-X-2"], "BIO") == [("X-1", 0, 2), ("X-2", 2, 3)]
    assert find_spans(["B", "I", "B"], "BIO") == [("", 0, 2), ("", 2, 3)]
    assert label_spans([("", 0, 2)], 2, "BIO") == ["B", "I"]
    assert find_spans(["B_X", "I_X"], "BIO", separator="_") == [("X", 0, 2)]
    assert guess_scheme([["B-NP"], ["O", "title"]]) == "flat"
