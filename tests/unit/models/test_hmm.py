"""The HMM against counting by hand and against a plain implementation that shares nothing with it."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

import lawful
from lawful import HMM
from lawful.errors import InputError, NotFittedError, TokenError, UnknownLabelError
from lawful.models import Emission
from lawful.models.hmm.estimates import backoff_groups

PLAIN = {"emissions": [Emission(normalise=(), unknown=None)], "rare": 0}

X = [["the", "dog", "barks"], ["dogs", "bark"], ["the", "bark"]]
Y = [["D", "N", "V"], ["N", "V"], ["D", "N"]]


def probability(model: HMM, tokens: list[str], labels: tuple[str, ...]) -> float:
    return math.exp(lawful.lattice.path_score(model.lattice(tokens), labels))


def reference(X, y, alpha: float, beta: float, *, end: bool):
    """P(tokens, labels) of an HMM with add-alpha emissions and add-beta transitions, from dictionaries."""
    labels = sorted({label for one in y for label in one})
    vocabulary = {word for one in X for word in one}
    emitted = Counter((w, l) for ws, ls in zip(X, y, strict=True) for w, l in zip(ws, ls, strict=True))
    occurs = Counter(l for ls in y for l in ls)
    first = Counter(ls[0] for ls in y)
    last = Counter(ls[-1] for ls in y)
    steps = Counter(pair for ls in y for pair in pairwise(ls))

    def joint(tokens, path) -> float:
        p = (first[path[0]] + beta) / (len(y) + beta * len(labels))
        for a, b in pairwise(path):
            leaving = occurs[a] if end else occurs[a] - last[a]
            p *= (steps[a, b] + beta) / (leaving + beta * (len(labels) + end))
        if end:
            p *= (last[path[-1]] + beta) / (occurs[path[-1]] + beta * (len(labels) + 1))
        for word, label in zip(tokens, path, strict=True):
            p *= (emitted[word, label] + alpha) / (occurs[label] + alpha * (len(vocabulary) + 1))
        return p

    return labels, joint


# --- by hand ------------------------------------------------------------------------------------------------


def test_probabilities_by_hand() -> None:
    model = HMM(**PLAIN, emission_smoothing=0.5, transition_smoothing=1.0, end=False).fit(X, Y)
    assert list(model.labels) == ["D", "N", "V"]
    assert np.exp(model.start_).tolist() == pytest.approx([3 / 6, 2 / 6, 1 / 6])
    assert np.exp(model.transitions_[0]).tolist() == pytest.approx([1 / 5, 3 / 5, 1 / 5])
    assert np.exp(model.transitions_[2]).tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3])
    words = model.vocabularies_[0].words
    assert words == ("bark", "barks", "dog", "dogs", "the")
    # D emits "the" twice; five words, and one for the unknown
    assert np.exp(model.emissions_[0][words.index("the"), 0]) == pytest.approx(2.5 / (2 + 6 * 0.5))
    assert np.exp(model.emissions_[0][-1]).tolist() == pytest.approx([0.5 / 5, 0.5 / 6, 0.5 / 5])


@pytest.mark.parametrize("end", [False, True])
def test_every_distribution_sums_to_one(end: bool) -> None:
    model = HMM(end=end, backoff=".").fit(X, [["D.1", "N.1", "V"], ["N.2", "V"], ["D.2", "N.1"]])
    rows = np.exp(model.transitions_).sum(axis=1) + (np.exp(model.end_) if end else 0)
    assert rows == pytest.approx(1)
    assert np.exp(model.start_).sum() == pytest.approx(1)
    assert np.exp(model.emissions_[0]).sum(axis=0) == pytest.approx(1)


@pytest.mark.parametrize("end", [False, True])
@pytest.mark.parametrize(("alpha", "beta"), [(0.3, 0.1), (1.0, 2.0), (0.0, 0.0)])
def test_joint_probabilities_are_the_references(alpha: float, beta: float, end: bool) -> None:
    rng = np.random.default_rng(5)
    X = [rng.choice(list("abcd"), size=rng.integers(1, 6)).tolist() for _ in range(12)]
    y = [rng.choice(["P", "Q", "R"], size=len(one)).tolist() for one in X]
    labels, joint = reference(X, y, alpha, beta, end=end)
    model = HMM(**PLAIN, emission_smoothing=alpha, transition_smoothing=beta, end=end).fit(X, y)
    for tokens in (["a", "d"], ["b", "zzz", "c"]):
        for path in product(labels, repeat=len(tokens)):
            assert probability(model, tokens, path) == pytest.approx(joint(tokens, path), rel=1e-12, abs=0)


def test_the_best_labels_are_those_of_the_largest_joint_probability() -> None:
    rng = np.random.default_rng(6)
    X = [rng.choice(list("abcd"), size=5).tolist() for _ in range(20)]
    y = [[("P" if word in "ab" else "Q") if rng.random() < 0.8 else "R" for word in one] for one in X]
    labels, joint = reference(X, y, 0.3, 0.1, end=True)
    model = HMM(**PLAIN, emission_smoothing=0.3, transition_smoothing=0.1).fit(X, y)
    for tokens in X[:6]:
        best = max(product(labels, repeat=5), key=lambda path: joint(tokens, path))
        assert tuple(model.predict([tokens])[0]) == best


# --- unknown words ------------------------------------------------------------------------------------------


def test_rare_words_teach_about_unknown_ones() -> None:
    X = [["Ann", "saw", "Bob"], ["Cid", "saw", "1999"]]
    y = [["name", "O", "name"], ["name", "O", "year"]]
    model = HMM(emissions=[Emission(unknown=("short-shape",))], emission_smoothing=0.0, rare=1).fit(X, y)
    words = model.vocabularies_[0]
    assert words.classes == ("0", "Xx")
    assert words.ids([["Zoe", "2004", "zoe"]]).tolist() == [
        len(words.words) + 1,
        words.words.index("0000"),
        words.size - 1,
    ]
    table = np.exp(model.emissions_[0])
    name = model.labels.index("name")
    assert table[words.words.index("ann"), name] == pytest.approx(1 / 6)  # three words, three for their class
    assert table[len(words.words) + 1, name] == pytest.approx(3 / 6)
    assert model.predict([["Zoe", "saw", "Ann"]]) == [["name", "O", "name"]]


def test_without_rare_words_nothing_is_known_about_unknown_ones() -> None:
    model = HMM(rare=0, emission_smoothing=1.0).fit(X, Y)
    assert model.vocabularies_[0].classes == ()
    assert np.ptp(model.emissions_[0][-1]) < 0.5


# --- normalisation and columns ------------------------------------------------------------------------------


def test_texts_are_normalised() -> None:
    model = HMM().fit([["In", "1998"]], [["O", "year"]])
    assert model.vocabularies_[0].words == ("0000", "in")
    assert (
        model.lattice(["IN", "2004"]).emissions.tolist() == model.lattice(["in", "1998"]).emissions.tolist()
    )


def test_several_emissions_multiply() -> None:
    rows = [[("the", "DT"), ("dog", "NN")], [("a", "DT"), ("cat", "NN")]]
    y = [["B", "I"], ["B", "I"]]
    both = HMM(emissions=[0, 1]).fit(rows, y)
    word, tag = HMM(emissions=[0]).fit(rows, y), HMM(emissions=[1]).fit(rows, y)
    summed = word.lattice(rows[0]).emissions + tag.lattice(rows[0]).emissions
    assert np.array_equal(both.lattice(rows[0]).emissions, summed)
    named = [[{"word": w, "pos": t} for w, t in row] for row in rows]
    by_name = HMM(emissions=["word", "pos"]).fit(named, y)
    assert np.array_equal(by_name.lattice(named[0]).emissions, summed)


def test_a_token_without_the_column_is_told() -> None:
    with pytest.raises(TokenError, match="no column 1"):
        HMM(emissions=[1]).fit([[("the",)]], [["B"]])


@pytest.mark.parametrize(
    ("emissions", "says"),
    [
        ([{"normalise": None}], "must be a list of names, got None"),
        ("word", "must be a list"),
        ([], "at least one"),
        ([3.5], "an emission must be a column"),
        ([{"normalise": ["uper"]}], "'uper'"),
        ([{"normalise": "lower"}], "a list of names"),
    ],
)
def test_emissions_that_make_no_sense_are_told(emissions: object, says: str) -> None:
    with pytest.raises(InputError, match=says):
        HMM(emissions=emissions).fit(X, Y)  # type: ignore[arg-type]


# --- back-off -----------------------------------------------------------------------------------------------


def test_backoff_averages_over_the_subdivisions() -> None:
    """Paper L, 4.9: the average of P(w | B.2.1), P(w | B.2.*) and P(w | B.*)."""
    y = [["B.2.1", "B.2.2", "O"], ["B.2.1", "O"], ["B.1", "B.2.1"]]
    plain = {**PLAIN, "emission_smoothing": 0.0, "transition_smoothing": 0.1}
    model = HMM(**plain, backoff=".").fit(X, y)
    the = model.vocabularies_[0].words.index("the")
    got = math.exp(model.emissions_[0][the, model.labels.index("B.2.1")])
    # "the" is B.2.1 once of three, B.2.* once of four, B.* twice of five
    assert got == pytest.approx((1 / 3 + 1 / 4 + 2 / 5) / 3)
    assert np.array_equal(
        model.emissions_[0],
        HMM(**plain, backoff={"B.1": ["B"], "B.2.1": ["B.2", "B"], "B.2.2": ["B.2", "B"]})
        .fit(X, y)
        .emissions_[0],
    )


def test_groups_of_labels() -> None:
    labels = lawful.LabelSet(["A", "A.1", "C"])
    assert backoff_groups(labels, ".").tolist() == [[1, 1, 0]]
    assert backoff_groups(labels, "/") is None
    with pytest.raises(UnknownLabelError, match="backoff"):
        backoff_groups(labels, {"B": ["x"]})


# --- weights and counts -------------------------------------------------------------------------------------


def test_a_weight_of_two_is_the_sequence_twice() -> None:
    heavy = HMM(rare=0).fit(X, Y, sample_weight=[2.0, 1.0, 0.5])
    twice = HMM(rare=0).fit(
        [X[0]] * 4 + [X[1]] * 2 + [X[2]], [Y[0]] * 4 + [Y[1]] * 2 + [Y[2]], sample_weight=[0.5] * 7
    )
    assert heavy.emissions_[0] == pytest.approx(twice.emissions_[0])
    assert heavy.transitions_ == pytest.approx(twice.transitions_)
    with pytest.raises(InputError, match="sample_weight"):
        HMM().fit(X, Y, sample_weight=[1.0, -1.0, 1.0])
    with pytest.raises(InputError, match="sample_weight"):
        HMM().fit(X, Y, sample_weight=[1.0])


def test_empty_sequences_do_not_matter() -> None:
    one = HMM().fit([*X, []], [*Y, []], sample_weight=[1, 1, 1, 9])
    other = HMM().fit(X, Y)
    assert np.array_equal(one.emissions_[0], other.emissions_[0])
    assert one.predict([[], X[0]]) == [[], Y[0]]


def test_labels_may_be_given() -> None:
    model = HMM(labels=["V", "N", "D", "X"]).fit(X, Y)
    assert list(model.labels) == ["V", "N", "D", "X"]
    assert np.all(np.isfinite(model.transitions_))
    with pytest.raises(UnknownLabelError):
        HMM(labels=["V", "N"]).fit(X, Y)


@pytest.mark.parametrize("name", ["emission_smoothing", "transition_smoothing"])
def test_smoothing_must_be_a_number_of_0_or_more(name: str) -> None:
    for bad in (-1.0, float("nan"), float("inf")):
        with pytest.raises(InputError, match=name):
            HMM(**{name: bad}).fit(X, Y)


# --- the rest -----------------------------------------------------------------------------------------------


def test_many_lattices_are_each_lattice() -> None:
    model = HMM().fit(X, Y)
    for tokens, many in zip(X, model.lattices(X), strict=True):
        one = model.lattice(tokens)
        assert np.array_equal(one.emissions, many.emissions)
        assert one.tokens == many.tokens == tuple(tokens)
        assert np.array_equal(one.end, model.end_)


def test_not_fitted() -> None:
    with pytest.raises(NotFittedError, match="HMM"):
        HMM().lattice(["a"])
    model = clone(HMM(emissions=[Emission(0)], backoff=".").fit([[("a",)]], [["X"]]))
    with pytest.raises(NotFittedError, match="HMM"):
        model.predict([["a"]])


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"end": False, "rare": 2, "labels": ["V", "N", "D"]},
        {"emissions": [Emission(normalise=("suffix:2",), unknown=None, smoothing=0.7), None]},
        {"backoff": {"N": ["x"], "V": ("x",)}},
    ],
)
def test_a_saved_hmm_is_the_same_hmm(tmp_path: Path, parameters: dict) -> None:
    model = HMM(**parameters).fit(X, Y)
    model.save(tmp_path / "m")
    loaded = lawful.load_model(tmp_path / "m")
    assert type(loaded) is HMM
    for mine, theirs in zip(model.lattices([*X, ["?"]]), loaded.lattices([*X, ["?"]]), strict=True):
        assert mine.emissions.tobytes() == theirs.emissions.tobytes()
        assert mine.transitions.tobytes() == theirs.transitions.tobytes()
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()
    assert loaded.fit(X, Y).predict(X) == model.predict(X)
