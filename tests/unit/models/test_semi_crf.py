"""The semi-CRF against the enumeration of all segmentations, and against the CRF where it is one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import logsumexp

import lawful
from lawful.errors import FeatureError, InputError
from lawful.models.features import Features, at, lower, word
from lawful.models.linear.fitting import FeatureChoice
from lawful.models.linear.training import TrainingOptions
from lawful.models.semi_crf import segments as sg
from lawful.models.semi_crf.model import SemiCRF
from lawful.models.semi_crf.segments.attributes import SegmentAttributes
from lawful.models.semi_crf.training import SemiLbfgs

WORDS = ["ann", "lee", ",", "in", "1998"]


def corpus(seed: int, count: int = 8) -> tuple[list[list[str]], list[list[str]]]:
    rng = np.random.default_rng(seed)
    X = [[str(rng.choice(WORDS)) for _ in range(rng.integers(1, 6))] for _ in range(count)]
    y = [[str(label) for label in np.sort(rng.choice(["A", "B", "C"], size=len(words)))] for words in X]
    return X, y


def is_even(tokens: Any, start: int, end: int) -> dict[str, float]:
    return {"even": float((end - start) % 2 == 0), "commas": 0.5 * tokens[start:end].count(",")}


SEEN = sg.SegmentFeatures(
    sg.length(cap=3),
    sg.length(buckets=[1, 2]),
    sg.first(word(), at(-1, lower())),
    sg.last(word()),
    sg.text(longest=2),
    sg.in_list("names", ["Ann Lee", "ann"]),
    sg.function("even", is_even),
)


def segmentations(model: SemiCRF, length: int) -> Iterator[list[sg.Segment]]:
    shape = model.segmentation_
    for cuts in product([False, True], repeat=length - 1):
        borders = [0, *(t for t, cut in enumerate(cuts, 1) if cut), length]
        spans = list(pairwise(borders))
        for labels in product(range(len(shape.names)), repeat=len(spans)):
            if any(j == k and not shape.repeats[j] for j, k in pairwise(labels)):
                continue
            if all(end - start <= shape.longest[k] for (start, end), k in zip(spans, labels, strict=True)):
                yield [sg.Segment(*span, shape.names[k]) for span, k in zip(spans, labels, strict=True)]


def score(model: SemiCRF, tokens: list[str], segments: list[sg.Segment]) -> float:
    """By the names of the features, as a user would read them off."""
    state, edges = model.state_features_, model.transition_features_
    templates = Features(word())
    first, last = SEEN.first, SEEN.last
    width = max(model.segmentation_.longest)
    rows, lengths = SEEN.items(tokens, width), SEEN.lengths(width)
    assert first is not None
    assert last is not None
    assert lengths is not None
    total = 0.0
    for before, one in pairwise([None, *segments]):
        assert one is not None
        found: dict[str, float] = {}

        def add(names: Any, prefix: str = "", found: dict[str, float] = found) -> None:
            for name in names:
                found[prefix + name] = found.get(prefix + name, 0.0) + 1.0

        for t in range(one.start, one.end):
            add(templates.attributes(tokens)[t])
        add(first.attributes(tokens)[one.start], "first:")
        add(last.attributes(tokens)[one.end - 1], "last:")
        add(lengths[one.end - one.start - 1])
        row = rows[one.start * width + one.end - one.start - 1]
        for name, value in (row if isinstance(row, dict) else dict.fromkeys(row, 1.0)).items():
            if isinstance(value, dict):
                for inner, number in value.items():
                    found[f"{name}:{inner}"] = number
            else:
                found[name] = value
        total += sum(state.get((name, one.label), 0.0) * value for name, value in found.items())
        if before is not None:
            total += edges.get((before.label, one.label), 0.0)
    return total


@pytest.fixture(scope="module")
def model() -> SemiCRF:
    X, y = corpus(0)
    return lawful.SemiCRF(Features(word()), SEEN, max_length=4, c2=0.05).fit(X, y)


def test_best_sums_and_graphs_are_those_of_the_enumeration(model: SemiCRF) -> None:
    X, _ = corpus(1)
    labels = list(model.labels)
    for tokens in X:
        every = list(segmentations(model, len(tokens)))
        scores = np.array([score(model, tokens, one) for one in every])
        assert model.predict_segments([tokens])[0] == every[int(scores.argmax())]
        lattice = model.lattice(tokens)
        found = lawful.decode(lattice)
        assert found.score == pytest.approx(scores.max())
        assert list(found.labels) == model.predict([tokens])[0]
        assert lawful.decoding.log_partition(lattice) == pytest.approx(logsumexp(scores))
        expected = np.zeros((len(tokens), len(labels)))
        for one, chance in zip(every, np.exp(scores - logsumexp(scores)), strict=True):
            for t, label in enumerate(model.segmentation_.write(one)):
                expected[t, labels.index(label)] += chance
        np.testing.assert_allclose(model.predict_marginals([tokens])[0], expected, atol=1e-12)
        np.testing.assert_allclose(model.predict_marginals([tokens], rules=())[0], expected, atol=1e-12)


def test_rules_choose_among_the_same_segmentations(model: SemiCRF) -> None:
    X, _ = corpus(2)
    rule = lawful.at_most(1, "A")
    for tokens in X:
        legal = [
            one for one in segmentations(model, len(tokens)) if model.segmentation_.write(one).count("A") <= 1
        ]
        best = max(legal, key=lambda one: score(model, tokens, one))
        assert model.predict([tokens], rules=rule)[0] == model.segmentation_.write(best)


def trainer_of(X: Any, y: Any, **options: Any) -> SemiLbfgs:
    shape = sg.Segmentation.fit(y, **options)
    gold = [shape.read(labels) for labels in y]
    attributes, rows = SegmentAttributes.fit(Features(word()), SEEN, shape, X, gold)
    given = TrainingOptions.checked(
        "lbfgs", c1=0.0, c2=0.0, max_iterations=1, tolerance=0.0, memory=6, threads=1, seed=None
    )
    choice = FeatureChoice(all_states=True, all_transitions=True, min_count=0.0, start=True, end=True)
    trainer, _ = SemiLbfgs.of(attributes, rows, gold, given, choice)
    return trainer


@pytest.mark.parametrize("options", [{}, {"repeat": True}, {"repeat": True, "max_length": 2}])
@pytest.mark.parametrize("spread", [1.0, 40.0])
def test_the_gradient_is_that_of_finite_differences(options: dict[str, Any], spread: float) -> None:
    X, y = corpus(3, count=4)
    trainer = trainer_of(X, y, **options)
    task, rng = trainer.task, np.random.default_rng(0)

    def value(w: Any) -> tuple[float, Any]:
        return lawful._core.semi_objective(task.layout, trainer.segments, task.observed, w, threads=1)

    point = rng.normal(size=task.layout.size) * spread
    _, slopes = value(point)
    for _ in range(5):
        way = rng.normal(size=len(point))
        step = 1e-5
        measured = (value(point + step * way)[0] - value(point - step * way)[0]) / (2 * step)
        assert float(slopes @ way) == pytest.approx(measured, rel=2e-5, abs=1e-4)


def test_threads_change_nothing() -> None:
    X, y = corpus(4, count=40)
    one, other = (lawful.SemiCRF(Features(word()), SEEN, c2=0.1, jobs=jobs).fit(X, y) for jobs in (1, 3))
    np.testing.assert_array_equal(one.weights_, other.weights_)


def test_with_segments_of_one_token_it_is_a_crf() -> None:
    X, y = corpus(5)
    options: dict[str, Any] = {"c2": 0.2, "start": True, "end": True, "tolerance": 1e-10}
    semi = lawful.SemiCRF(Features(word()), max_length=1, repeat=True, **options).fit(X, y)
    crf = lawful.CRF(Features(word()), **options).fit(X, y)
    assert semi.objective_ == pytest.approx(crf.objective_, rel=1e-9)
    assert dict(semi.state_features_) == pytest.approx(dict(crf.state_features_), abs=1e-4)
    assert semi.transition_features_ == pytest.approx(crf.transition_features_, abs=1e-4)
    assert semi.predict(X) == crf.predict(X)
    for ours, theirs in zip(semi.predict_marginals(X), crf.predict_marginals(X), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-4)


@pytest.mark.parametrize("scheme", ["IOB2", "IOBES", "IOE2"])
def test_spans_in_a_scheme(scheme: str, tmp_path: Path) -> None:
    X = [["the", "cat", "saw", "it"], ["it", "ran"], ["the", "old", "cat", "ran", ".", "."]]
    spans = [
        [("NP", 0, 2), ("VP", 2, 3), ("NP", 3, 4)],
        [("NP", 0, 1), ("VP", 1, 2)],
        [("NP", 0, 3), ("VP", 3, 4)],
    ]
    from lawful.schemes import label_spans

    y = [label_spans(one, len(words), scheme) for one, words in zip(spans, X, strict=True)]
    model = lawful.SemiCRF(Features(word()), sg.SegmentFeatures(sg.length()), scheme=scheme, c2=0.01).fit(
        X, y
    )
    assert model.predict(X) == y
    assert model.predict(X, rules=()) == y
    assert model.predict([[], X[1]]) == [[], y[1]]
    assert model.segmentation_.longest == (3, 1, 1)
    for tokens in X:
        ours, graphs = model.predict_marginals([tokens])[0], model.predict_marginals([tokens], rules=())[0]
        np.testing.assert_allclose(ours, graphs, atol=1e-12)
        np.testing.assert_allclose(ours.sum(axis=1), 1)
    model.save(tmp_path / "a.lawful")
    again = lawful.load_model(tmp_path / "a.lawful")
    np.testing.assert_array_equal(again.predict_marginals(X)[2], model.predict_marginals(X)[2])


def test_a_file_holds_all_of_it(model: SemiCRF, tmp_path: Path) -> None:
    X, _ = corpus(6)
    model.save(tmp_path / "a.lawful")
    with pytest.raises(FeatureError, match="even"):
        lawful.load_model(tmp_path / "a.lawful")
    again = lawful.SemiCRF.load(tmp_path / "a.lawful", functions={"even": is_even})
    assert again.segment_features == model.segment_features
    assert again.objective_ == model.objective_
    for ours, theirs in zip(again.predict_marginals(X), model.predict_marginals(X), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    again.save(tmp_path / "b.lawful")
    assert (tmp_path / "a.lawful").read_bytes() == (tmp_path / "b.lawful").read_bytes()


def test_long_runs_are_cut_or_refused() -> None:
    X, y = [["a", "b", "c", "d"]], [["A", "A", "A", "B"]]
    with pytest.raises(InputError, match="longer than max_length=2"):
        lawful.SemiCRF(Features(word()), max_length=2).fit(X, y)
    model = lawful.SemiCRF(Features(word()), max_length=2, repeat=True, c2=0.01).fit(X, y)
    assert model.predict(X) == y
    assert model.predict(X, rules=lawful.at_most(3, "A")) == y


def test_wrong_input_is_refused() -> None:
    with pytest.raises(InputError, match="scheme"):
        lawful.SemiCRF(scheme="IOB1").fit([[["a"]]], [["A"]])
    with pytest.raises(InputError, match="not legal"):
        lawful.SemiCRF(scheme="IOB2").fit([[["a"]]], [["I-A"]])
    with pytest.raises(FeatureError, match=r"segments\.length"):
        sg.SegmentFeatures("length")  # type: ignore[arg-type]
    with pytest.raises(FeatureError, match="ascend"):
        sg.length(buckets=[3, 1])
