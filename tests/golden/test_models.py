"""Model files of every format version so far load, and the models answer what they answered then.

`LAWFUL_REGENERATE=1 pytest tests/golden` writes the files of today's version anew; those of earlier versions stay.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lawful
from lawful.models import (
    CRF,
    HMM,
    MEMM,
    Calibrated,
    Emission,
    MaxEnt,
    Perceptron,
    SemiCRF,
    SequenceModel,
    StructuredPerceptron,
    Winnow,
    segments,
)
from lawful.models.features import Features, bias, column, shape, window, word
from lawful.models.saving import FORMAT_VERSION

FOLDER = Path(__file__).with_name("models")
SWITCH = "LAWFUL_REGENERATE"

ROWS = [
    [("Ann", "NNP"), ("Lee", "NNP"), (".", "."), ("On", "IN"), ("rules", "NNS"), (",", ","), ("1998", "CD")],
    [
        ("B", "NN"),
        (".", "."),
        ("Größe", "NN"),
        (",", ","),
        ("Size", "NN"),
        ("matters", "VBZ"),
        ("2004", "CD"),
    ],
]
FIELDS = [
    ["author", "author", "author", "title.1", "title.2", "title.2", "date"],
    ["author", "author", "author", "author", "title.1", "title.2", "date"],
]
ASKED = [*ROWS, [("Zoe", "NNP"), (".", "."), ("Of", "IN"), ("sizes", "NNS"), ("1987", "CD")]]


def hmm() -> SequenceModel:
    emissions = [Emission(0), Emission(1, normalise=("lower",), unknown=None, smoothing=0.5)]
    return HMM(emissions=emissions, backoff=".").fit(ROWS, FIELDS)


def crf() -> SequenceModel:
    return CRF(
        Features(bias(), window(word(), -1, 1), column(1)),
        transition_features=Features(shape()),
        groups="prefix",
        group_features=Features(column(1)),
        c1=0.1,
        c2=0.1,
        start=True,
        end=True,
    ).fit(ROWS, FIELDS)


SEEN = Features(bias(), window(word(), -1, 1), column(1))


def maxent() -> SequenceModel:
    return MaxEnt(SEEN, c2=0.1).fit(ROWS, FIELDS)


def memm() -> SequenceModel:
    return MEMM(SEEN, transition_features=Features(shape()), c2=0.1).fit(ROWS, FIELDS)


def perceptron() -> SequenceModel:
    return Perceptron(SEEN, margin=0.5, multiclass="one_vs_all").fit(ROWS, FIELDS)


def winnow() -> SequenceModel:
    return Winnow(SEEN, averaging="voted", epochs=3).fit(ROWS, FIELDS)


def structured_perceptron() -> SequenceModel:
    return StructuredPerceptron(SEEN, transition_features=Features(shape()), start=True).fit(ROWS, FIELDS)


def voted_perceptron() -> SequenceModel:
    return StructuredPerceptron(SEEN, transition_features=Features(shape()), averaging="voted").fit(
        ROWS, FIELDS
    )


def semi_crf() -> SequenceModel:
    seen = segments.SegmentFeatures(
        segments.length(cap=3),
        segments.first(word()),
        segments.last(shape()),
        segments.text(longest=2),
        segments.in_list("names", ["Ann Lee"]),
    )
    return SemiCRF(SEEN, seen, c2=0.1, end=True).fit(ROWS, FIELDS)


def calibrated() -> SequenceModel:
    return Calibrated(structured_perceptron(), 2.5)


MAKERS: dict[str, Callable[[], SequenceModel]] = {
    "calibrated": calibrated,
    "crf": crf,
    "hmm": hmm,
    "maxent": maxent,
    "memm": memm,
    "perceptron": perceptron,
    "semi_crf": semi_crf,
    "structured_perceptron": structured_perceptron,
    "voted_perceptron": voted_perceptron,
    "winnow": winnow,
}


def answers(model: SequenceModel) -> dict[str, Any]:
    decoded = lawful.Decoder(labels=model.labels).decode_batch(model.lattices(ASKED))
    return {"labels": [list(one.labels) for one in decoded], "scores": [one.score.hex() for one in decoded]}


def regenerate() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, make in MAKERS.items():
        model = make()
        model.save(FOLDER / f"{name}.v{FORMAT_VERSION}.lawful")
        expected = FOLDER / f"{name}.v{FORMAT_VERSION}.json"
        expected.write_text(json.dumps(answers(model), indent=1) + "\n")


if os.environ.get(SWITCH):
    regenerate()
FILES = sorted(FOLDER.glob("*.lawful"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_old_file_loads_and_answers_as_it_did(path: Path) -> None:
    assert answers(lawful.load_model(path)) == json.loads(path.with_suffix(".json").read_text())


@pytest.mark.parametrize("name", MAKERS)
def test_there_is_a_file_of_every_kind(name: str) -> None:
    assert FOLDER / f"{name}.v{FORMAT_VERSION}.lawful" in FILES


def test_the_switch_is_off() -> None:
    on = SWITCH in os.environ
    assert not on, f"the golden files were written anew; unset {SWITCH} and look at the difference"
