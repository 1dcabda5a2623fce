"""Ensembles: every kind of tagger takes part, models without probabilities are refused by name, files, weights, rules."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lawful
from lawful.encodings import Coded, Encoded, history_encoding, scheme_encoding
from lawful.errors import InputError
from lawful.models import MEMM, Blend, Perceptron, StructuredPerceptron
from lawful.voting import Ensemble, explain_vote, vote_on, weight_grid
from lawful.voting.ballot import check_weights

X = [["the", "big", "cat", "the", "dog", "ran"], ["a", "cat", "saw", "a", "dog"], ["dogs", "ran"]] * 4
Y = [["I", "I", "I", "B", "I", "O"], ["I", "I", "O", "I", "I"], ["I", "O"]] * 4


class Logits:
    """An adapter of the plainest kind: scores for each token."""

    labels = lawful.LabelSet(["O", "B", "I"])

    def lattice(self, tokens: Any) -> lawful.Lattice:
        scores = [[float(word == "ran"), 0.1, float(word != "ran")] for word in tokens]
        return lawful.Lattice(scores, labels=self.labels, tokens=tokens)


def fitted() -> list[Any]:
    models = [
        lawful.CRF(c2=0.1),
        lawful.HMM(),
        MEMM(c2=0.1),
        Encoded(lawful.CRF(c2=0.1), scheme_encoding("IOB1", "IOE2")),
        Encoded(lawful.HMM(), history_encoding(["I", "O", "B"], 2)),
        lawful.SemiCRF(c2=0.1),
    ]
    return [model.fit(X, Y) for model in models]


def test_all_kinds_of_models_vote() -> None:
    perceptron = StructuredPerceptron().fit(X, Y)
    calibrated = lawful.learning.calibrate(perceptron, list(zip(X, Y, strict=True)))
    taggers = [*fitted(), calibrated, Logits()]
    for method in ("log-linear", "linear", "local", "repaired"):
        votes = lawful.vote(taggers, X[:3], method=method)
        assert [list(vote.labels) for vote in votes] == Y[:3], method
        assert all(vote.status == "optimal" for vote in votes)


def test_models_without_probabilities_are_refused_by_name() -> None:
    perceptron = Perceptron().fit(X, Y)
    with pytest.raises(InputError, match=r"the scores of Perceptron are none: .*calibrate"):
        lawful.vote([lawful.HMM().fit(X, Y), perceptron], X, method="linear")
    assert lawful.vote([lawful.HMM().fit(X, Y), perceptron], X[:1], method="linear", weights=[1, 0])
    assert lawful.vote([lawful.HMM().fit(X, Y), perceptron], X[:1])


def test_another_encoding_does_not_make_probabilities_of_sums_of_weights() -> None:
    """`Encoded` and `Coded` said yes for whatever they hold, so that a linear vote took a perceptron's scores for nats."""
    weights = lawful.CRF(algorithm="averaged_perceptron", max_iterations=2)
    encoded = Encoded(weights, scheme_encoding("IOB1", "IOE2")).fit(X, Y)
    assert not encoded.calibrated and not Coded(weights.unfitted()).fit(X, Y).calibrated
    with pytest.raises(InputError, match=r"the scores of IOE2 of IOB1 are none: .*calibrate"):
        lawful.vote([lawful.HMM().fit(X, Y), encoded], X, method="linear")
    inside = lawful.models.Calibrated(weights, 20.0)
    calibrated = Encoded(inside, scheme_encoding("IOB1", "IOE2")).fit(X, Y)
    assert calibrated.calibrated
    assert lawful.vote([lawful.HMM().fit(X, Y), calibrated], X[:1], method="linear")


def test_a_blend_of_scores_is_the_log_linear_vote_of_models_in_one_encoding() -> None:
    models = [lawful.CRF(c2=0.1).fit(X, Y), lawful.HMM(labels=["B", "I", "O"]).fit(X, Y)]
    assert models[0].labels == models[1].labels
    blend = Blend(models, [0.3, 0.7])
    ensemble = Ensemble(models, [0.3, 0.7])
    for tokens in X[:3]:
        assert np.allclose(blend.lattice(tokens).emissions, ensemble.lattice(tokens).emissions)
        assert isinstance(ensemble.lattice(tokens), lawful.Lattice)  # the compiled path
    assert blend.predict(X) == ensemble.predict(X)


