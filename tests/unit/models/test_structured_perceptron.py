"""The structured perceptron and its hooks, against a few lines of Python that search all labellings."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

import lawful
from lawful.errors import InputError

Feature = tuple[str, ...]
Items = list[list[str]]


def corpus(seed: int, count: int = 12) -> tuple[list[Items], list[list[str]]]:
    rng = np.random.default_rng(seed)
    X: list[Items] = []
    y: list[list[str]] = []
    for _ in range(count):
        length = int(rng.integers(1, 5))
        X.append([[f"w={rng.integers(6)}", f"s={rng.integers(3)}"] for _ in range(length)])
        y.append([str(rng.choice(["A", "B", "C"])) for _ in range(length)])
    return X, y


def fired(items: Items, labels: tuple[str, ...]) -> Counter[Feature]:
    states = [("state", name, label) for item, label in zip(items, labels, strict=True) for name in item]
    return Counter(states + [("edge", before, here) for before, here in pairwise(labels)])


class Reference:
    """Every weight vector there ever was, each with the number of sequences that it survived."""

    def __init__(self, X: list[Items], y: list[list[str]]) -> None:
        self.names = sorted({label for labels in y for label in labels})
        self.known = {one for items, labels in zip(X, y, strict=True) for one in fired(items, tuple(labels))}
        self.vectors: list[dict[Feature, float]] = [defaultdict(float)]
        self.survived = [0]

    def best(
        self, weights: dict[Feature, float], items: Items, gold: tuple[str, ...], margin: float
    ) -> tuple[str, ...]:
        def score(labels: tuple[str, ...]) -> float:
            wrong = sum(one != other for one, other in zip(labels, gold, strict=True)) if gold else 0
            found = sum(weights[f] * n for f, n in fired(items, labels).items() if f in self.known)
            return found + margin * wrong

        return max(product(self.names, repeat=len(items)), key=score)  # the first among equals

    def see(self, items: Items, gold: tuple[str, ...], margin: float, rate: float) -> None:
        weights = self.vectors[-1]
        best = self.best(weights, items, gold, margin)
        if best == gold:
            self.survived[-1] += 1
            return
        after = defaultdict(float, weights)
        for sign, labels in ((rate, gold), (-rate, best)):
            for f, n in fired(items, labels).items():
                if f in self.known:
                    after[f] += sign * n
        self.vectors.append(after)
        self.survived.append(1)


def named(model: lawful.StructuredPerceptron) -> dict[Feature, float]:
    found = {("state", *key): weight for key, weight in model.state_features_.items()}
    found |= {("edge", *key): weight for key, weight in model.transition_features_.items()}
    return {key: weight for key, weight in found.items() if abs(weight) > 1e-12}


def trained(seed: int, epochs: int, margin: float, rate: float) -> Reference:
    X, y = corpus(seed)
    reference, rng = Reference(X, y), np.random.default_rng(seed)
    for _ in range(epochs):
        for n in rng.permutation(len(X)):
            reference.see(X[n], tuple(y[n]), margin, rate)
    return reference


@pytest.mark.parametrize(("margin", "rate"), [(0.0, 1.0), (0.75, 1.0), (1.5, 0.5)])
@pytest.mark.parametrize("seed", range(2))
def test_the_last_weights_and_the_average_are_the_references(seed: int, margin: float, rate: float) -> None:
    X, y = corpus(seed)
    reference = trained(seed, 3, margin, rate)
    options = {"epochs": 3, "margin": margin, "rate": rate, "seed": seed}
    last = lawful.StructuredPerceptron(averaging="last", **options).fit(X, y)
    assert named(last) == pytest.approx({f: w for f, w in reference.vectors[-1].items() if w})
    sums: dict[Feature, float] = defaultdict(float)
    for weights, survived in zip(reference.vectors, reference.survived, strict=True):
        for f, weight in weights.items():
            sums[f] += weight * survived
    total = 3 * len(X)  # the mean of the weights after each step: the zeros at the start do not count
    average = lawful.StructuredPerceptron(**options).fit(X, y)
    assert named(average) == pytest.approx({f: w / total for f, w in sums.items() if abs(w) > 1e-9})


@pytest.mark.parametrize("max_vectors", [None, 3])
def test_votes_are_the_references(max_vectors: int | None) -> None:
    X, y = corpus(4)
    reference = trained(4, 3, 0.0, 1.0)
    model = lawful.StructuredPerceptron(epochs=3, averaging="voted", max_vectors=max_vectors, seed=4).fit(
        X, y
    )
    asked, _ = corpus(5, count=6)
    order = sorted(range(len(reference.survived)), key=lambda n: -reference.survived[n])
    chosen = order if max_vectors is None else order[:max_vectors]
    for items in asked:
        votes = np.zeros((len(items), 3))
        for n in chosen:
            for t, label in enumerate(reference.best(reference.vectors[n], items, (), 0.0)):
                votes[t, reference.names.index(label)] += reference.survived[n]
        shares = votes / votes.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(model.lattice(items).emissions, shares)
        assert model.predict([items])[0] == [reference.names[k] for k in shares.argmax(axis=1)]


def test_single_steps_make_the_same_model_as_fit() -> None:
    X, y = corpus(1)
    whole = lawful.StructuredPerceptron(epochs=4, margin=0.5, seed=3).fit(X, y)
    model = lawful.StructuredPerceptron(epochs=4, margin=0.5)
    learner = model.learner(X, y)
    decoder = lawful.Decoder(labels=learner.labels)
    rng = np.random.default_rng(3)
    for epoch in range(4):
        for n in rng.permutation(len(learner)):
            lattice = learner.lattice(n, margin=True)
            found = decoder.decode(lattice)
            assert [learner.labels[k] for k in learner.best(n, margin=True)] == list(found.labels)
            learner.update(n, found.labels if epoch % 2 else learner.ids(found.labels))
            learner.advance()
    assert learner.time == 4 * len(X) + 1
    assert learner.finish() is model
    np.testing.assert_allclose(model.weights_, whole.weights_, rtol=0, atol=1e-12)


def test_transition_features_and_ends_score_as_in_the_model() -> None:
    X = [[{"w=a": 0.5}, {"w=b": 2.0}, {"w=a": 1.0}], [{"w=b": 1.0}]]
    y = [["A", "B", "A"], ["B"]]
    pairs = lawful.features.Features(
        lawful.features.function("same", lambda tokens, t: [str(sorted(tokens[t]))])
    )
    model = lawful.StructuredPerceptron(
        transition_features=pairs, start=True, end=True, averaging="last", epochs=2
    )
    learner = model.learner(X, y, unlabelled=[[{"w=b": 3.0}, {"w=a": 1.0}]])
    learner.epoch(np.arange(2))
    assert learner.update(2, ["A", "A"], wanted=["B", "A"], rate=0.25)
    assert not learner.update(0, ["A", "B", "A"])
    learner.finish()
    for n, tokens in enumerate(learner.tokens):
        now, then = learner.lattice(n), model.lattice(tokens)
        np.testing.assert_allclose(now.emissions, then.emissions)
        for one, other in ((now.transitions, then.transitions), (now.start, then.start), (now.end, then.end)):
            # weights of 0 are left out of the model
            np.testing.assert_allclose(one, np.zeros(np.shape(one)) if other is None else other)


@pytest.mark.parametrize("averaging", ["averaged", "voted", "last"])
def test_a_file_holds_all_of_it(averaging: str, tmp_path: Path) -> None:
    X, y = corpus(2)
    model = lawful.StructuredPerceptron(epochs=3, averaging=averaging).fit(X, y)
    model.save(tmp_path / "a.lawful")
    again = lawful.load_model(tmp_path / "a.lawful")
    assert again.get_params() == model.get_params()
    for items in X:
        np.testing.assert_array_equal(again.lattice(items).emissions, model.lattice(items).emissions)
    again.save(tmp_path / "b.lawful")
    assert (tmp_path / "a.lawful").read_bytes() == (tmp_path / "b.lawful").read_bytes()


def test_wrong_parameters_are_refused() -> None:
    for bad in ({"epochs": 0}, {"margin": -1.0}, {"averaging": "all"}, {"max_vectors": 0}, {"rate": 0.0}):
        with pytest.raises(InputError, match=next(iter(bad))):
            lawful.StructuredPerceptron(**bad).fit([[["a"]]], [["A"]])  # type: ignore[arg-type]
    learner = lawful.StructuredPerceptron().learner([[["a"]]], [["A"]])
    with pytest.raises(InputError, match="unknown label 'Z'"):
        learner.update(0, ["Z"])
    with pytest.raises(InputError, match="averaging='voted'"):
        _ = learner.weight_history
