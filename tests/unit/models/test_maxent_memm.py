"""MaxEnt and MEMM against their definitions, written down in numpy."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import check_grad, minimize
from scipy.special import log_softmax

import lawful
from lawful.models.features import Features, function

Items = list[dict[str, float]]


def corpus(seed: int, count: int = 12) -> tuple[list[Items], list[list[str]]]:
    rng = np.random.default_rng(seed)
    X: list[Items] = []
    y: list[list[str]] = []
    for _ in range(count):
        length = int(rng.integers(1, 5))
        X.append(
            [
                {f"w={rng.integers(5)}": float(rng.choice([1.0, 0.5])), f"s={rng.integers(3)}": 1.0}
                for _ in range(length)
            ]
        )
        y.append([str(rng.choice(["A", "B", "C"])) for _ in range(length)])
    return X, y


def first_letters(tokens: Any, t: int) -> list[str]:
    return [*sorted(name[0] for name in tokens[t]), min(tokens[t])]


class Softmax:
    """-log p summed over examples, each a dict of attribute values with a label, over features seen; and c2 |w|^2."""

    def __init__(self, examples: list[tuple[dict[str, float], str]], c2: float) -> None:
        self.labels = sorted({label for _, label in examples})
        self.features = sorted({(name, label) for item, label in examples for name in item})
        self.c2 = c2
        places = {f: i for i, f in enumerate(self.features)}
        self.values = np.zeros((len(examples), len(self.labels), len(places)))
        self.gold = np.array([self.labels.index(label) for _, label in examples])
        for n, (item, _) in enumerate(examples):
            for name, value in item.items():
                for k, label in enumerate(self.labels):
                    if (name, label) in places:
                        self.values[n, k, places[name, label]] = value

    def value(self, w: np.ndarray[Any, Any]) -> float:
        logs = log_softmax(self.values @ w, axis=1)
        return float(-logs[np.arange(len(self.gold)), self.gold].sum() + self.c2 * w @ w)

    def slope(self, w: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        chances = np.exp(log_softmax(self.values @ w, axis=1))
        chances[np.arange(len(self.gold)), self.gold] -= 1
        return np.einsum("nk,nkf->f", chances, self.values) + 2 * self.c2 * w

    def solved(self) -> dict[tuple[str, str], float]:
        found = minimize(
            self.value, np.zeros(len(self.features)), jac=self.slope, tol=1e-12, options={"gtol": 1e-9}
        )
        return dict(zip(self.features, found.x.tolist(), strict=True))


def test_the_reference_has_the_right_slope() -> None:
    X, y = corpus(0)
    reference = Softmax(
        [(item, label) for xs, ys in zip(X, y, strict=True) for item, label in zip(xs, ys, strict=True)], 0.3
    )
    point = np.random.default_rng(1).normal(size=len(reference.features))
    assert check_grad(reference.value, reference.slope, point) < 1e-5


def test_maxent_is_logistic_regression() -> None:
    X, y = corpus(0)
    examples = [
        (item, label) for xs, ys in zip(X, y, strict=True) for item, label in zip(xs, ys, strict=True)
    ]
    reference = Softmax(examples, 0.3)
    model = lawful.MaxEnt(c2=0.3, tolerance=1e-12).fit(X, y)
    solved = reference.solved()
    assert dict(model.state_features_) == pytest.approx(solved, abs=1e-5)
    assert model.objective_ == pytest.approx(reference.value(np.array(list(solved.values()))), rel=1e-9)
    lattice = model.lattice(X[0])
    np.testing.assert_allclose(np.exp(lattice.emissions).sum(axis=1), 1)
    np.testing.assert_allclose(model.predict_marginals([X[0]])[0], np.exp(lattice.emissions))
    assert lattice.transitions is None
    assert lawful.decoding.log_partition(lattice) == pytest.approx(0)


def test_memm_is_a_softmax_given_the_label_before() -> None:
    X, y = corpus(1)
    pairs = Features(function("first", first_letters))
    examples = []
    for xs, ys in zip(X, y, strict=True):
        for t, (item, label) in enumerate(zip(xs, ys, strict=True)):
            before = ys[t - 1] if t else None
            told = {"before": before or "start"}
            more = {f"{name}&{before}": 1.0 for name in pairs.attributes(xs)[t]} if before else {}
            examples.append(({**item, f"before {told['before']}": 1.0, **more}, label))
    reference = Softmax(examples, 0.2)
    solved = reference.solved()
    model = lawful.MEMM(transition_features=pairs, c2=0.2, tolerance=1e-12).fit(X, y)
    assert model.objective_ == pytest.approx(reference.value(np.array(list(solved.values()))), rel=1e-9)
    assert model.transition_features_ == pytest.approx(
        {
            (name[7:], label): w
            for (name, label), w in solved.items()
            if name in {"before A", "before B", "before C"}
        },
        abs=1e-5,
    )
    labels = reference.labels
    for items in corpus(2, count=5)[0]:
        lattice = model.lattice(items)

        def logs(t: int, before: str | None, items: Items = items) -> np.ndarray[Any, Any]:
            active = {**items[t], f"before {before or 'start'}": 1.0}
            if before:
                active |= {f"{name}&{before}": 1.0 for name in pairs.attributes(items)[t]}
            scores = [
                sum(solved.get((name, label), 0.0) * value for name, value in active.items())
                for label in labels
            ]
            return np.asarray(log_softmax(scores))

        np.testing.assert_allclose(lattice.emissions[0], logs(0, None), atol=1e-5)
        np.testing.assert_allclose(lattice.emissions[1:], 0)
        for t in range(1, len(items)):
            steps = np.asarray(lattice.transitions).reshape(-1, 3, 3)
            np.testing.assert_allclose(np.exp(steps).sum(axis=-1), 1)
            for j, before in enumerate(labels):
                np.testing.assert_allclose(steps[t - 1, j], logs(t, before), atol=1e-5)


def test_memm_decodes_and_sums_over_all_labellings() -> None:
    X, y = corpus(3)
    model = lawful.MEMM(c2=0.1).fit(X, y)
    for items in [one for one in corpus(4, count=6)[0] if len(one) < 4]:
        lattice = model.lattice(items)
        all_of_them = list(product(model.labels, repeat=len(items)))
        scores = np.array([lawful.lattice.path_score(lattice, labels) for labels in all_of_them])
        assert np.exp(scores).sum() == pytest.approx(1)
        assert model.predict([items])[0] == list(all_of_them[int(scores.argmax())])
        expected = np.zeros((len(items), 3))
        for labels, score in zip(all_of_them, scores, strict=True):
            for t, label in enumerate(labels):
                expected[t, model.labels.index(label)] += np.exp(score)
        np.testing.assert_allclose(model.predict_marginals([items])[0], expected)
        np.testing.assert_allclose(model.predict_marginals([items], rules=())[0], expected)
    assert model.predict([[], X[0]])[0] == []
    assert model.predict_marginals([[]])[0].shape == (0, 3)


@pytest.mark.parametrize("algorithm", ["sgd", "averaged_perceptron"])
def test_other_algorithms_learn_too(algorithm: str) -> None:
    X, y = [[["a"], ["b"], ["a"]]] * 5, [["A", "B", "A"]] * 5
    for kind in (lawful.MaxEnt, lawful.MEMM):
        model = kind(algorithm=algorithm, c2=0.01, max_iterations=20).fit(X, y)
        assert model.score(X, y) == 1


@pytest.mark.parametrize("kind", ["MaxEnt", "MEMM"])
def test_a_file_holds_all_of_it(kind: str, tmp_path: Path) -> None:
    X, y = corpus(2)
    pairs = Features(function("first", first_letters))
    more: dict[str, Any] = {"transition_features": pairs} if kind == "MEMM" else {}
    model = getattr(lawful, kind)(c2=0.3, **more).fit(X, y)
    model.save(tmp_path / "a.lawful")
    again = lawful.load_model(tmp_path / "a.lawful", functions={"first": first_letters})
    assert again.objective_ == model.objective_
    for items in X:
        one, other = again.lattice(items), model.lattice(items)
        np.testing.assert_array_equal(one.emissions, other.emissions)
        if kind == "MEMM" and len(items) > 1:
            np.testing.assert_array_equal(one.transitions, other.transitions)


def test_the_number_of_threads_changes_nothing() -> None:
    X, y = corpus(5, count=100)
    one, other = (lawful.MEMM(c2=0.1, jobs=jobs).fit(X, y) for jobs in (1, 3))
    np.testing.assert_array_equal(one.weights_, other.weights_)
