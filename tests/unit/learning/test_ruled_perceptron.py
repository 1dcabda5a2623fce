"""The perceptron with rules: hand-worked steps, a plain reference, and the core's own perceptron."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest

import lawful
from lawful.learning.perceptron.strategies import Trainer
from lawful.learning.prices.learned_prices import LearnedPrices
from lawful.models.linear.weights import StateFeatures
from lawful.models.perceptron.structured_learner import StructuredLearner

LABELS = lawful.LabelSet(["A", "B", "C"])


def trainer_for(X, y, rules, *, learn=True, **parameters) -> Trainer:
    base = lawful.CRF(all_states=True, all_transitions=True, **parameters)
    model = StructuredLearner(base, X, y, labels=LABELS)
    return Trainer(model, LearnedPrices(lawful.Rules(rules), LABELS, X), learn_prices=learn)


# --- by hand ------------------------------------------------------------------------------------------------


def test_lines_5_and_6_on_one_sequence() -> None:
    """All scores are 0, so the answer is A A A by label order: 2 A's too many. The gold labels have none too many."""
    rule = lawful.at_most(1, "A").soft("learn", per="violation", name="one A")
    trainer = trainer_for([[["x"], ["y"], ["z"]]], [["A", "B", "B"]], rule)
    assert trainer.see(0) == 2
    assert trainer.prices.learned.tolist() == [2.0]  # 0 + d(x, AAA) - d(x, ABB)
    lattice = trainer.model.lattice(0)
    assert lattice.emissions.tolist() == [[0, 0, 0], [-1, 1, 0], [-1, 1, 0]]
    assert lattice.transitions.tolist() == [[-2, 1, 0], [0, 1, 0], [0, 0, 0]]
    assert trainer.see(0) == 0  # now it is right: 4 for A B B
    assert trainer.prices.learned.tolist() == [2.0]


def test_a_price_falls_when_gold_breaks_the_rule_more_often_and_stops_at_0() -> None:
    rule = lawful.forbid("B").soft("learn", per="violation", name="no B")
    trainer = trainer_for([[["x"], ["y"], ["z"]]], [["B", "B", "B"]], rule)
    trainer.prices.learned = np.array([2.0])
    assert trainer.see(0) == 3
    assert trainer.prices.learned.tolist() == [0.0]  # 2 + 0 - 3, which may not be


def test_a_rule_that_is_paid_for_once_moves_by_one() -> None:
    rule = lawful.at_most(0, "A").soft("learn", name="no A")
    trainer = trainer_for([[["x"], ["y"], ["z"]]], [["B", "B", "B"]], rule)
    trainer.see(0)
    assert trainer.prices.learned.tolist() == [1.0]


def test_averages_are_the_means_after_each_step() -> None:
    rule = lawful.at_most(1, "A").soft("learn", per="violation", name="one A")
    trainer = trainer_for([[["x"], ["y"]], [["x"], ["z"]]], [["A", "B"], ["C", "A"]], rule)
    weights, prices = [], []
    for place in (0, 1, 1, 0, 1):
        trainer.see(place)
        weights.append(trainer.model.current.values)
        prices.append(trainer.prices.learned.copy())
    assert np.allclose(trainer.model.averaged.values, np.mean(weights, axis=0))
    assert np.allclose(trainer.averaged_prices, np.mean(prices, axis=0))


# --- beside a plain reference ---------------------------------------------------------------------------------


