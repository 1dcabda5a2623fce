"""Scores become log-probabilities at a temperature that held-out data gives; prices beside other scores are warned about."""

from __future__ import annotations

import math
import warnings
from pathlib import Path

import numpy as np
import pytest

import lawful
from lawful.errors import InputError, UncalibratedScoresWarning
from lawful.learning import calibrate, fit_temperature
from lawful.models import Blend, Calibrated
from lawful.tasks import generate_citations

COMMON = {
    "author",
    "title",
    "date",
    "pages",
    "journal",
    "booktitle",
    "volume",
}  # which every part of the data has
GOLD = [
    (sentence.tokens, sentence.labels)
    for sentence in generate_citations(200, seed=3)
    if COMMON.issuperset(sentence.labels or ())
][:60]
X, Y = [tokens for tokens, _ in GOLD], [labels for _, labels in GOLD]
SOFT = lawful.at_most_segments(1, "title").soft(2.0, name="one title")
LEARN = lawful.at_most_segments(1, "title").soft("learn", name="one title")


def perceptron() -> lawful.StructuredPerceptron:
    return lawful.StructuredPerceptron(epochs=4)


class Scaled:
    """Log-probabilities times a factor; the tokens are logits."""

    labels = lawful.LabelSet(["A", "B"])

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def lattice(self, tokens):
        scores = [[self.factor * float(token), 0.0] for token in tokens]
        return lawful.Lattice(scores, 0.5 * self.factor * np.eye(2), labels=self.labels, tokens=tokens)


@pytest.mark.parametrize("factor", [0.05, 1.0, 300.0])
def test_the_temperature_that_made_the_data_is_found(factor: float) -> None:
    rng = np.random.default_rng(5)
    gold = []
    for _ in range(400):
        tokens = [f"{logit:.2f}" for logit in rng.normal(0, 1.5, 5)]
        gold.append((tokens, lawful.decoding.sample(Scaled(1.0).lattice(tokens), n=1, seed=rng)[0]))
    assert fit_temperature(Scaled(factor), gold) == pytest.approx(factor, rel=0.1)


def test_no_other_temperature_makes_held_out_labels_likelier() -> None:
    model = perceptron().fit(X[:40], Y[:40])
    found = calibrate(model, GOLD[40:])

    def surprise(temperature: float) -> float:
        tagger = Calibrated(model, temperature)
        lattices = [tagger.lattice(tokens) for tokens in X[40:]]
        return sum(
            lawful.decoding.log_partition(lattice) - lawful.lattice.path_score(lattice, labels)
            for lattice, labels in zip(lattices, Y[40:], strict=True)
        )

    best = surprise(found.temperature)
    assert all(surprise(found.temperature * factor) > best for factor in (0.5, 0.95, 1.05, 2.0))
    assert surprise(1.0) > 1.5 * best


def test_best_labels_stay_and_soft_rules_weigh_as_much_as_they_say() -> None:
    model = perceptron().fit(X[:40], Y[:40])
    calibrated = calibrate(model, GOLD[40:])
    assert calibrated.predict(X) == model.predict(X)
    hard = lawful.at_most_segments(1, "title")
    assert calibrated.predict(X, rules=hard) == model.predict(X, rules=hard)
    scaled = SOFT.soft(2.0 * calibrated.temperature)
    with pytest.warns(UncalibratedScoresWarning):
        by_hand = model.predict(X, rules=scaled)
    assert calibrated.predict(X, rules=SOFT) == by_hand


def test_folds_need_no_other_data() -> None:
    own = fit_temperature(perceptron().fit(X, Y), GOLD)
    across = fit_temperature(perceptron().fit(X, Y), GOLD, folds=3)
    assert across > own  # on its own training data it seems surer than it is


def test_a_calibrated_model_is_saved(tmp_path: Path) -> None:
    model = Calibrated(perceptron().fit(X[:20], Y[:20]), 7.5)
    model.save(tmp_path / "model.lawful")
    again = lawful.load_model(tmp_path / "model.lawful")
    assert isinstance(again, Calibrated)
    assert again.temperature == 7.5
    assert again.calibrated
    assert np.array_equal(again.lattice(X[0]).emissions, model.lattice(X[0]).emissions)


