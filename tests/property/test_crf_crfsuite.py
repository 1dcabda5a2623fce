"""CRFsuite is the judge: the same features, marginals, optimum and objective on corpora that are made here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pycrfsuite
import pytest

import lawful
from lawful.adapters.crfsuite.model_file import CrfsuiteWeights, read_weights
from lawful.models.linear.scoring import Scorer

LABELS = ["B-NP", "I-NP", "B-VP", "O"]


def corpus(seed: int, *, size: int = 60, valued: bool = False) -> tuple[list[Any], list[list[str]]]:
    """Words that suggest labels, with noise, so that the optimum is finite and no weight is zero by symmetry."""
    rng = np.random.default_rng(seed)
    X, y = [], []
    for _ in range(size):
        length = int(rng.integers(1, 12))
        words = rng.zipf(1.4, size=length + 2) % 40
        labels = [
            LABELS[int(word) % 4] if rng.random() < 0.7 else LABELS[int(rng.integers(4))]
            for word in words[1:-1]
        ]
        items: list[Any] = []
        for t in range(1, length + 1):
            names = [
                "bias",
                f"w={words[t]}",
                f"w-1={words[t - 1]}",
                f"w+1={words[t + 1]}",
                f"last={words[t] % 7}",
            ]
            items.append({name: float(rng.uniform(0.5, 2)) for name in names} if valued else names)
        X.append(items)
        y.append(labels)
    return X, y


class Watched(pycrfsuite.Trainer):
    """Remembers the last objective that CRFsuite logs."""

    objective = float("nan")

    def message(self, message: str) -> None:
        for line in message.splitlines():
            if line.startswith("Loss: "):
                self.objective = float(line.removeprefix("Loss: "))


def crfsuite(path: Path, X: list[Any], y: list[list[str]], **params: Any) -> tuple[CrfsuiteWeights, float]:
    trainer = Watched(algorithm="lbfgs", verbose=False)
    for items, labels in zip(X, y, strict=True):
        trainer.append(items, labels)
    trainer.set_params({"max_iterations": 5000, "epsilon": 1e-7, "delta": 1e-12, **params})
    trainer.train(str(path))
    return read_weights(path.read_bytes()), trainer.objective


def with_their_weights(model: lawful.CRF, theirs: CrfsuiteWeights) -> Scorer:
    """Our fitted model with every weight replaced by CRFsuite's for the same feature; the features must be the same."""
    known = {
        (theirs.attributes[a], theirs.labels[theirs.targets[f]]): theirs.weights[f]
        for a in range(len(theirs.attributes))
        for f in range(theirs.row_starts[a], theirs.row_starts[a + 1])
    }
    weights = model._weights
    state = model.state_features_
    assert set(state) == set(known)
    names = theirs.labels
    edges = [theirs.transitions[names.index(a), names.index(b)] for a, b in model.transition_features_]
    assert np.count_nonzero(theirs.transitions) == len(edges)
    values = np.array([*(known[key] for key in state), *edges])
    return Scorer(model.labels, replace(weights, values=values))


@pytest.mark.parametrize("valued", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"feature.possible_states": True},
        {"feature.possible_transitions": True},
        {"feature.minfreq": 2.0},
    ],
    ids=["plain", "all states", "all transitions", "min count"],
)
def test_the_same_weights_give_the_same_marginals(
    tmp_path: Path, options: dict[str, Any], *, valued: bool
) -> None:
    X, y = corpus(1, valued=valued)
    theirs, _ = crfsuite(tmp_path / "model", X, y, c1=0.0, c2=0.3, max_iterations=25, **options)
    model = lawful.CRF(
        c2=0.3,
        all_states=options.get("feature.possible_states", False),
        all_transitions=options.get("feature.possible_transitions", False),
        min_count=options.get("feature.minfreq", 0.0),
        max_iterations=3,
    ).fit(X, y)
    scorer = with_their_weights(model, theirs)
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "model"))
    unseen, _ = corpus(2, size=20, valued=valued)
    found = scorer.marginals(unseen, jobs=1)
    tagged = scorer.tag(unseen, jobs=1)
    lattices = scorer.lattices(unseen, jobs=1)
    for items, mine, labels, lattice in zip(unseen, found, tagged, lattices, strict=True):
        tagger.set(items)
        judged = [[tagger.marginal(label, t) for label in model.labels] for t in range(len(items))]
        np.testing.assert_allclose(mine, judged, atol=1e-9)
        assert labels == tagger.tag() == list(lawful.decode(lattice).labels)
        np.testing.assert_allclose(lawful.marginals(lattice).labels, judged, atol=1e-9)


