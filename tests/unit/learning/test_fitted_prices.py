"""Prices beside a model: against the exact likelihood, against each other, and against what the model knows."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest

import lawful
from lawful import Rules
from lawful.errors import InputError
from lawful.learning.gold import labelled_sequences
from lawful.learning.prices.box_search import lowest_in_box
from lawful.learning.prices.cross_fitting import CrossFitted, parts_of
from lawful.learning.prices.drawn_labellings import DrawnLabellings
from lawful.learning.prices.likelihood import with_prices
from lawful.tasks import generate_citations

LABELS = lawful.LabelSet(["A", "B"])
GENEROUS = 9.0


class Scores:
    """A tagger whose tokens are their scores."""

    labels = LABELS

    def lattice(self, tokens: Sequence[str]) -> lawful.Lattice:
        return lawful.Lattice([[float(token), 0.0] for token in tokens], labels=LABELS, tokens=tokens)


def made(rules: Rules, count: int, seed: int) -> list[tuple[list[str], list[str]]]:
    """Sequences whose right labels are drawn from scores and rules together."""
    rng = np.random.default_rng(seed)
    tokens = [[f"{score:.3f}" for score in rng.normal(0, 1, 4)] for _ in range(count)]
    return [
        (one, list(lawful.decoding.sample(Scores().lattice(one), rules, 1, seed=rng)[0])) for one in tokens
    ]


def surprise(rules: Rules, gold: Sequence[tuple[list[str], list[str]]]) -> float:
    """Minus the exact log likelihood of the right labels, by the product of lattice and rules."""
    total = 0.0
    for tokens, labels in gold:
        lattice = Scores().lattice(tokens)
        paid = sum(
            float(rule.price) * (found if rule.per == "violation" else min(1, found))
            for rule in rules
            for found in [rule.violations(labels, tokens)]
        )
        total += (
            lawful.decoding.log_partition(lattice, rules) - lawful.lattice.path_score(lattice, labels) + paid
        )
    return total


def fit_prices(
    rules: Rules | lawful.Rule | Sequence[lawful.Rule], gold: lawful.learning.gold.Gold, **options: float
) -> Rules:
    return lawful.estimate_prices(rules, gold, method="likelihood", tagger=Scores(), **options)  # type: ignore[arg-type]


RULES = Rules(
    lawful.at_most(1, "A").soft(GENEROUS, per="violation", name="few"),
    lawful.starts_with("B").soft(GENEROUS, name="start"),
)


def test_prices_that_made_the_data_are_found_and_none_are_likelier() -> None:
    gold = made(with_prices(RULES, [1.5, 0.7]), 300, seed=1)
    found = fit_prices(RULES, gold, samples=200, penalty=0.0)
    prices = [float(rule.price) for rule in found]
    assert prices == pytest.approx([1.5, 0.7], abs=0.35)
    best = min(
        surprise(with_prices(RULES, [prices[0] + a, prices[1] + b]), gold)
        for a, b in itertools.product((-0.3, -0.15, 0.15, 0.3), repeat=2)
    )
    assert surprise(found, gold) < best


def test_a_rule_that_is_there_twice_is_paid_for_once() -> None:
    gold = made(with_prices(RULES, [1.5, 0.0]), 200, seed=2)
    [once] = fit_prices(RULES["few"], gold, penalty=0.0)
    twice = fit_prices([RULES["few"], RULES["few"].named("again")], gold, penalty=0.0)
    assert sum(float(rule.price) for rule in twice) == pytest.approx(float(once.price), abs=0.02)


def test_what_the_model_knows_costs_nothing_though_its_log_odds_are_high() -> None:
    gold = [(["-6", "6", "-6"], ["B", "A", "B"])] * 60
    rules = Rules(lawful.at_most(1, "A").soft("learn", name="few"))
    assert float(lawful.estimate_prices(rules, gold)["few"].price) > 4
    assert fit_prices(rules, gold)["few"].price == 0


def test_a_price_never_rises_and_hard_rules_stay_hard() -> None:
    gold = [(["6", "6"], ["A", "B"])] * 60
    rules = Rules(
        lawful.at_most(1, "A").soft(0.25, name="few"),
        lawful.starts_with("A").named("start"),
        lawful.forbid("C").soft(1),
    )
    found = fit_prices(Rules(list(rules)[:2]), gold)
    assert found["few"].price == pytest.approx(0.25)
    assert found["start"].price == "hard"


def test_hard_rules_speak_first() -> None:
    """A soft rule that says nothing beyond a hard one is worth nothing beside it."""
    gold = [(["1", "1"], ["A", "B"])] * 60
    soft, hard = lawful.at_most(1, "A").soft(GENEROUS, name="soft"), lawful.at_most(1, "A").named("hard")
    assert float(fit_prices(soft, gold)["soft"].price) > 1
    assert fit_prices([soft, hard], gold)["soft"].price == 0


def test_where_the_search_begins_changes_no_price() -> None:
    drawn = DrawnLabellings(RULES)
    gold = labelled_sequences(made(with_prices(RULES, [1.5, 0.7]), 100, seed=4))
    drawn.add([Scores().lattice(one.tokens) for one in gold], gold)
    found = drawn.fit()
    for start in ({0: 0.0, 1: GENEROUS}, dict(enumerate(found)), {0: 99.0, 1: -1.0}):
        assert drawn.fit(start=start) == pytest.approx(found, abs=1e-3)


def test_lattices_with_other_labels_are_counted_by_rules_compiled_for_those() -> None:
    """In one call, as label by label in several."""
    gold = labelled_sequences([(["x", "y"], ["A", "B"])] * 12)
    sets = [LABELS, lawful.LabelSet(["B", "C", "A"])]
    lattices = [lawful.Lattice(np.eye(2, len(sets[n % 2])), labels=sets[n % 2]) for n in range(12)]
    together, apart = DrawnLabellings(RULES, seed=1), DrawnLabellings(RULES, seed=1)
    together.add(lattices, gold)
    for lattice, sequence in zip(lattices, gold, strict=True):
        apart.add([lattice], [sequence])
    assert len(together) == len(apart) == 12
    assert together.fit(penalty=0.0) == apart.fit(penalty=0.0)
    assert together.compiled_for(sets[1]) is together.compiled_for(sets[1])
    assert together.compiled_for(sets[0]).labels == LABELS


def test_sequences_with_labels_that_the_model_does_not_know_are_left_out() -> None:
    gold = [(["1", "1"], ["A", "B"])] * 20
    assert fit_prices(RULES, [*gold, (["1"], ["C"])]) == fit_prices(RULES, gold)


@pytest.mark.parametrize(("options", "said"), [({"samples": 0}, "samples"), ({"penalty": -1.0}, "penalty")])
def test_bad_options(options: dict[str, float], said: str) -> None:
    with pytest.raises(InputError, match=said):
        fit_prices(RULES, [(["1"], ["A"])], **options)  # type: ignore[arg-type]


def test_no_data() -> None:
    with pytest.raises(InputError, match="there are none"):
        fit_prices(RULES, [])


@pytest.mark.parametrize("seed", range(5))
def test_the_lowest_point_of_a_bent_bowl_in_a_box(seed: int) -> None:
    """No feasible direction leads down from it."""
    rng = np.random.default_rng(seed)
    root, middle = rng.normal(size=(12, 8)), rng.normal(1, 2, 8)
    highest = rng.uniform(0.1, 3, 8)

    def bowl(x: np.ndarray) -> tuple[float, np.ndarray]:
        away = root @ (x - middle)
        return float(away @ away) / 2, root.T @ away

    found = lowest_in_box(bowl, highest, tolerance=1e-8)
    slope = bowl(found)[1]
    assert ((found >= 0) & (found <= highest)).all()
    assert (slope[found == 0] >= -1e-6).all() and (slope[found == highest] <= 1e-6).all()
    assert np.abs(slope[(found > 0) & (found < highest)]).max(initial=0.0) < 1e-6


def test_folds_score_every_sequence_by_a_model_that_has_not_seen_it() -> None:
    sentences = generate_citations(24, seed=5)
    gold = labelled_sequences((one.tokens, one.labels) for one in sentences)
    rules = Rules(lawful.at_most_segments(1, "title").soft("learn", name="one title"))
    model = lawful.HMM(labels=sorted({label for one in gold for label in one.labels}))
    tagger = CrossFitted(model, gold, folds=4)
    for part, others in parts_of(len(gold), 4, seed=0):
        assert sorted(part + others) == list(range(24))
        fitted = model.unfitted().fit(
            [gold[index].tokens for index in others], [gold[index].labels for index in others]
        )
        for index in part:
            ours, theirs = tagger.lattice(gold[index].tokens), fitted.lattice(gold[index].tokens)
            assert np.array_equal(ours.emissions, theirs.emissions)
    assert lawful.estimate_prices(rules, gold, tagger=model, folds=4) == lawful.estimate_prices(
        rules, gold, method="likelihood", tagger=tagger
    )


@pytest.mark.parametrize(
    ("tagger", "folds", "said"),
    [
        (Scores(), 3, "folds need a model that can be fitted"),
        (lawful.HMM(), 1, "folds must be a whole number of 2"),
        (lawful.HMM(), 2.5, "folds must be a whole number of 2"),
    ],
)
def test_what_cannot_be_folded(tagger: object, folds: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        lawful.estimate_prices(RULES, [(["1"], ["A"])] * 4, tagger=tagger, folds=folds)  # type: ignore[call-overload]
