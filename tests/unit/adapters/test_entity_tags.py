from __future__ import annotations

import itertools

import numpy as np
import pytest

import lawful
from lawful import errors
from lawful.adapters.spacy.entity_tags import EntityTags
from lawful.schemes import SCHEMES, Span

KINDS = ["X", "Y"]


def labels_of(scheme: str) -> list[str]:
    if scheme == "flat":
        return ["O", *KINDS]
    return ["O", *(f"{tag}-{kind}" for tag in SCHEMES[scheme].tags if tag != "O" for kind in KINDS)]


@pytest.mark.parametrize(
    ("scheme", "labels"),
    [
        ("flat", "X X O Y"),
        ("IO", "I-X I-X O I-Y"),
        ("IOB1", "I-X I-X O I-Y"),
        ("BIO", "B-X I-X O B-Y"),
        ("IOE1", "I-X I-X O I-Y"),
        ("IOE2", "I-X E-X O E-Y"),
        ("IOBES", "B-X E-X O S-Y"),
        ("BILOU", "B-X L-X O U-Y"),
        ("BMES", "B-X E-X O S-Y"),
        ("BMEWO", "B-X E-X O W-Y"),
    ],
)
def test_entities_are_read_off_the_labels_of_every_scheme(scheme: str, labels: str) -> None:
    assert EntityTags(scheme).spans(labels.split()) == [("X", 0, 2), ("Y", 3, 4)]


@pytest.mark.parametrize("scheme", ["BIO", "IOB1", "IOE1", "IOE2", "IOBES", "BILOU", "BMES", "BMEWO"])
def test_neighbours_of_one_type_stay_apart(scheme: str) -> None:
    single = {"IOBES": "S", "BILOU": "U", "BMES": "S", "BMEWO": "W", "IOE2": "E", "IOE1": "E"}.get(
        scheme, "B"
    )
    assert EntityTags(scheme).spans([f"{single}-X"] * 2) == [("X", 0, 1), ("X", 1, 2)]


PRESETS = [
    [Span("X", 1, 3)],
    [Span("X", 0, 2), Span("Y", 3, 4)],
    [Span("Y", 2, 4)],
    [Span("X", 0, 1), Span("X", 1, 2)],
]
CASES = [  # IO and flat labels cannot tell neighbours of one type apart
    (scheme, spans)
    for scheme in (*SCHEMES, "flat")
    for spans in (PRESETS[:-1] if scheme in ("IO", "flat") else PRESETS)
]


@pytest.mark.parametrize(("scheme", "spans"), CASES)
def test_every_legal_labelling_that_is_allowed_spells_the_given_entities(scheme: str, spans) -> None:
    tags, labels = EntityTags(scheme), lawful.LabelSet(labels_of(scheme))
    allowed = tags.allowed(spans, labels, 4)
    choices = [[label for index, label in enumerate(labels) if row[index]] for row in allowed]
    legal = [
        path
        for path in itertools.product(*choices)
        if scheme == "flat" or not lawful.valid_tags(scheme).violations(path)
    ]
    assert legal
    for path in legal:
        found = tags.spans(path)
        assert set(spans) <= set(found), path


def test_a_type_that_the_labels_cannot_spell_is_held_outside() -> None:
    allowed = EntityTags("BIO").allowed([Span("Z", 0, 2)], lawful.LabelSet(labels_of("BIO")), 3)
    assert allowed[:2].sum() == 2
    assert allowed[:2, 0].all()
    assert allowed[2].all()
    free = EntityTags("flat").allowed([Span("Z", 0, 1)], lawful.LabelSet(["X", "Y"]), 2)
    assert np.array_equal(free, np.ones((2, 2)))


@pytest.mark.parametrize("label", ["X", "Q-X", "B", "B-", "BX-X"])
def test_a_label_that_does_not_fit_is_named(label: str) -> None:
    with pytest.raises(errors.InputError, match="does not fit the scheme 'BIO'"):
        EntityTags("BIO").parse(label)


def test_an_unknown_scheme_is_named() -> None:
    with pytest.raises(errors.InputError, match="unknown scheme 'BIB'"):
        EntityTags("BIB")
