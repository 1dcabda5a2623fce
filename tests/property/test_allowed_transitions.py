"""Models in which only some labels may stand side by side: their probabilities and answers are what enumeration, or plain loops, say."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import lawful
from lawful.errors import InputError
from lawful.lattice import Lattice, TagLattice
from lawful.lattice.columns import Columns
from lawful.models import CRF, StructuredPerceptron
from lawful.models.features import Features, word

Floats = npt.NDArray[np.float64]


def random_corpus(
    seed: int, count: int, followers: int
) -> tuple[list[list[list[str]]], list[list[str]], list[tuple[str, str]]]:
    """Walks through a random graph of labels, in which each has a few followers."""
    rng = np.random.default_rng(seed)
    labels = [f"L{number:03}" for number in range(count)]
    pairs = [
        (labels[source], labels[target])
        for source in range(count)
        # Neighbours, so that whole blocks of a row are empty, and some label far away.
        for target in sorted({*((source + np.arange(followers)) % count), int(rng.integers(count))})
    ]
    after: dict[str, list[str]] = {}
    for source, target in pairs:
        after.setdefault(source, []).append(target)
    X, y = [], []
    for _ in range(max(12, count)):
        walk = [labels[rng.integers(count)]]
        while len(walk) < rng.integers(1, 6):
            walk.append(after[walk[-1]][rng.integers(len(after[walk[-1]]))])
        y.append(walk)
        X.append([[f"a{rng.integers(5)}", f"b{rng.integers(9)}"] for _ in walk])
    return X, y, pairs


def log_sums(lattice: lawful.Lattice) -> tuple[float, Floats]:
    """The log-partition and the marginals of a trellis, by plain loops over logs."""
    steps = lattice.transitions
    assert steps is not None
    with np.errstate(divide="ignore"):
        forward = [lattice.emissions[0]]
        for row in lattice.emissions[1:]:
            forward.append(np.logaddexp.reduce(forward[-1][:, None] + steps, axis=0) + row)
        backward = [np.zeros(lattice.emissions.shape[1])]
        for row in lattice.emissions[:0:-1]:
            backward.append(np.logaddexp.reduce(steps + row + backward[-1], axis=1))
    total = float(np.logaddexp.reduce(forward[-1]))
    return total, np.exp(np.array(forward) + np.array(backward[::-1]) - total)


@pytest.mark.parametrize("seed", range(6))
def test_the_likelihood_is_over_what_is_allowed(seed: int) -> None:
    X, y, pairs = random_corpus(seed, 4, 1)
    groups = {"even": ["L000", "L002"], "all": [f"L00{k}" for k in range(4)]}
    model = CRF(allowed_transitions=pairs, groups=groups, c2=0.1, max_iterations=5, tolerance=0).fit(X, y)
    wanted = 0.1 * float(np.square(model.weights_).sum())
    for tokens, gold in zip(X, y, strict=True):
        lattice = model.lattice(tokens)
        paths = [
            labels
            for labels in product(model.labels, repeat=len(tokens))
            if all(pair in pairs for pair in pairwise(labels))
        ]
        scores = np.array([sum(lattice.terms(np.array(model.labels.encode(path)))) for path in paths])
        total = np.logaddexp.reduce(scores)
        wanted -= scores[paths.index(tuple(gold))] - total
        marginals = np.zeros((len(tokens), len(model.labels)))
        for path, score in zip(paths, scores, strict=True):
            marginals[np.arange(len(tokens)), model.labels.encode(path)] += np.exp(score - total)
        assert np.allclose(model.predict_marginals([tokens])[0], marginals)
        assert tuple(model.predict([tokens])[0]) == paths[int(scores.argmax())]
    assert model.objective_ == pytest.approx(wanted)


@pytest.mark.parametrize("count", [70, 150])
def test_many_labels_with_few_steps(count: int) -> None:
    """So many that the kernels skip blocks of forbidden steps."""
    X, y, pairs = random_corpus(count, count, 9)
    model = CRF(allowed_transitions=pairs, c2=0.05, max_iterations=8).fit(X, y)
    for tokens, marginals in zip(X, model.predict_marginals(X), strict=True):
        assert np.allclose(marginals, log_sums(model.lattice(tokens))[1], atol=1e-9)
    found = model.predict(X)
    assert found == [list(lawful.decode(model.lattice(tokens)).labels) for tokens in X]
    for tokens, labels in zip(X, found, strict=True):
        lattice, steps = model.lattice(tokens), model.lattice(tokens).transitions
        assert steps is not None
        reach = lattice.emissions[0]
        for row in lattice.emissions[1:]:
            reach = (reach[:, None] + steps).max(axis=0) + row
        assert lawful.decode(lattice).score == pytest.approx(reach.max())
        assert all(pair in pairs for pair in pairwise(labels))


@pytest.mark.parametrize("seed", range(20))
def test_tags_with_histories_answer_as_if_no_step_were_skipped(seed: int) -> None:
    """Columns stand in the order of labels, which settles draws; steps are skipped in another order, and there are many draws."""
    rng = np.random.default_rng(seed)
    labels, histories, length = ["O", "A", "B", "C", "D"], 25, 7
    tags = [f"{label}/{history}" for history in range(histories) for label in labels]
    pairs = {tag: tag[0] for tag in tags}
    history_of = np.array([history for history in range(histories) for _ in labels])
    leads_to = rng.integers(histories // 2, size=len(tags))  # one of so many pairs of histories
    steps = leads_to[:, None] == history_of // 2
    columns = Columns(pairs, tags=tags, labels=labels, steps=steps)
    scores = Lattice(
        rng.integers(-1, 2, size=(length, len(tags))).astype(float),
        rng.integers(-1, 2, size=(len(tags), len(tags))).astype(float),
        labels=tags,
    )
    lattice = TagLattice(scores, columns)
    spread = lattice.spread()
    steps_of_columns = spread.transitions
    assert steps_of_columns is not None
    assert np.isneginf(steps_of_columns).mean() > 0.8
    low = np.where(np.isneginf(steps_of_columns), -1000.0, steps_of_columns)  # finite: no step is skipped
    all_steps = TagLattice(
        Lattice(spread.emissions, low, labels=spread.labels),
        Columns({name: pairs[name] for name in spread.labels}, tags=spread.labels, labels=labels),
    )
    for rules in (lawful.Rules(), lawful.Rules([lawful.at_most(1, "A"), lawful.at_least(2, "B")])):
        found, wanted = (lawful.decode(one, rules) for one in (lattice, all_steps))
        assert (found.labels, found.score, found.status) == (wanted.labels, wanted.score, wanted.status)


def test_gradients_are_those_of_the_objective() -> None:
    X, y, pairs = random_corpus(3, 70, 9)
    model = CRF(allowed_transitions=pairs, c2=0.05, max_iterations=3, tolerance=0).fit(X, y)
    values = [step.objective for step in model.history_]
    assert values == sorted(values, reverse=True)
    plain = CRF(
        allowed_transitions=[(a, b) for a in model.labels for b in model.labels], c2=0.05, max_iterations=3
    )
    # All steps allowed is the same model as one without the parameter, by other code.
    assert np.allclose(plain.fit(X, y).weights_, CRF(c2=0.05, max_iterations=3).fit(X, y).weights_, atol=1e-9)


def test_the_perceptron_learns_and_answers_what_is_allowed(tmp_path: Path) -> None:
    X, y, pairs = random_corpus(5, 80, 9)
    groups = {"some": sorted({label for labels in y for label in labels})[:40]}
    model = StructuredPerceptron(allowed_transitions=pairs, epochs=3, groups=groups).fit(X, y)
    found = model.predict(X)
    assert all(pair in pairs for labels in found for pair in pairwise(labels))
    model.save(tmp_path / "model.lawful")
    again = lawful.load_model(tmp_path / "model.lawful")
    assert again.predict(X) == found
    longest = max(X, key=len)
    assert np.array_equal(again.lattice(longest).transitions, model.lattice(longest).transitions)  # type: ignore[arg-type]


def test_what_is_refused() -> None:
    X, y = [[["a"], ["b"]]], [["A", "B"]]
    with pytest.raises(InputError, match="sequence 1 of the training data has 'B' after 'A'"):
        CRF(allowed_transitions=[("A", "A"), ("B", "A")]).fit(X, y)
    with pytest.raises(InputError, match="name no pair of the labels"):
        CRF(allowed_transitions=[("X", "Y")]).fit(X, y)
    with pytest.raises(InputError, match="no label can follow another for long"):
        CRF(allowed_transitions=[("A", "B")]).fit(X, y)
    features = Features(word())
    with pytest.raises(InputError, match="cannot be combined with transition_features"):
        CRF(allowed_transitions=[("A", "B"), ("B", "A")], transition_features=features).fit([["a", "b"]], y)