class Plain:
    """Algorithm 3 with dictionaries, enumeration, and averages that are summed."""

    def __init__(self, rules: lawful.Rules, *, joint: bool) -> None:
        self.rules, self.joint = rules, joint
        self.weights: Counter = Counter()
        self.prices = {rule.name: 0.0 if joint else rule.price for rule in rules}
        self.sums, self.price_sums, self.steps = Counter(), Counter(), 0

    @staticmethod
    def features(x, y) -> Counter:
        state = [("state", attribute, label) for item, label in zip(x, y, strict=True) for attribute in item]
        return Counter(state + [("edge", *pair) for pair in pairwise(y)])

    def score(self, x, y) -> float:
        total = sum(self.weights[one] * count for one, count in self.features(x, y).items())
        for rule in self.rules:
            broken = rule.violations(y, x)
            if self.prices[rule.name] == "hard":
                total -= np.inf if broken else 0
            else:
                total -= self.prices[rule.name] * (broken if rule.per == "violation" else bool(broken))
        return total

    def see(self, x, gold, found) -> None:
        """`found` must be one of the best labellings: which of them is the library's choice."""
        best = max(self.score(x, list(y)) for y in product(LABELS, repeat=len(x)))
        assert self.score(x, found) == pytest.approx(best)
        self.weights.update(self.features(x, gold))
        self.weights.subtract(self.features(x, found))
        if self.joint:
            for rule in self.rules:
                degree = [rule.violations(y, x) for y in (found, gold)]
                if rule.per == "sequence":
                    degree = [int(bool(one)) for one in degree]
                self.prices[rule.name] = max(0.0, self.prices[rule.name] + degree[0] - degree[1])
            self.price_sums.update(self.prices)
        self.sums.update(self.weights)
        self.steps += 1


def check_beside_plain(X, y, rules, *, joint: bool, epochs: int) -> None:
    trainer = trainer_for(X, y, rules, learn=joint)
    plain = Plain(lawful.Rules(rules), joint=joint)
    for place in list(range(len(X))) * epochs:
        found = trainer.prices.best(place, trainer.model.lattice(place))
        plain.see(X[place], y[place], list(LABELS.decode(found)))
        trainer.see(place)
    if joint:
        expected = [plain.price_sums[name] / plain.steps for name in trainer.prices.names]
        assert trainer.averaged_prices.tolist() == pytest.approx(expected)
    learned = trainer.model.averaged
    for (attribute, label), weight in StateFeatures(learned).items():
        assert weight == pytest.approx(plain.sums["state", attribute, label] / plain.steps)
    for pair, weight in learned.edges().items():
        assert weight == pytest.approx(plain.sums["edge", *pair] / plain.steps)


def random_task(seed: int, count: int = 4):
    rng = np.random.default_rng(seed)
    X = [[[f"w={rng.integers(4)}", "bias"] for _ in range(rng.integers(2, 5))] for _ in range(count)]
    return X, [[str(rng.choice(list(LABELS))) for _ in x] for x in X]


SOFT = [
    lawful.at_most_segments(1, "A").soft("learn", per="violation", name="once A"),
    lawful.starts_with("A", "B").soft("learn", name="start"),
    lawful.before("A", "C").soft("learn", per="violation", name="A first"),
]


@pytest.mark.parametrize("seed", range(6))
def test_jibt_equals_a_plain_reference(seed: int) -> None:
    check_beside_plain(*random_task(seed), SOFT, joint=True, epochs=4)


@pytest.mark.parametrize("seed", range(3))
def test_ibt_equals_a_plain_reference_with_hard_rules(seed: int) -> None:
    rules = [lawful.at_most(2, "A"), lawful.requires("C", "B"), lawful.ends_with("B").soft(1.5, name="end")]
    check_beside_plain(*random_task(seed, 3), rules, joint=False, epochs=3)


# --- beside the core and plain training -----------------------------------------------------------------------


def test_without_rules_it_is_the_cores_perceptron() -> None:
    X, y = random_task(3, 12)
    ours = lawful.learning.RuledPerceptron(lawful.CRF(), strategy="L", epochs=6).fit(X, y)
    theirs = lawful.CRF(algorithm="averaged_perceptron", max_iterations=6, tolerance=0.0).fit(X, y)
    share = (
        6 * 12 / (6 * 12 + 1)
    )  # CRFsuite's average, which the core follows, also counts the zeros at the start
    assert np.allclose(share * ours.model_.weights_, theirs.weights_)