def test_what_cannot_be_calibrated_is_told() -> None:
    model = lawful.HMM().fit(X[:20], Y[:20])
    with pytest.raises(InputError, match="there are none"):
        fit_temperature(model, [])
    with pytest.raises(InputError, match="excludes the labels of every sequence"):
        fit_temperature(model, [(["x"], ["nothing it knows"])])
    for temperature in (0.0, -1.0, math.inf, math.nan, "1"):
        with pytest.raises(InputError, match="temperature must be a number above 0"):
            Calibrated(model, temperature)  # type: ignore[arg-type]


def test_who_is_calibrated() -> None:
    data = X[:15], Y[:15]
    online = perceptron().fit(*data)
    assert not online.calibrated
    assert not lawful.models.Winnow().fit(*data).calibrated
    assert not lawful.CRF(algorithm="averaged_perceptron").calibrated
    assert lawful.CRF().calibrated
    assert lawful.HMM().calibrated
    assert Calibrated(online, 3.0).calibrated
    hmm = lawful.HMM(labels=list(online.labels)).fit(*data)
    assert Blend([hmm, hmm], [0.5, 0.5]).calibrated
    assert not Blend([hmm, online], [0.5, 0.5]).calibrated


def test_a_perceptron_that_learned_prices_knows_what_they_are_worth(tmp_path: Path) -> None:
    learned = lawful.learning.RuledPerceptron(lawful.CRF(), LEARN, strategy="JIBT", epochs=3).fit(
        X[:20], Y[:20]
    )
    learned.save(tmp_path / "model.lawful")
    again = lawful.load_model(tmp_path / "model.lawful")
    assert learned.calibrated
    assert again.predict(X, rules=learned.rules_) == learned.predict(X)  # without a warning
    alone = lawful.learning.RuledPerceptron(lawful.CRF(), strategy="L", epochs=3).fit(X[:20], Y[:20])
    assert not alone.calibrated


def test_prices_beside_uncalibrated_scores_are_warned_about() -> None:
    model = perceptron().fit(X[:20], Y[:20])
    by_perceptron = lawful.CRF(algorithm="averaged_perceptron", labels=sorted(COMMON))
    learners = (
        lambda: lawful.learning.CCM(perceptron(), LEARN).fit(X[:20], Y[:20]),
        lambda: lawful.CoDL(by_perceptron, LEARN, rounds=1).fit(X[:20], Y[:20], unlabelled=X[20:25]),
        lambda: lawful.estimate_prices(LEARN, GOLD[20:], tagger=model),
        lambda: lawful.estimate_prices(LEARN, GOLD[20:], tagger=model, method="search"),
        lambda: lawful.mine(GOLD, model=model, families=["once"]),
        lambda: lawful.lint(LEARN, GOLD[20:], model=model),
        lambda: model.predict(X[:2], rules=SOFT),
        lambda: model.score(X[:2], Y[:2], rules=SOFT),
        lambda: lawful.Decoder(SOFT, tagger=model),
    )
    for learn in learners:
        with pytest.warns(UncalibratedScoresWarning, match=r"lawful.learning.calibrate\(model, held_out\)"):
            learn()


def test_what_needs_no_calibration_is_not_warned_about() -> None:
    model = perceptron().fit(X[:20], Y[:20])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(X[:2])
        model.predict(X[:2], rules=lawful.at_most_segments(1, "title"))
        lawful.estimate_prices(LEARN, GOLD[20:], tagger=model, method="perceptron", epochs=1)
        calibrated = calibrate(model, GOLD[40:])
        calibrated.predict(X[:2], rules=lawful.estimate_prices(LEARN, GOLD[20:40], tagger=calibrated))


def test_folds_leave_the_model_inside_a_calibrated_one_as_it_was() -> None:
    model = perceptron().fit(X, Y)
    before = model.lattice(X[0]).emissions
    calibrated = Calibrated(model, 2.0)
    lawful.estimate_prices(LEARN, GOLD[:40], tagger=calibrated, folds=2)
    assert np.array_equal(model.lattice(X[0]).emissions, before)
