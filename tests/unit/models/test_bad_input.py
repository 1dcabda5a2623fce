"""All models refuse the same mistakes in the same words, and take the same corner cases."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

import lawful
from lawful.errors import InputError, NotFittedError

WORDS = [["Ann", ".", "1999"], ["Bob", "2004"]]
ITEMS = [[[f"w={word}"] for word in words] for words in WORDS]
LABELS = [["n", "n", "d"], ["n", "d"]]


@pytest.fixture(params=["hmm", "crf"])
def kind(request: pytest.FixtureRequest):
    return (lawful.HMM, WORDS) if request.param == "hmm" else (lawful.CRF, ITEMS)


@pytest.fixture
def fitted(kind):
    make, X = kind
    return make().fit(X, LABELS), X


def test_no_sequences_get_no_answers(fitted) -> None:
    model, X = fitted
    assert model.predict([]) == [] and model.predict_marginals([]) == []
    assert model.predict([[], X[1]])[0] == []
    assert [found.shape for found in model.predict_marginals([[], X[1], []])] == [(0, 2), (2, 2), (0, 2)]
    assert [len(found) for found in model.predict_marginals([[], X[1]], lawful.at_most(1, "n"))] == [0, 2]


@pytest.mark.parametrize("jobs", [1, 3])
def test_threads_do_not_change_marginals(fitted, jobs: int) -> None:
    model, X = fitted
    rules = lawful.at_most(1, "n")
    for given in (None, rules):
        for mine, alone in zip(
            model.predict_marginals(X * 5, given, jobs=jobs),
            model.predict_marginals(X, given) * 5,
            strict=True,
        ):
            np.testing.assert_array_equal(mine, alone)


@pytest.mark.parametrize("jobs", [0, -1, 1.5])
@pytest.mark.parametrize("rules", [None, lawful.at_most(1, "n")])
def test_jobs_are_checked_everywhere(fitted, jobs, rules) -> None:
    model, X = fitted
    for method in (model.predict, model.predict_marginals):
        with pytest.raises(InputError, match="jobs must be a whole number"):
            method(X, rules, jobs=jobs)


@pytest.mark.parametrize(
    ("X", "told"),
    [
        ("ab", "got 'ab'"),
        (["ab"], "texts?"),
        (None, "got None"),
        ([{"w": "ab"}], r"for one sequence pass \[tokens\]"),
    ],
)
def test_strings_are_no_sequences(fitted, X, told: str) -> None:
    model, _ = fitted
    for method in (model.predict, model.predict_marginals):
        with pytest.raises(InputError, match=told):
            method(X)


@pytest.mark.parametrize(
    ("X", "y", "told"),
    [
        ([], [], "the training data is empty"),
        ([[]], [[]], "the training data is empty"),
        (WORDS, None, "y must be a list of sequences, got None"),
        (["ab"], [["n", "n"]], "sequence 1 of X must be a list of tokens, got 'ab'"),
        (WORDS, ["nnd", "nd"], "sequence 1 of y must be a list, got 'nnd'"),
        (WORDS, LABELS[:1], "2 token sequences but 1 label sequences"),
        (WORDS, [["n"], ["n", "d"]], "sequence 1 has 3 tokens but 1 labels"),
        (WORDS, [["n", "n", 7], ["n", "d"]], "a label must hold a string, got 7"),
    ],
)
def test_what_cannot_be_learned_from(kind, X, y, told: str) -> None:
    with pytest.raises(InputError, match=told):
        kind[0]().fit(X, y)


def test_nothing_cannot_be_scored(fitted) -> None:
    with pytest.raises(InputError, match="the data to score is empty"):
        fitted[0].score([], [])


def test_labels_may_be_named_that_the_data_lacks(kind) -> None:
    make, X = kind
    model = make(labels=["n", "x", "d"]).fit(X, LABELS)
    assert list(model.labels) == ["n", "x", "d"]
    assert model.predict(X) == LABELS
    with pytest.raises(lawful.errors.UnknownLabelError, match="unknown label 'd'"):
        make(labels=["n"]).fit(X, LABELS)


def test_named_labels_are_saved(kind, tmp_path) -> None:
    make, X = kind
    model = make(labels=("n", "x", "d")).fit(X, LABELS)
    model.save(tmp_path / "m")
    again = lawful.load_model(tmp_path / "m")
    assert list(again.labels) == again.get_params()["labels"] == ["n", "x", "d"]
    assert again.fit(X, LABELS).predict(X) == LABELS


@pytest.mark.parametrize(
    "parameters",
    [
        {"c1": -1},
        {"c2": "1"},
        {"c2": float("nan")},
        {"tolerance": float("inf")},
        {"max_iterations": 0},
        {"max_iterations": 1.5},
        {"memory": 0},
        {"jobs": 0},
        {"algorithm": "averaged_perceptron", "max_iterations": 0},
        {"algorithm": "sgd", "max_iterations": -1},
    ],
)
def test_parameters_of_the_crf(parameters) -> None:
    with pytest.raises(InputError, match=f"{list(parameters)[-1]} must be"):
        lawful.CRF(**parameters).fit(ITEMS, LABELS)


@pytest.mark.parametrize(
    "parameters", [{"emission_smoothing": "x"}, {"transition_smoothing": -1}, {"rare": -1}, {"rare": 0.5}]
)
def test_parameters_of_the_hmm(parameters) -> None:
    with pytest.raises(InputError, match=f"{next(iter(parameters))} must be"):
        lawful.HMM(**parameters).fit(WORDS, LABELS)


def test_a_model_must_be_fitted(kind) -> None:
    make, X = kind
    for method in (make().predict, make().predict_marginals):
        with pytest.raises(NotFittedError):
            method(X)


def test_a_clone_keeps_the_labels_that_were_named(kind) -> None:
    make, X = kind
    names = ["n", "x", "d"]
    model = make(labels=names).fit(X, LABELS)
    assert clone(model).get_params()["labels"] == names
    assert model.unfitted().fit(X, LABELS).labels == model.labels
    assert list(make().set_params(labels=names).fit(X, LABELS).labels) == names
    assert "labels=['n', 'x', 'd']" in repr(model)


@pytest.mark.parametrize("seed", ["x", -1, 1.5])
def test_seeds_are_checked(seed) -> None:
    with pytest.raises(InputError, match="seed must be a whole number of 0 or more"):
        lawful.CRF(seed=seed).fit(ITEMS, LABELS)
    with pytest.raises(InputError, match="seed must be a whole number of 0 or more"):
        lawful.evaluation.compare_outputs(LABELS, LABELS, LABELS, seed=seed)