def test_learning_plus_inference_is_plain_training_and_ruled_decoding() -> None:
    X, y = random_task(5, 12)
    plain = lawful.learning.RuledPerceptron(lawful.CRF(), strategy="L", epochs=6).fit(X, y)
    with pytest.warns(lawful.errors.UncalibratedScoresWarning, match="scores of RuledPerceptron"):
        ruled = lawful.learning.RuledPerceptron(lawful.CRF(), SOFT, strategy="L+I", epochs=6).fit(X, y)
    assert not plain.rules_
    assert dict(ruled.model_.state_features_) == dict(plain.model_.state_features_)
    assert ruled.rules_ == lawful.estimate_prices(SOFT, zip(X, y, strict=True))
    with pytest.warns(lawful.errors.UncalibratedScoresWarning, match="scores of CRF"):
        later = plain.model_.predict(X, rules=ruled.rules_)
    assert ruled.predict(X) == later


def test_pair_features_groups_and_values_are_learned_too() -> None:
    rng = np.random.default_rng(1)
    X = [[{f"w={rng.integers(3)}": float(rng.integers(1, 4))} for _ in range(4)] for _ in range(6)]
    y = [[str(rng.choice(["A", "B"])) for _ in x] for x in X]
    base = lawful.CRF(groups={"all": ["A", "B"]}, start=True, end=True)
    ours = lawful.learning.RuledPerceptron(base, strategy="L", epochs=3).fit(X, y)
    theirs = lawful.CRF(
        groups={"all": ["A", "B"]}, start=True, end=True, algorithm="averaged_perceptron", max_iterations=3
    )
    found = theirs.set_params(tolerance=0.0).fit(X, y).lattice(X[0]).emissions
    assert np.allclose(18 / 19 * ours.model_.lattice(X[0]).emissions, found)


def test_a_structured_perceptron_learns_the_same_and_can_be_saved(tmp_path) -> None:
    X, y = random_task(9, 8)
    crf = lawful.learning.RuledPerceptron(lawful.CRF(), SOFT, epochs=4).fit(X, y)
    own = lawful.learning.RuledPerceptron(lawful.StructuredPerceptron(), SOFT, epochs=4).fit(X, y)
    assert np.array_equal(own.model_.weights_, crf.model_.weights_)
    own.save(tmp_path / "model.lawful")
    assert lawful.load_model(tmp_path / "model.lawful").predict(X, rules=own.rules_) == own.predict(X)


def test_tied_rules_share_a_price() -> None:
    rules = [lawful.forbid(label).soft("learn", per="violation", name=f"no {label}") for label in ("A", "C")]
    prices = LearnedPrices(lawful.Rules(rules), LABELS, [["x", "y"]], [["no A", "no C"]])
    assert prices.violations(0, [0, 2]).tolist() == [2.0]
    assert {rule.price for rule in prices.rules(np.array([3.0]))} == {3.0}


def test_hard_rules_that_contradict_each_other_get_the_least_bad_answer() -> None:
    rules = lawful.Rules(lawful.exactly(1, "A"), lawful.forbid("A"))
    prices = LearnedPrices(rules, LABELS, [["x"]])
    assert prices.best(0, lawful.Lattice([[0.0, 1.0, 0.0]], labels=LABELS)).tolist() == [1]


def test_contexts_reach_the_rules() -> None:
    rules = lawful.same_label().soft("learn", per="violation", name="agree")
    X, y = [[["x"], ["y"]]] * 2, [["A", "A"], ["A", "B"]]
    contexts = [{"groups": [[0, 1]]}, {"groups": []}]
    learner = lawful.learning.RuledPerceptron(lawful.CRF(), rules, epochs=2).fit(X, y, contexts=contexts)
    assert learner.rules_["agree"].price >= 0
    with pytest.raises(lawful.InputError, match="2 token sequences but 1 contexts"):
        learner.fit(X, y, contexts=contexts[:1])