@pytest.mark.parametrize("c2", [0.05, 1.0, 10.0])
def test_the_optimum_is_crfsuites(tmp_path: Path, c2: float) -> None:
    X, y = corpus(3, size=80)
    theirs, objective = crfsuite(tmp_path / "model", X, y, c1=0.0, c2=c2)
    model = lawful.CRF(c2=c2, tolerance=1e-10).fit(X, y)
    assert model.objective_ == pytest.approx(objective, rel=1e-6)
    judged = with_their_weights(model, theirs)
    np.testing.assert_allclose(model.weights_, judged.weights.values, atol=2e-3)


def subgradients(model: lawful.CRF, X: list[Any], y: list[list[str]]) -> Iterator[tuple[float, float]]:
    """Each weight with the slope of the smooth part there, over the features before zeros were left out."""
    from lawful import _core
    from lawful.models.linear.attributes import core_sequences
    from lawful.models.linear.fitting import AttributeCorpus, FeatureChoice
    from lawful.models.linear.outputs import Outputs

    read = AttributeCorpus.read(X, X, [None], None)
    gold = np.array([model.labels.index(label) for labels in y for label in labels], dtype=np.int32)
    empty, observed = FeatureChoice(False, False, 0.0, False, False).weights(
        read, gold, model.labels, Outputs.of(model.labels)
    )
    weights = model._weights.carried_to(empty)
    _, gradient = _core.linear_objective(
        empty.layout, core_sequences(read.sequences), None, observed, weights, threads=1
    )
    yield from zip(weights, gradient + 2 * model.c2 * weights, strict=True)


@pytest.mark.parametrize(("c1", "c2"), [(0.5, 0.0), (1.0, 0.1), (3.0, 0.0)])
def test_owl_qn_ends_where_no_direction_leads_down(tmp_path: Path, c1: float, c2: float) -> None:
    X, y = corpus(4, size=80)
    model = lawful.CRF(c1=c1, c2=c2, tolerance=1e-10, max_iterations=3000).fit(X, y)
    zeros = 0
    for weight, slope in subgradients(model, X, y):
        if weight == 0:
            zeros += 1
            assert abs(slope) <= c1 + 1e-3
        else:
            assert slope + c1 * np.sign(weight) == pytest.approx(0, abs=1e-3)
    assert zeros > 20
    assert len(model.weights_) == np.count_nonzero(model.weights_)
    _, objective = crfsuite(tmp_path / "model", X, y, c1=c1, c2=c2)
    assert model.objective_ <= objective * (1 + 1e-6)


def test_sgd_comes_near_the_optimum() -> None:
    X, y = corpus(5, size=100)
    best = lawful.CRF(c2=1.0, tolerance=1e-9).fit(X, y).objective_
    model = lawful.CRF(algorithm="sgd", c2=1.0, max_iterations=200, tolerance=0.0).fit(X, y)
    assert best <= min(one.objective for one in model.history_) <= best * 1.02
    again = lawful.CRF(algorithm="sgd", c2=1.0, max_iterations=200, tolerance=0.0).fit(X, y)
    assert np.array_equal(model.weights_, again.weights_)