def test_labels_in_another_order_and_labels_that_one_lacks() -> None:
    first = lawful.Lattice([[1.0, 0.0, 3.0]], labels=["A", "B", "C"])
    second = lawful.Lattice([[0.0, 0.5]], labels=["B", "A"])
    assert vote_on([first, second]).labels == ("A",)  # C has no chance by the second
    assert vote_on([first, second], method="linear").labels == ("C",)
    assert vote_on([second, first], method="log-linear").score == pytest.approx(
        vote_on([first, second]).score
    )


@pytest.mark.parametrize("method", ["log-linear", "linear", "local", "repaired"])
def test_rules_hold_in_every_vote(method: Any) -> None:
    rules = lawful.Rules(
        lawful.valid_tags("IOB1"), lawful.at_most(4, "I"), lawful.when(lawful.token.is_in(["ran"])).then("O")
    )
    taggers = fitted()[:4]  # an HMM that has never seen a label there would forbid what the rules ask for
    for vote in lawful.vote(taggers, X[:3], method=method, rules=rules):
        assert not any(vote.violations.values())
        assert vote.status == "optimal"


def test_an_ensemble_is_a_model_and_can_be_saved(tmp_path: Path) -> None:
    ensemble = Ensemble(fitted()[:4], [1, 2, 1, 1], names=["a", "b", "c", "d"])
    ensemble.save(tmp_path / "ensemble.lawful")
    again = lawful.load_model(tmp_path / "ensemble.lawful")
    assert isinstance(again, Ensemble) and again.names_ == ("a", "b", "c", "d") and again.weights_[1] == 0.4
    rules = lawful.at_most(1, "I")
    assert again.predict(X[:3], rules=rules) == ensemble.predict(X[:3], rules=rules)
    assert lawful.marginals(again.lattice(X[0])).labels.shape == (6, 3)
    linear = Ensemble(fitted()[:2], method="linear")
    linear.save(tmp_path / "linear.lawful")
    assert lawful.load_model(tmp_path / "linear.lawful").predict([*X[:2], []]) == [*Y[:2], []]
    with pytest.raises(InputError, match="a linear vote is no lattice"):
        linear.lattice(X[0])
    with pytest.raises(InputError, match="Logits is no model of lawful"):
        Ensemble([Logits()]).save(tmp_path / "no.lawful")


def test_an_ensemble_fits_its_models() -> None:
    ensemble = Ensemble([lawful.HMM(), Encoded(lawful.HMM(), scheme_encoding("IOB1", "IOBES"))]).fit(X, Y)
    assert ensemble.predict(X[:3]) == Y[:3]
    assert ensemble.names_ == ("HMM", "IOBES of IOB1")


class Wrong:
    """Sure of what is wrong."""

    labels = lawful.LabelSet(["O", "B", "I"])

    def lattice(self, tokens: Any) -> lawful.Lattice:
        return lawful.Lattice([[0.0, 1.2, 0.0]] * len(tokens), labels=self.labels, tokens=tokens)


@pytest.mark.parametrize("method", ["log-linear", "linear", "local"])
@pytest.mark.parametrize("search", ["grid", "coordinates"])
def test_weights_are_chosen_on_labelled_sequences(method: Any, search: Any) -> None:
    ensemble = Ensemble([Wrong(), Logits()], method=method)
    held_out = [["cat", "ran"], ["dog", "ran", "ran"]]
    right = [["I", "O"], ["I", "O", "O"]]
    chosen = ensemble.choose_weights(held_out, right, search=search)
    assert chosen.predict(held_out) == right
    assert chosen.weights_[1] > chosen.weights_[0]
    ruled = ensemble.choose_weights(held_out, right, rules=lawful.forbid("B"), search=search)
    assert ruled.predict(held_out, rules=lawful.forbid("B")) == right
    f1 = ensemble.choose_weights(held_out, right, search=search, measure="f1", scheme="IOB1")
    assert f1.predict(held_out) == right