@pytest.mark.parametrize(
    ("parameters", "match"),
    [
        ({"strategy": "LI"}, "strategy must be 'L', 'L\\+I', 'IBT' or 'JIBT'"),
        ({"epochs": 0}, "epochs must be a whole number of 1 or more"),
    ],
)
def test_what_is_refused(parameters, match) -> None:
    with pytest.raises(lawful.InputError, match=match):
        lawful.learning.RuledPerceptron(lawful.CRF(), **parameters).fit([[["x"]]], [["A"]])


def test_a_model_without_weights_is_refused() -> None:
    for base in (lawful.HMM(), lawful.StructuredPerceptron(averaging="voted")):
        with pytest.raises(lawful.InputError, match="cannot be changed one sequence at a time"):
            lawful.learning.RuledPerceptron(base).fit([["x"]], [["A"]])


# --- from a pool ----------------------------------------------------------------------------------------------


def test_with_gamma_1_the_pool_has_no_say() -> None:
    X, y = random_task(7, 6)
    pool, _ = random_task(8, 6)
    base = lawful.CRF(all_states=True, all_transitions=True)
    alone = lawful.learning.RuledPerceptron(base, SOFT, epochs=5).fit(X, y)
    semi = lawful.learning.SemiRuledPerceptron(base, SOFT, gamma=1.0, epochs=5).fit(X, y, unlabelled=pool)
    mine, theirs = dict(semi.model_.state_features_), dict(alone.model_.state_features_)
    assert mine == pytest.approx(theirs)
    assert semi.rules_ == alone.rules_
    assert [one.number for one in semi.history_] == [0, 1]


def test_words_of_the_pool_are_learned() -> None:
    X, y = [[["w=Ann"], ["w=."], ["w=law"]]] * 2, [["name", "name", "body"]] * 2
    pool = [[["w=Cid"], ["w=."], ["w=law"]], [["w=Cid"], ["w=Ann"], ["w=."], ["w=law"]]]
    rules = lawful.starts_with("name")
    semi = lawful.learning.SemiRuledPerceptron(lawful.CRF(), rules, strategy="L+I", gamma=0.5, epochs=5)
    semi.fit(X, y, unlabelled=pool)
    assert semi.model_.state_features_["w=Cid", "name"] > 0


# --- prices alone ---------------------------------------------------------------------------------------------


class Fixed:
    labels = LABELS

    def __init__(self, scores) -> None:
        self.scores = scores

    def lattice(self, tokens):
        return lawful.Lattice([self.scores[token] for token in tokens], labels=LABELS, tokens=tokens)


def test_prices_rise_until_the_answer_is_right() -> None:
    tagger = Fixed({"x": [3.0, 0.0, 0.0]})
    rule = lawful.at_most(1, "A").soft("learn", per="violation", name="one A")
    # x x x gets A A A until two violations cost more than 6 together: 2, then 4, and there it stays.
    found = lawful.estimate_prices(
        rule, [(["x"] * 3, ["A", "B", "B"])], method="perceptron", tagger=tagger, epochs=4
    )
    assert found["one A"].price == pytest.approx((2 + 4 + 4 + 4) / 4)


def test_the_rate_and_hard_rules() -> None:
    tagger = Fixed({"x": [1.0, 0.0, 0.0]})
    rules = [lawful.forbid("C"), lawful.forbid("A").soft("learn", per="violation", name="no A")]
    gold = [(["x"], ["B"])]
    found = lawful.estimate_prices(rules, gold, method="perceptron", tagger=tagger, epochs=1, rate=2.5)
    assert [rule.price for rule in found] == ["hard", 2.5]
    with pytest.raises(lawful.InputError, match="rate must be a number above 0"):
        lawful.estimate_prices(rules, gold, method="perceptron", tagger=tagger, rate=0)
