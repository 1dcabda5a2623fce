"""Perceptron and winnow, step by step, against a few lines of Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lawful
from lawful.errors import InputError
from lawful.models.perceptron.local_classifier import LocalClassifier

Items = list[dict[str, float]]
Feature = tuple[str, str]
Weights = dict[Feature, float]


def corpus(seed: int, count: int = 10) -> tuple[list[Items], list[list[str]]]:
    rng = np.random.default_rng(seed)
    X: list[Items] = []
    y: list[list[str]] = []
    for _ in range(count):
        length = int(rng.integers(1, 5))
        values = [1.0, 1.0, 0.5, 2.0]
        X.append(
            [
                {f"w={rng.integers(5)}": float(rng.choice(values)), f"s={rng.integers(3)}": 1.0}
                for _ in range(length)
            ]
        )
        y.append([str(rng.choice(["A", "B", "C"])) for _ in range(length)])
    return X, y


class Reference:
    """Keeps every weight vector, with the number of tokens that it survived."""

    def __init__(self, X: list[Items], y: list[list[str]], settings: dict[str, Any]) -> None:
        self.settings = settings
        self.tokens = [
            (item, label)
            for items, labels in zip(X, y, strict=True)
            for item, label in zip(items, labels, strict=True)
        ]
        self.names = sorted({label for _, label in self.tokens})
        known = {(name, label) for item, label in self.tokens for name in item}
        initial = settings.get("initial", 0.0)
        self.halves = dict.fromkeys(known, (initial, initial))
        self.weights: Weights = dict.fromkeys(known, 0.0 if settings.get("balanced", True) else initial)
        self.vectors, self.survived = [dict(self.weights)], [0]

    def score(self, weights: Weights, item: dict[str, float], label: str) -> float:
        return sum(weights.get((name, label), 0.0) * value for name, value in item.items())

    def move(self, item: dict[str, float], label: str, *, up: bool) -> None:
        settings = self.settings
        for name, value in item.items():
            f = (name, label)
            if f not in self.weights:
                continue
            if "promotion" not in settings:
                self.weights[f] += (1 if up else -1) * settings["rate"] * value
                continue
            factors = settings["promotion"] ** value, settings["demotion"] ** value
            raised, lowered = factors if up else factors[::-1]
            if settings["balanced"]:
                self.halves[f] = (self.halves[f][0] * raised, self.halves[f][1] * lowered)
                self.weights[f] = self.halves[f][0] - self.halves[f][1]
            else:
                self.weights[f] *= raised

    def see(self, item: dict[str, float], gold: str) -> None:
        settings = self.settings
        scores = {label: self.score(self.weights, item, label) for label in self.names}
        moves = []
        if settings["multiclass"] == "one_vs_all":
            for label in self.names:
                above = scores[label] - settings.get("threshold", 0.0)
                if (above if label == gold else -above) <= settings["margin"]:
                    moves.append(label)
        else:
            rival = max((label for label in self.names if label != gold), key=lambda label: scores[label])
            if scores[gold] - scores[rival] <= settings["margin"]:
                moves = [gold, rival]
        if not moves:
            self.survived[-1] += 1
            return
        for label in moves:
            self.move(item, label, up=label == gold)
        self.vectors.append(dict(self.weights))
        self.survived.append(1)

    def run(self, epochs: int, seed: int) -> Reference:
        rng = np.random.default_rng(seed)
        for _ in range(epochs):
            for n in rng.permutation(len(self.tokens)):
                self.see(*self.tokens[n])
        return self


PERCEPTRON = {"rate": 0.5, "margin": 0.0, "multiclass": "joint"}
WINNOW = {
    "promotion": 1.5,
    "demotion": 0.6,
    "balanced": True,
    "threshold": 1.25,
    "initial": 0.5,
    "margin": 0.25,
    "multiclass": "joint",
}
SETTINGS: list[tuple[Callable[..., LocalClassifier], dict[str, Any]]] = [
    (lawful.models.Perceptron, PERCEPTRON),
    (lawful.models.Perceptron, {**PERCEPTRON, "margin": 0.75}),
    (lawful.models.Perceptron, {**PERCEPTRON, "margin": 0.25, "multiclass": "one_vs_all"}),
    (lawful.models.Winnow, WINNOW),
    (lawful.models.Winnow, {**WINNOW, "balanced": False}),
    (lawful.models.Winnow, {**WINNOW, "multiclass": "one_vs_all"}),
    (lawful.models.Winnow, {**WINNOW, "balanced": False, "multiclass": "one_vs_all"}),
]


@pytest.mark.parametrize(("kind", "settings"), SETTINGS)
@pytest.mark.parametrize("seed", range(2))
def test_weights_average_and_votes_are_the_references(
    kind: Callable[..., LocalClassifier], settings: dict[str, Any], seed: int
) -> None:
    X, y = corpus(seed)
    reference = Reference(X, y, settings).run(3, seed)

    def fitted(averaging: str) -> LocalClassifier:
        model = kind(epochs=3, seed=seed, averaging=averaging, max_vectors=None, **settings)
        model.fit(X, y)
        assert len(model.history_) == 3
        return model

    def named(model: LocalClassifier) -> Weights:
        return {f: w for f, w in model.state_features_.items() if abs(w) > 1e-12}

    last = {f: w for f, w in reference.vectors[-1].items() if abs(w) > 1e-12}
    assert named(fitted("last")) == pytest.approx(last)
    total = 1 + sum(reference.survived)  # the first weights count once
    weighted = zip(reference.vectors, reference.survived, strict=True)
    sums = dict(reference.vectors[0].items())
    for weights, survived in weighted:
        for f, w in weights.items():
            sums[f] += w * survived
    average = {f: w / total for f, w in sums.items() if abs(w) > 1e-11}
    assert named(fitted("averaged")) == pytest.approx(average)
    voted = fitted("voted")
    for items in corpus(seed + 10, count=4)[0]:
        votes = np.zeros((len(items), 3))
        for weights, survived in zip(reference.vectors, reference.survived, strict=True):
            for t, item in enumerate(items):
                best = max(reference.names, key=lambda label: reference.score(weights, item, label))
                votes[t, reference.names.index(best)] += survived
        np.testing.assert_allclose(voted.lattice(items).emissions, votes / votes.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("kind", [lawful.models.Perceptron, lawful.models.Winnow])
@pytest.mark.parametrize("averaging", ["averaged", "voted", "last"])
def test_a_file_holds_all_of_it(kind: Callable[..., LocalClassifier], averaging: str, tmp_path: Path) -> None:
    X, y = corpus(2)
    model = kind(epochs=3, averaging=averaging)
    model.fit(X, y)
    model.save(tmp_path / "a.lawful")
    again = lawful.load_model(tmp_path / "a.lawful")
    assert again.get_params() == model.get_params()
    assert again.predict(X) == model.predict(X)
    for items in X:
        np.testing.assert_array_equal(again.lattice(items).emissions, model.lattice(items).emissions)
    again.save(tmp_path / "b.lawful")
    assert (tmp_path / "a.lawful").read_bytes() == (tmp_path / "b.lawful").read_bytes()


def test_votes_do_not_depend_on_the_number_of_threads() -> None:
    X, y = corpus(3, count=300)
    model = lawful.models.Perceptron(epochs=2, averaging="voted", max_vectors=50).fit(X, y)
    one, other = (model.set_params(jobs=jobs).predict_marginals(X) for jobs in (1, 3))
    np.testing.assert_array_equal(np.concatenate(one), np.concatenate(other))


def test_it_stops_when_nothing_is_wrong() -> None:
    X, y = [[["a"], ["b"]]], [["A", "B"]]
    model = lawful.models.Perceptron(epochs=50).fit(X, y)
    assert len(model.history_) < 50
    assert model.score(X, y) == 1


def test_rules_change_what_it_says() -> None:
    X, y = [[["a"], ["b"]]], [["A", "B"]]
    model = lawful.models.Winnow().fit(X, y)
    assert model.predict(X, rules=lawful.at_most(0, "B")) == [["A", "A"]]
    assert model.predict([[]]) == [[]]


def test_wrong_parameters_are_refused() -> None:
    X, y = [[["a"]]], [["A"]]
    with pytest.raises(InputError, match="multiclass"):
        lawful.models.Perceptron(multiclass="pairs").fit(X, y)
    with pytest.raises(InputError, match="promotion must be above 1"):
        lawful.models.Winnow(promotion=0.5).fit(X, y)
    with pytest.raises(InputError, match="initial"):
        lawful.models.Winnow(initial=0).fit(X, y)
    with pytest.raises(InputError, match="negative"):
        lawful.models.Winnow().fit([[{"a": -1.0}]], y)