def test_the_grid_of_the_thesis() -> None:
    grid = weight_grid(3)
    assert np.allclose(grid.sum(axis=1), 1) and len(grid) < 4**3
    assert len(np.unique(grid.round(9), axis=0)) == len(grid)


def test_weights_need_as_many_labels_as_sequences() -> None:
    ensemble = Ensemble([Wrong(), Logits()])
    with pytest.raises(InputError, match="1 sequences but 2 label sequences"):
        ensemble.choose_weights([["a"]], [["I"], ["O"]])
    with pytest.raises(InputError, match="more sequences than the 1 label sequences"):
        ensemble.choose_weights([["a"], ["b"]], [["I"]])
    with pytest.raises(InputError, match="sequence 1 has 1 tokens but 2 labels"):
        ensemble.choose_weights([["a"]], [["I", "O"]])
    with pytest.raises(InputError, match="there are none"):
        ensemble.choose_weights([], [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"taggers": []}, "at least one tagger"),
        ({"taggers": ["HMM"]}, r"taggers\[0\] must have labels and lattice"),
        ({"taggers": [lawful.HMM]}, r"taggers\[0\] must have labels and lattice"),
        ({"taggers": [Wrong()], "weights": [1, 2]}, "1 taggers but 2 weights"),
        ({"taggers": [Wrong()], "names": []}, "1 taggers but 0 names"),
        ({"taggers": [Wrong()], "weights": [float("nan")]}, r"weights\[0\] must be a number"),
        ({"taggers": [Wrong()], "weights": "1"}, "weights must be numbers, one for each tagger, got '1'"),
    ],
)
def test_what_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        lawful.vote(X=[["a"]], **arguments)


@pytest.mark.parametrize("method", ["log-linear", "local", "repaired"])
@pytest.mark.parametrize("option", [{"tolerance": 0.1}, {"max_paths": 3}])
def test_what_only_linear_votes_have_is_refused_by_others(method: Any, option: dict[str, Any]) -> None:
    models = [lawful.HMM().fit(X, Y), lawful.MEMM().fit(X, Y)]
    with pytest.raises(
        InputError, match=f"{next(iter(option))} is for linear votes, and this one is {method}"
    ):
        Ensemble(models, method=method).predict(X, **option)
    with pytest.raises(InputError, match="is for linear votes"):
        lawful.vote(models, X, method=method, **option)


class OnlyA(Logits):
    """Gives other labels than `Logits`."""

    labels = lawful.LabelSet(["A", "C", "D"])


@pytest.mark.parametrize("ask", [Ensemble.predict, lambda ensemble, X: list(ensemble.votes(X))])
def test_taggers_that_share_no_labels_are_told_so_at_every_door(ask: Any) -> None:
    ensemble = Ensemble([Logits(), OnlyA()], names=["ours", "theirs"])
    with pytest.raises(lawful.InfeasibleError, match=r"^sequence 1: the taggers have no .*'linear'") as error:
        ask(ensemble, [["ran"]])
    assert error.value.sequence == 0


@pytest.mark.parametrize("method", ["log-linear", "linear"])
def test_texts_are_cut_whatever_the_method(method: Any) -> None:
    ensemble = Ensemble([lawful.HMM(), lawful.HMM()], method=method).fit(X, Y)
    assert ensemble.predict(["the cat ran"]) == ensemble.predict([["the", "cat", "ran"]])


def test_taggers_vote_on_the_same_words() -> None:
    lattices = [Logits().lattice(["the", "big", animal]) for animal in ("cat", "dog")]
    expected = "token 2 is 'cat' in the lattice of tagger 1 and 'dog' in that of tagger 2: taggers vote on"
    for method in ("log-linear", "linear", "local", "repaired"):
        with pytest.raises(InputError, match=expected):
            vote_on(lattices, method=method)  # type: ignore[arg-type]
    attributes = lattices[1].with_tokens([{"w": word} for word in ("the", "big", "cat")])
    assert vote_on([lattices[0], attributes]).labels == vote_on([lattices[0]]).labels


def test_weights_are_not_rules() -> None:
    lattice = lawful.Lattice([[0.0, 1.0]], labels=["A", "B"])
    with pytest.raises(InputError, match="weights must be numbers, one for each tagger, got at_most"):
        vote_on([lattice, lattice], lawful.at_most(1, "B"))  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1.0, 1e300, 1.7e308])
