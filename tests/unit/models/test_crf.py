"""The CRF as users meet it: fitting, groups, rules, files, progress, mistakes."""

from __future__ import annotations

import copy
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lawful
from lawful.errors import InputError, NotFittedError, UnknownLabelError
from lawful.models.linear.outputs import Outputs, prefix_groups
from lawful.models.linear.progress import Progress


def corpus(
    seed: int = 0, size: int = 40, labels: tuple[str, ...] = ("A", "B", "C")
) -> tuple[list[Any], list[list[str]]]:
    rng = np.random.default_rng(seed)
    X, y = [], []
    for _ in range(size):
        words = rng.integers(12, size=int(rng.integers(1, 9)))
        X.append([["bias", f"w={word}", f"odd={word % 2}"] for word in words])
        y.append(
            [labels[word % len(labels)] if rng.random() < 0.8 else str(rng.choice(labels)) for word in words]
        )
    return X, y


def test_it_learns_and_obeys_rules() -> None:
    X, y = corpus()
    model = lawful.CRF(c2=0.1).fit(X, y)
    assert model.score(X, y) > 0.75
    assert list(model.labels) == ["A", "B", "C"]
    ruled = model.predict(X, rules=lawful.forbid("A"))
    assert all(label != "A" for labels in ruled for label in labels)
    assert model.predict([[], X[0]]) == [[], model.predict([X[0]])[0]]
    assert model.predict(X) == [
        list(one.labels) for one in lawful.Decoder(tagger=model).decode_batch(model.lattices(X))
    ]


def test_marginals_are_those_of_the_lattice() -> None:
    X, y = corpus(1)
    model = lawful.CRF(start=True, end=True).fit(X, y)
    for tokens, found in zip(X, model.predict_marginals(X), strict=True):
        np.testing.assert_allclose(found, lawful.marginals(model.lattice(tokens)).labels, atol=1e-10)
        np.testing.assert_allclose(found.sum(axis=1), 1)
    assert model.predict_marginals([[]])[0].shape == (0, 3)


@pytest.mark.parametrize("algorithm", ["lbfgs", "averaged_perceptron", "sgd"])
def test_threads_and_repetition_change_nothing(algorithm: str) -> None:
    X, y = corpus(2)
    one = lawful.CRF(algorithm=algorithm, jobs=1, max_iterations=8).fit(X, y)
    two = lawful.CRF(algorithm=algorithm, jobs=3, max_iterations=8).fit(X, y)
    assert one.weights_.tobytes() == two.weights_.tobytes()


@pytest.mark.parametrize("algorithm", ["lbfgs", "averaged_perceptron", "sgd"])
@pytest.mark.parametrize("groups", [None, {"vowel-like": ["A", "C"]}])
def test_a_file_gives_the_same_lattices_and_bytes(tmp_path: Path, algorithm: str, groups: Any) -> None:
    X, y = corpus(3)
    model = lawful.CRF(algorithm=algorithm, groups=groups, start=True, max_iterations=10).fit(X, y)
    model.save(tmp_path / "one.lawful")
    again = lawful.load_model(tmp_path / "one.lawful")
    assert isinstance(again, lawful.CRF)
    assert again.get_params() == model.get_params()
    for tokens in X:
        mine, theirs = model.lattice(tokens), again.lattice(tokens)
        assert mine.emissions.tobytes() == theirs.emissions.tobytes()
        assert mine.transitions is not None and theirs.transitions is not None
        assert mine.transitions.tobytes() == theirs.transitions.tobytes()
        assert mine.start is not None and np.array_equal(mine.start, theirs.start)
    again.save(tmp_path / "two.lawful")
    assert (tmp_path / "one.lawful").read_bytes() == (tmp_path / "two.lawful").read_bytes()


def test_copies_predict_the_same() -> None:
    X, y = corpus(3)
    model = lawful.CRF(c1=0.5, warm_start=True).fit(X, y)
    again = copy.deepcopy(model)
    assert again.predict(X) == model.predict(X)
    assert again.fit(X, y).objective_ <= model.objective_ * (1 + 1e-9)


# --- groups ---------------------------------------------------------------------------------------------------


def test_groups_share_what_their_labels_learn() -> None:
    """A word seen with I.1 only also speaks for I.2, by what they share (section 3.7 of Loper 2008)."""
    X = [[["w=x"]], [["w=y"]], [["w=z"]], [["w=o"]]]
    y = [["I.1"], ["I.2"], ["I.1"], ["O"]]
    alone = lawful.CRF(c2=0.1).fit(X, y)
    shared = lawful.CRF(c2=0.1, groups="prefix").fit(X, y)
    assert shared.state_features_["w=z", "I.*"] > 0
    k = shared.labels.index("I.2")
    assert alone.lattice([["w=z"]]).emissions[0, k] == 0
    assert shared.lattice([["w=z"]]).emissions[0, k] == pytest.approx(shared.state_features_["w=z", "I.*"])
    assert shared.predict_marginals([[["w=z"]]])[0][0, k] > alone.predict_marginals([[["w=z"]]])[0][0, k]


