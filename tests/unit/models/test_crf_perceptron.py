"""The averaged perceptron, step by step, against thirty lines of Python."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise, product

import numpy as np
import pytest

import lawful

Feature = tuple[str, str, str]


def features(items: list[list[str]], labels: tuple[str, ...]) -> list[Feature]:
    fired = [("state", name, label) for item, label in zip(items, labels, strict=True) for name in item]
    return fired + [("edge", before, here) for before, here in pairwise(labels)]


def reference(X: list[list[list[str]]], y: list[list[str]], epochs: int, seed: int) -> dict[Feature, float]:
    """Every weight vector is kept and averaged in the end, the first one of zeros too."""
    names = sorted({label for labels in y for label in labels})
    known = {one for items, labels in zip(X, y, strict=True) for one in features(items, tuple(labels))}
    weights: dict[Feature, float] = defaultdict(float)
    sums: dict[Feature, float] = defaultdict(float)
    rng, seen = np.random.default_rng(seed), 1
    for _ in range(epochs):
        for n in rng.permutation(len(X)):
            gold = tuple(y[n])
            # product() comes in the order of labels, max() keeps the first: the smallest labelling among equals
            best = max(
                product(names, repeat=len(gold)),
                key=lambda labels: sum(weights[f] for f in features(X[n], labels) if f in known),
            )
            if best != gold:
                for sign, labels in ((1, gold), (-1, best)):
                    for f in features(X[n], labels):
                        if f in known:
                            weights[f] += sign
            for f, weight in weights.items():
                sums[f] += weight
            seen += 1
    return {f: total / seen for f, total in sums.items() if total}


@pytest.mark.parametrize("epochs", [1, 2, 5])
@pytest.mark.parametrize("seed", range(3))
def test_the_weights_are_the_references(epochs: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = [], []
    for _ in range(12):
        length = int(rng.integers(1, 5))
        X.append([[f"w={rng.integers(6)}", f"s={rng.integers(3)}"] for _ in range(length)])
        y.append([str(rng.choice(["A", "B", "C"])) for _ in range(length)])
    model = lawful.CRF(algorithm="averaged_perceptron", max_iterations=epochs, tolerance=0.0, seed=seed).fit(
        X, y
    )
    expected = reference(X, y, epochs, seed)
    found = {("state", *key): weight for key, weight in model.state_features_.items()}
    found |= {("edge", *key): weight for key, weight in model.transition_features_.items()}
    close = {key: weight for key, weight in found.items() if abs(weight) > 1e-12}
    assert close.keys() == expected.keys()
    for key, weight in expected.items():
        assert close[key] == pytest.approx(weight, abs=1e-12)


def test_it_stops_when_nothing_is_wrong() -> None:
    X = [[["a"], ["b"]], [["b"], ["a"]]]
    model = lawful.CRF(algorithm="averaged_perceptron", max_iterations=50).fit(X, [["A", "B"], ["B", "A"]])
    assert len(model.history_) < 50
    assert model.history_[-1].objective == 0
    assert model.score(X, [["A", "B"], ["B", "A"]]) == 1
