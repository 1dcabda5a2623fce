"""Models that are given no templates: words and rows get the default ones, items stay as they are."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import lawful
from lawful.errors import InputError
from lawful.models import MEMM, MaxEnt, Perceptron, SemiCRF, StructuredPerceptron, Winnow
from lawful.models.features import default_features
from lawful.models.features.defaults import features_for, useful_columns

WORDS = [["Ann", "Lee", ",", "1998"], ["Bo", "Ek", ",", "2004"], ["Cy", "Fox", ",", "2011"]]
LABELS = [["name", "name", "name", "year"]] * 3
ASKED = ["Di", "Oz", ",", "2020"]
MODELS = [lawful.CRF, MEMM, MaxEnt, Perceptron, Winnow, StructuredPerceptron, SemiCRF]


@pytest.mark.parametrize("kind", MODELS)
def test_a_model_learns_from_words_alone(kind: Any, tmp_path: Path) -> None:
    model = kind().fit(WORDS, LABELS)
    assert model.features is None
    assert model.features_ == default_features(WORDS)
    assert model.predict([ASKED]) == [LABELS[0]]
    explicit = kind(default_features(WORDS)).fit(WORDS, LABELS)
    assert (model.weights_ == explicit.weights_).all()
    model.save(tmp_path / "m.lawful")
    again = lawful.load_model(tmp_path / "m.lawful")
    assert again.get_params() == model.get_params()
    assert again.features_ == model.features_  # type: ignore[attr-defined]
    assert again.predict([ASKED]) == [LABELS[0]]
    again.save(tmp_path / "n.lawful")
    assert (tmp_path / "m.lawful").read_bytes() == (tmp_path / "n.lawful").read_bytes()
    assert deepcopy(model).predict([ASKED]) == [LABELS[0]]


@pytest.mark.parametrize("averaging", ["averaged", "voted", "last"])
def test_a_voted_perceptron_keeps_the_default_features_too(averaging: str, tmp_path: Path) -> None:
    model = StructuredPerceptron(averaging=averaging).fit(WORDS, LABELS)
    model.save(tmp_path / "m.lawful")
    assert lawful.load_model(tmp_path / "m.lawful").predict([ASKED]) == model.predict([ASKED])


def test_rows_are_read_with_their_columns() -> None:
    rows = [[(word, "NNP" if word[0].isupper() else "CD") for word in words] for words in WORDS]
    model = lawful.CRF().fit(rows, LABELS)
    assert model.features_ == default_features(rows)
    assert ("column1=CD", "year") in model.state_features_
    asked = [(word, "NNP" if word[0].isupper() else "CD") for word in ASKED]
    assert model.predict([asked]) == [LABELS[0]]


@pytest.mark.parametrize("item", [["a"], {"a": 1.0}, {"word": "a"}, {"a"}])
def test_items_stay_items(item: Any) -> None:
    model = lawful.CRF().fit([[item, item]], [["A", "B"]])
    assert model.features_ is None
    assert {attribute for attribute, _ in model.state_features_} <= {"a", "word:a"}


def test_a_second_fit_chooses_anew() -> None:
    model = lawful.CRF(warm_start=True).fit(WORDS, LABELS)
    assert model.fit([[["w=a"]]], [["name"]]).features_ is None


@pytest.mark.parametrize(
    ("X", "what"), [([["a", ["b"]]], "a word"), ([["a"], [3]], "a word"), ([[("a", "X"), "b"]], "a row")]
)
def test_words_and_other_tokens_do_not_mix(X: Any, what: str) -> None:
    with pytest.raises(InputError, match=rf"sequence \d, position \d: expected {what}, as the tokens before"):
        features_for(X)


def test_columns_that_cannot_help_are_left_out() -> None:
    row = {"word": "a", "same": "x", "list": ["x"], "lower": "a", "pos": "DT"}
    other = {"word": "b", "same": "x", "list": ["y"], "lower": "b", "pos": "NN"}
    assert useful_columns([[row, other]] * 9) == ["lower", "pos"]
    assert useful_columns([[row, other]] * 9 + [[{"word": "c", "pos": "X"}]]) == ["pos"]
    assert useful_columns([]) == useful_columns([[]]) == useful_columns([["a"]]) == []
    # A column named like a template gets another name, or the two would make the same attributes.
    assert "column lower=a" in default_features([[row, other]] * 9).attributes([row])[0]


def test_learners_under_rules_take_words_too() -> None:
    learner = lawful.learning.RuledPerceptron(lawful.CRF(), lawful.ends_with("year")).fit(WORDS, LABELS)
    assert learner.predict([ASKED]) == [LABELS[0]]