def test_a_label_scores_the_sum_over_its_groups() -> None:
    X, y = corpus(4)
    groups = {"AB": ["A", "B"], "BC": ["C", "B"]}
    model = lawful.CRF(groups=groups).fit(X, y)
    tokens = X[0]
    lattice = model.lattice(tokens)
    belongs = {label: [label, *(name for name, of in groups.items() if label in of)] for label in "ABC"}
    for t, item in enumerate(tokens):
        for k, label in enumerate("ABC"):
            expected = sum(model.state_features_.get((a, o), 0.0) for a in item for o in belongs[label])
            assert lattice.emissions[t, k] == pytest.approx(expected)
    edges = model.transition_features_
    assert lattice.transitions is not None
    for j, k in np.ndindex(3, 3):
        expected = sum(edges.get((o, p), 0.0) for o in belongs["ABC"[j]] for p in belongs["ABC"[k]])
        assert lattice.transitions[j, k] == pytest.approx(expected)


def test_groups_alone_cannot_tell_their_labels_apart() -> None:
    X, y = corpus(5)
    model = lawful.CRF(groups={"AB": ["A", "B"], "C": ["C"]}, label_features=False).fit(X, y)
    lattice = model.lattice(X[0])
    assert np.array_equal(lattice.emissions[:, 0], lattice.emissions[:, 1])
    assert {name for _, name in model.state_features_} == {"AB", "C"}


def test_prefixes_are_those_of_figure_4_6() -> None:
    assert prefix_groups(["I_1", "I_2,1", "I_2,2", "O_1", "O_2", "B"]) == {
        "I.*": ["I_1", "I_2,1", "I_2,2"],
        "I_2.*": ["I_2,1", "I_2,2"],
        "O.*": ["O_1", "O_2"],
    }
    assert prefix_groups(["B-cell_type", "B-cell_line", "B-DNA.1", "B-DNA.2"]) == {
        "B-DNA.*": ["B-DNA.1", "B-DNA.2"]
    }
    assert Outputs.of(lawful.LabelSet(["A", "B"]), "prefix").names == ("A", "B")


# --- going on, stopping, telling ---------------------------------------------------------------------------------


def test_a_warm_start_goes_on() -> None:
    X, y = corpus(6)
    cold = lawful.CRF(tolerance=1e-9).fit(X, y)
    warm = lawful.CRF(tolerance=1e-9, warm_start=True, max_iterations=5).fit(X, y)
    kept = warm._corpus
    warm.set_params(max_iterations=None).fit(X, y)
    assert warm._corpus is kept
    assert warm.objective_ == pytest.approx(cold.objective_, rel=1e-8)
    again = warm.fit(X, y).history_
    assert again[0].objective == pytest.approx(cold.objective_, rel=1e-8)
    assert len(again) < len(cold.history_) / 2
    other = corpus(7)
    warm.fit(*other)
    assert warm._corpus is not kept
    assert warm.objective_ == pytest.approx(lawful.CRF(tolerance=1e-9).fit(*other).objective_, rel=1e-7)


def test_a_warm_start_survives_pruning() -> None:
    X, y = corpus(6)
    warm = lawful.CRF(c1=2.0, c2=0.0, tolerance=1e-9, warm_start=True).fit(X, y)
    before = warm.objective_
    warm.fit(X, y)
    assert warm.history_[0].objective == pytest.approx(before, rel=1e-6)


def test_the_callback_sees_every_iteration_and_can_stop_it() -> None:
    X, y = corpus(8)
    seen: list[Progress] = []
    model = lawful.CRF().fit(
        X, y, callback=lambda progress: bool(seen.append(progress)) or progress.iteration == 4
    )
    assert [one.iteration for one in seen] == [0, 1, 2, 3, 4] and model.history_ == seen
    assert all(a.objective > b.objective and a.seconds <= b.seconds for a, b in itertools.pairwise(seen))


def test_an_interrupted_fit_leaves_its_checkpoint(tmp_path: Path) -> None:
    X, y = corpus(9)

    def interrupt(progress: Progress) -> None:
        if progress.iteration == 3:
            raise KeyboardInterrupt

    model = lawful.CRF(tolerance=1e-9)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y, callback=interrupt, checkpoint=tmp_path / "half.lawful")
    half = lawful.CRF.load(tmp_path / "half.lawful")
    expected = lawful.CRF(max_iterations=3, tolerance=1e-9).fit(X, y)
    assert np.array_equal(half.weights_, expected.weights_)
    half.set_params(warm_start=True).fit(X, y)
    assert half.objective_ == pytest.approx(lawful.CRF(tolerance=1e-9).fit(X, y).objective_, rel=1e-7)