def test_weights_of_any_size_add_up(size: float) -> None:
    assert check_weights([size] * 4) == (0.25,) * 4


def test_an_error_names_its_sequence() -> None:
    with pytest.raises(lawful.InfeasibleError, match=r"^sequence 2: no path") as error:
        lawful.vote([Logits()], [["a"], ["b", "c"]], rules=lawful.at_most(1, "O", "B", "I"))
    assert error.value.sequence == 1
    with pytest.raises(InputError, match="sequence 2 is empty"):
        lawful.vote([Logits()], [["a"], []])


def test_an_explanation_tells_who_wanted_what() -> None:
    [vote] = lawful.vote(
        [Wrong(), Logits(), Logits()], [["cat", "ran"]], names=["wrong", "one", "two"], method="linear"
    )
    explanation = explain_vote(vote)
    assert explanation.winners == ("one", "two") and explanation.disputed == (0, 1)
    assert explanation.opinions[0].labels == ("B", "B") and explanation.opinions[0].price > 0
    assert explanation.opinions[1].loss == explanation.opinions[1].price == 0
    data = explanation.to_dict()
    assert data["taggers"][0]["name"] == "wrong" and data["status"] == "optimal"
    assert "one and two won the linear vote of 3 taggers" in str(explanation)
    [forced] = lawful.vote([Wrong()], [["cat"]], rules=lawful.forbid("B"))
    assert "the rules decided the log-linear vote of 1 tagger" in str(explain_vote(forced))
    assert explain_vote(forced).headline == (
        "The rules decided: the tagger wanted something else; 1 of 1 token disputed"
    )
    [both] = lawful.vote([Wrong(), Wrong()], [["cat"]], rules=lawful.forbid("B"))
    assert explain_vote(both).headline.startswith("The rules decided: all 2 taggers wanted something else")
    assert explain_vote(forced).opinions[0].price == float("inf")


def test_votes_travel_as_data() -> None:
    for method in ("log-linear", "linear", "local", "repaired"):
        [vote] = lawful.vote(
            [Wrong(), Logits()], [["cat", "ran"]], method=method, rules=lawful.at_most(1, "B")
        )
        again = pickle.loads(pickle.dumps(vote))  # noqa: S301
        assert (again.labels, again.score, again.status) == (vote.labels, vote.score, vote.status)
        assert str(explain_vote(again)) == str(explain_vote(vote))


def test_taggers_are_a_list() -> None:
    assert lawful.vote(iter([Logits(), Logits()]), [["ran"]])[0].labels == ("O",)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="taggers must be a list of taggers"):
        lawful.vote(Logits(), [["ran"]])  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["log-linear", "linear", "local", "repaired"])
def test_large_scores_do_not_trouble_the_judge(method: Any) -> None:
    rng = np.random.default_rng(3)
    lattices = [lawful.Lattice(1e9 * rng.normal(size=(6, 3)), labels=["A", "B", "C"]) for _ in range(3)]
    assert vote_on(lattices, method=method).status == "optimal"


def test_a_vote_by_coordinates_is_no_worse_than_its_best_tagger() -> None:
    """Two that are wrong together, and very sure, beside one that is right: from equal weights no single change helps."""
    right = lawful.Lattice([[1.0, 0.0]], labels=["A", "B"])
    wrong = lawful.Lattice([[0.0, 100.0]], labels=["A", "B"])
    chosen = lawful.voting.choose_weights(
        [(wrong, right, wrong)] * 3, [["A"]] * 3, search="coordinates", values=[0.5, 1.0]
    )
    assert chosen.score == 1.0 and chosen.weights == (0.0, 1.0, 0.0)


@pytest.mark.parametrize("method", ["log-linear", "linear", "local", "repaired"])
def test_errors_count_empty_sequences(method: Any) -> None:
    impossible = [lawful.at_least(1, "B"), lawful.at_most(0, "B")]
    with pytest.raises(lawful.InfeasibleError, match=r"^sequence 2: ") as caught:
        Ensemble([Logits(), Logits()], method=method).predict([[], ["ran"]], impossible)
    assert caught.value.sequence == 1
