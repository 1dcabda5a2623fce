"""The CRF with templates: for labels, for groups, for transitions; its attributes, files and rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lawful
from lawful.errors import FeatureError
from lawful.models.features import Features, at, bias, function, join, suffix, window, word

WORDS = ["the", "old", "dog", "sees", "a", "cat", "quickly", "."]
TAGS = {"the": "D", "a": "D", "old": "A", "dog": "N.1", "cat": "N.2", "sees": "V", "quickly": "A", ".": "O"}


def corpus(seed: int = 0, size: int = 30) -> tuple[list[list[str]], list[list[str]]]:
    rng = np.random.default_rng(seed)
    X = [[WORDS[i] for i in rng.integers(len(WORDS), size=int(rng.integers(1, 8)))] for _ in range(size)]
    return X, [[TAGS[token] if rng.random() < 0.8 else "O" for token in tokens] for tokens in X]


TEMPLATES = Features(bias(), window(word(), -1, 1), suffix(2), join(at(-1, word()), word()))


def test_templates_give_what_their_attributes_give() -> None:
    X, y = corpus()
    templates = lawful.CRF(TEMPLATES).fit(X, y)
    items = lawful.CRF().fit([TEMPLATES.attributes(tokens) for tokens in X], y)
    assert dict(templates.state_features_) == pytest.approx(dict(items.state_features_))
    assert templates.predict(X) == items.predict([TEMPLATES.attributes(tokens) for tokens in X])
    assert templates.lattice(X[0]).tokens == tuple(X[0])
    dog = lawful.when(lawful.token.is_in(["dog"])).then("V")
    found = templates.predict(X, rules=dog)
    pairs = [
        pair for tokens, labels in zip(X, found, strict=True) for pair in zip(tokens, labels, strict=True)
    ]
    assert all(label == "V" for said, label in pairs if said == "dog")


@pytest.mark.parametrize(
    "parameters",
    [
        {"features": TEMPLATES},
        {"features": Features(word(), suffix(3), hash_bits=10)},
        {"features": Features(word(), hash_bits=10, signed=True), "c1": 0.2},
        {"features": Features(word()), "transition_features": Features(bias(), word(), at(-1, word()))},
        {
            "features": Features(word()),
            "groups": "prefix",
            "group_features": Features(suffix(1), bias()),
            "end": True,
        },
        {
            "features": Features(word()),
            "groups": "prefix",
            "transition_features": Features(word()),
            "c1": 0.1,
        },
    ],
    ids=["templates", "hashed", "hashed and signed", "pairs", "groups", "all"],
)
@pytest.mark.parametrize("algorithm", ["lbfgs", "averaged_perceptron", "sgd"])
def test_lattices_marginals_labels_and_files_agree(
    tmp_path: Path, algorithm: str, parameters: dict[str, Any]
) -> None:
    X, y = corpus(1)
    if algorithm != "lbfgs":
        parameters = {**parameters, "c1": 0.0}
    model = lawful.CRF(**parameters, algorithm=algorithm, max_iterations=15).fit(X, y)
    model.save(tmp_path / "model.lawful")
    again = lawful.load_model(tmp_path / "model.lawful")
    unseen, _ = corpus(2)
    lattices = list(model.lattices(unseen))
    assert (
        model.predict(unseen)
        == again.predict(unseen)
        == [list(lawful.decode(one).labels) for one in lattices]
    )
    for tokens, lattice, found in zip(unseen, lattices, model.predict_marginals(unseen), strict=True):
        np.testing.assert_allclose(found, lawful.marginals(lattice).labels, atol=1e-9)
        other = again.lattice(tokens)
        assert lattice.emissions.tobytes() == other.emissions.tobytes()
        assert np.asarray(lattice.transitions).tobytes() == np.asarray(other.transitions).tobytes()


def test_transition_features_see_the_token_between_two_labels() -> None:
    """Labels alternate after a comma and stay otherwise: no state feature can say that."""
    rng = np.random.default_rng(3)
    X = [[",", *rng.choice([",", "x"], size=6).tolist()] for _ in range(80)]
    y = []
    for tokens in X:
        labels = [str(rng.choice(["A", "B"]))]
        for said in tokens[1:]:
            labels.append(labels[-1] if said == "x" else {"A": "B", "B": "A"}[labels[-1]])
        y.append(labels)
    state = Features(word())
    plain = lawful.CRF(state, c2=0.01, start=True).fit(X, y)
    paired = lawful.CRF(state, transition_features=Features(word()), c2=0.01, start=True).fit(X, y)
    assert paired.objective_ < plain.objective_ / 3
    lattice = paired.lattice(["x", ",", "x"])
    assert lattice.transitions is not None and lattice.transitions.shape == (2, 2, 2)
    (after_comma, otherwise), (a, b) = lattice.transitions, (0, 1)
    assert after_comma[a, b] > after_comma[a, a] and otherwise[a, a] > otherwise[a, b]


def test_group_features_fire_for_groups_only() -> None:
    X, y = corpus(4)
    model = lawful.CRF(Features(word()), groups="prefix", group_features=Features(suffix(1))).fit(X, y)
    for attribute, output in model.state_features_:
        assert attribute.startswith("word=") == (output != "N.*")
        assert attribute.startswith("suffix1=") == (output == "N.*")


def test_functions_are_asked_for_by_name(tmp_path: Path) -> None:
    def size(tokens: list[str], t: int) -> list[str]:
        return [str(len(tokens[t]))]

    X, y = corpus(5)
    model = lawful.CRF(Features(word(), function("size", size))).fit(X, y)
    model.save(tmp_path / "model.lawful")
    with pytest.raises(FeatureError, match="your function 'size'"):
        lawful.load_model(tmp_path / "model.lawful")
    again = lawful.load_model(tmp_path / "model.lawful", functions={"size": size})
    assert again.predict(X) == model.predict(X)