def test_verbose_shows_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = corpus(10, size=5)
    lawful.CRF(verbose=True, max_iterations=3).fit(X, y)
    shown = capsys.readouterr()
    assert "lbfgs 3: objective" in shown.err and not shown.out


# --- reading weights ------------------------------------------------------------------------------------------


def test_weights_can_be_read() -> None:
    X, y = corpus(11)
    model = lawful.CRF().fit(X, y)
    state = model.state_features_
    assert len(state) == len(set(state)) and len(dict(state)) == len(state)
    top = model.top_features(5)
    assert [abs(weight) for *_, weight in top] == sorted((abs(w) for w in state.values()), reverse=True)[:5]
    assert all(state[attribute, label] == weight for attribute, label, weight in top)
    assert all(label == "B" for _, label, _ in model.top_features(3, label="B"))
    with pytest.raises(KeyError):
        state["w=0", "nobody"]


# --- mistakes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"algorithm": "magic"}, "algorithm must be one of averaged_perceptron, lbfgs, sgd"),
        ({"c2": -1.0}, "c2 must be a number of 0 or more, got -1.0"),
        ({"c1": float("nan")}, "c1 must be a number of 0 or more, got nan"),
        ({"algorithm": "sgd", "c1": 1.0}, "c1 > 0 is for algorithm='lbfgs'"),
        ({"algorithm": "sgd", "c2": 0.0}, "algorithm='sgd' needs c2 > 0"),
        ({"groups": "suffix"}, "groups must be a mapping from names to labels, or 'prefix'"),
        ({"groups": {"A": ["B"]}}, "group 'A' has the name of another output"),
        ({"groups": {"g": "AB"}}, "group 'g' must be a list of labels"),
        ({"label_features": False}, "without features of single labels there must be groups"),
    ],
)
def test_bad_parameters_are_named(parameters: dict[str, Any], message: str) -> None:
    X, y = corpus(12, size=5)
    with pytest.raises(InputError, match=message):
        lawful.CRF(**parameters).fit(X, y)


def test_a_group_of_unknown_labels_is_refused() -> None:
    X, y = corpus(12, size=5)
    with pytest.raises(UnknownLabelError, match="D"):
        lawful.CRF(groups={"g": ["A", "D"]}).fit(X, y)


def test_nothing_works_before_fit() -> None:
    model = lawful.CRF()
    for ask in (lambda: model.predict([["a"]]), lambda: model.lattice(["a"]), lambda: model.weights_):
        with pytest.raises(NotFittedError):
            ask()


def test_labels_that_the_data_lacks_can_be_named() -> None:
    model = lawful.CRF(labels=["C", "A", "B"]).fit([[["a"], ["b"]]], [["A", "B"]])
    assert list(model.labels) == ["C", "A", "B"]
    assert model.predict([[["a"], ["b"]]]) == [["A", "B"]]
    assert model.predict([[["a"], ["b"]]], rules=lawful.starts_with("C")) == [["C", "B"]]
    with pytest.raises(UnknownLabelError):
        lawful.CRF(labels=["A"]).fit([[["a"], ["b"]]], [["A", "B"]])


def test_chunks_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = corpus(40)
    model = lawful.CRF(c2=0.5).fit(X, y)
    X = [*X[:7], [], [], *X[7:], []]
    labels, marginals = model.predict(X), model.predict_marginals(X)
    scores = [lattice.emissions for lattice in model.lattices(filter(len, X))]
    assert list(map(len, labels)) == list(map(len, marginals)) == list(map(len, X))
    for size in (1, 2, 9):
        monkeypatch.setattr("lawful.models.linear.scoring.CHUNK", size)
        assert model.predict(X) == model.predict(X, jobs=2) == labels
        assert all(map(np.array_equal, model.predict_marginals(X), marginals))
        assert all(map(np.array_equal, (one.emissions for one in model.lattices(filter(len, X))), scores))


def test_an_error_names_the_sequence_and_not_its_place_in_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = corpus(10)
    model = lawful.CRF(c2=0.5).fit(X, y)
    monkeypatch.setattr("lawful.models.linear.scoring.CHUNK", 2)
    with pytest.raises(InputError, match="sequence 9, position 0"):
        model.predict([*X[:8], [3], *X[8:]])
    with pytest.raises(InputError, match=r"sequence 4.* got 7"):
        model.predict([*X[:3], 7])  # type: ignore[list-item]
