"""Groups of labels that share features, in every linear model: scores, learning, files."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lawful
from lawful.errors import InputError, UnknownLabelError
from lawful.models import CRF, MaxEnt, Perceptron, StructuredPerceptron
from lawful.models.linear.model import LinearModel

LABELS = ("N", "A0", "A1", "A2")
GROUPS = {"arg": ["A0", "A1", "A2"], "none": ["N"], "late": ["A1", "A2"]}
RANDOM = np.random.default_rng(3)
X = [
    [
        [f"id:{RANDOM.integers(4)}", f"cls:{RANDOM.integers(5)}", "cls:bias"]
        for _ in range(RANDOM.integers(1, 6))
    ]
    for _ in range(40)
]
Y = [[LABELS[RANDOM.integers(4)] for _ in sequence] for sequence in X]
MODELS: list[type[LinearModel]] = [CRF, MaxEnt, Perceptron, StructuredPerceptron]


def members(label: str) -> list[str]:
    return [label, *(name for name, labels in GROUPS.items() if label in labels)]


@pytest.mark.parametrize("kind", MODELS)
def test_a_label_scores_the_sum_over_its_outputs(kind: type[LinearModel]) -> None:
    model = kind(groups=GROUPS).fit(X, Y)
    weights = dict(model.state_features_)
    found = model.lattice(X[0]).emissions
    for t, attributes in enumerate(X[0]):
        expected = np.array(
            [
                sum(
                    weights.get((attribute, output), 0.0)
                    for attribute in attributes
                    for output in members(label)
                )
                for label in model.labels
            ]
        )
        apart = found[t] - expected  # of MaxEnt only differences count: its scores are normalised
        np.testing.assert_allclose(apart - apart[0], 0.0, atol=1e-9)


@pytest.mark.parametrize("kind", MODELS)
def test_templates_by_group_and_a_label_without_features_of_its_own(
    kind: type[LinearModel], tmp_path: Path
) -> None:
    model = kind(groups=GROUPS, group_features="id:", label_features=["A0", "A1", "A2"]).fit(X, Y)
    fired = set(model.state_features_)
    assert {output for attribute, output in fired if attribute.startswith("id:")} == set(GROUPS)
    assert {output for attribute, output in fired if attribute.startswith("cls:")} <= {"A0", "A1", "A2"}
    model.save(tmp_path / "model.lawful")
    again = lawful.load_model(tmp_path / "model.lawful")
    assert again.get_params(deep=False) == model.get_params(deep=False)
    assert again.predict(X) == model.predict(X)
    assert np.array_equal(again.lattice(X[0]).emissions, model.lattice(X[0]).emissions)


@pytest.mark.parametrize("kind", MODELS)
def test_templates_of_some_groups_only(kind: type[LinearModel], tmp_path: Path) -> None:
    """Attributes for the named groups; all others fire for single labels and for the groups beside them."""
    groups = {**GROUPS, "early": ["A0", "A1"]}
    model = kind(groups=groups, group_features=("id:", list(GROUPS))).fit(X, Y)
    fired = set(model.state_features_)
    assert {output for attribute, output in fired if attribute.startswith("id:")} == set(GROUPS)
    others = {output for attribute, output in fired if not attribute.startswith("id:")}
    assert "early" in others and not others & set(GROUPS)
    model.save(tmp_path / "model.lawful")
    again = lawful.load_model(tmp_path / "model.lawful")
    assert again.get_params(deep=False) == model.get_params(deep=False)
    assert np.array_equal(again.lattice(X[0]).emissions, model.lattice(X[0]).emissions)
    with pytest.raises(InputError, match="group_features name 'nobody', which is none of the groups"):
        kind(groups=groups, group_features=("id:", ["nobody"])).fit(X, Y)


def naive_perceptron(epochs: int, margin: float) -> tuple[dict[Any, float], dict[Any, float]]:
    """Last and averaged weights, by the definition: the mean over the first weights and those after each token."""
    weights: dict[Any, float] = defaultdict(float)
    total: dict[Any, float] = defaultdict(float)
    seen = {
        (a, o)
        for xs, ys in zip(X, Y, strict=True)
        for row, y in zip(xs, ys, strict=True)
        for a in row
        for o in members(y)
    }
    steps = 1
    labels = sorted(LABELS)
    for _ in range(epochs):
        for xs, ys in zip(X, Y, strict=True):
            for row, gold in zip(xs, ys, strict=True):
                scores = {label: sum(weights[a, o] for a in row for o in members(label)) for label in labels}
                rival = max((label for label in labels if label != gold), key=lambda label: scores[label])
                if scores[gold] - scores[rival] <= margin:
                    for label, by in ((gold, 1.0), (rival, -1.0)):
                        for a in row:
                            for o in members(label):
                                if (a, o) in seen:
                                    weights[a, o] += by
                steps += 1
                for key, value in weights.items():
                    total[key] += value
    return weights, {key: value / steps for key, value in total.items()}


@pytest.mark.parametrize("margin", [0.0, 1.5])
def test_the_perceptron_learns_as_its_definition_says(margin: float) -> None:
    last, averaged = naive_perceptron(3, margin)
    for averaging, expected in (("last", last), ("averaged", averaged)):
        model = Perceptron(groups=GROUPS, epochs=3, margin=margin, shuffle=False, averaging=averaging).fit(
            X, Y
        )
        found = dict(model.state_features_)
        assert set(found) == {key for key, value in expected.items() if abs(value) > 1e-12}
        for key, value in found.items():
            assert value == pytest.approx(expected[key], abs=1e-9)


def test_the_voted_perceptron_replays_groups() -> None:
    model = Perceptron(groups=GROUPS, epochs=2, averaging="voted", max_vectors=None).fit(X, Y)
    votes = model.lattice(X[0]).emissions
    np.testing.assert_allclose(votes.sum(axis=1), 1.0)
    assert len({tuple(row) for sequence in X[:10] for row in model.lattice(sequence).emissions.round(9)}) > 1


def test_shared_features_help_a_rare_label() -> None:
    # A1 was seen with "id:x" once; that "id:x" means an argument was seen often, by A0.
    rows = [["id:x", "cls:a"]] * 9 + [["id:x", "cls:b"]] + [["id:y", "cls:b"]] * 4
    gold = ["A0"] * 9 + ["A1"] + ["N"] * 4
    groups = {"arg": ["A0", "A1"], "none": ["N"]}
    apart = MaxEnt(c2=1.0).fit([rows], [gold])
    shared = MaxEnt(c2=1.0, groups=groups, group_features="id:", label_features=["A0", "A1"]).fit(
        [rows], [gold]
    )
    where = list(apart.labels).index("A1")
    probability = [
        np.exp(model.lattice([["id:x", "cls:b"]]).emissions[0, where]) for model in (apart, shared)
    ]
    assert probability[1] > probability[0]


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="group_features need groups"):
        MaxEnt(group_features="id:").fit(X, Y)
    with pytest.raises(InputError, match="label_features must be True, False or a list of labels, got 'A0'"):
        Perceptron(groups=GROUPS, label_features="A0").fit(X, Y)
    with pytest.raises(UnknownLabelError, match="A7"):
        StructuredPerceptron(groups=GROUPS, label_features=["A7"]).fit(X, Y)
    with pytest.raises(InputError, match="without features of single labels there must be groups"):
        MaxEnt(label_features=False).fit(X, Y)
