"""Constrained likelihood beside finite differences, the decoder's sums, and the plain CRF."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful.errors import ProductTooLargeError
from lawful.learning import ConstrainedLikelihood
from lawful.learning.likelihood.legal_paths import PricedPart, find_legal_paths
from lawful.rules.bound_rules import bind
from lawful.rules.compiled_rules import CompiledRules

RULES = [
    lawful.at_most_segments(2, "A").named("two A"),
    lawful.starts_with("A", "B").soft("learn", name="start"),
    lawful.before("A", "C").soft("learn", per="violation", name="A first"),
    lawful.requires("C", "B").soft(0.7, name="C needs B"),
    lawful.at_most(1, "C").soft(0.4, per="violation", name="one C"),
]


def task(seed: int, count: int = 5):
    rng = np.random.default_rng(seed)
    X = [
        [{f"w={rng.integers(4)}": 1.0, "bias": 0.5} for _ in range(rng.integers(1, 6))] for _ in range(count)
    ]
    y = [[str(rng.choice(["A", "B", "C"])) for _ in x] for x in X]
    X.append([{"w=0": 1.0}, {"w=1": 1.0}, {"w=2": 1.0}])
    return X, [*y, ["A", "B", "C"]]


def likelihood(X, y, rules, **parameters):
    base = lawful.CRF(c2=0.2, **parameters)
    return ConstrainedLikelihood(base, rules, on_illegal="drop").likelihood(X, y)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"start": True, "end": True, "all_states": True},
        {"groups": {"AB": ["A", "B"]}, "all_transitions": True},
    ],
)
def test_the_gradient_equals_finite_differences(parameters) -> None:
    X, y = task(1)
    objective = likelihood(X, y, RULES, **parameters)
    rng = np.random.default_rng(0)
    point = np.append(
        rng.normal(size=objective.weights), rng.uniform(0.1, 2.0, objective.size - objective.weights)
    )
    assert objective.size - objective.weights == 2
    _, gradient = objective.value_and_gradient(point)
    for place in range(objective.size):
        step = np.zeros(objective.size)
        step[place] = 1e-5
        above, below = (objective.value_and_gradient(point + sign * step)[0] for sign in (1, -1))
        assert gradient[place] == pytest.approx((above - below) / 2e-5, abs=1e-6)


def test_the_partition_is_that_of_the_decoder() -> None:
    """With other code: lattices from a fitted model, the product in the core, rules at their prices."""
    X, y = task(2)
    objective = likelihood(X, y, RULES, all_states=True)
    rng = np.random.default_rng(3)
    weights, prices = rng.normal(size=objective.weights), np.array([1.3, 0.6])
    value, _ = objective.value_and_gradient(np.append(weights, prices))
    model = objective.into_model(weights, 0.0)
    priced = objective.prices.rules(prices)
    legal = [(x, z) for x, z in zip(X, y, strict=True) if not RULES[0].violations(z, x)]
    expected = 0.2 * (weights @ weights + prices @ prices)
    for tokens, labels in legal:
        lattice = model.lattice(tokens)
        expected += lawful.decoding.log_partition(lattice, priced) - lawful.lattice.path_score(
            lattice, labels
        )
        for rule in priced:
            if rule.name in ("start", "A first"):
                broken = rule.violations(labels, tokens)
                expected += rule.price * (broken if rule.per == "violation" else bool(broken))
    assert value == pytest.approx(expected)


def test_the_expectations_are_the_decoders_marginals() -> None:
    X, y = task(4)
    objective = likelihood(X, y, RULES[:1], all_states=True)
    rng = np.random.default_rng(5)
    model = objective.into_model(rng.normal(size=objective.weights), 0.0)
    lattices = [model.lattice(x) for x, z in zip(X, y, strict=True) if not RULES[0].violations(z, x)]
    emissions = np.concatenate([one.emissions for one in lattices])
    zeros = np.zeros(3)
    found = objective.corpus.expect(emissions, lattices[-1].transitions, zeros, zeros, np.zeros(0))
    expected = np.concatenate([lawful.marginals(one, RULES[0]).labels for one in lattices])
    assert np.allclose(found.labels, expected)


def test_without_rules_it_is_the_crf() -> None:
    X, y = task(6, 12)
    plain = lawful.CRF(c2=0.5, tolerance=1e-9).fit(X, y)
    ours = ConstrainedLikelihood(lawful.CRF(c2=0.5), tolerance=1e-12).fit(X, y)
    assert ours.objective_ == pytest.approx(plain.objective_, rel=1e-6)
    assert np.allclose(ours.lattice(X[0]).emissions, plain.lattice(X[0]).emissions, atol=1e-2)


def test_gold_is_likelier_among_the_legal_than_for_a_model_that_learned_without_rules() -> None:
    X, y = task(7, 12)
    rule = lawful.at_most_segments(2, "A")
    legal = [(x, z) for x, z in zip(X, y, strict=True) if not rule.violations(z, x)]

    def surprise(model) -> float:
        lattices = [(model.lattice(x), z) for x, z in legal]
        return sum(
            lawful.decoding.log_partition(one, rule) - lawful.lattice.path_score(one, z)
            for one, z in lattices
        )

    plain = lawful.CRF(c2=0.01).fit(*zip(*legal, strict=True))
    ours = ConstrainedLikelihood(lawful.CRF(c2=0.01), rule, on_illegal="drop").fit(X, y)
    assert surprise(ours.model_) < surprise(plain)


def test_a_learned_price_of_a_rule_that_nothing_supports_stays_0() -> None:
    X, y = [[["x"], ["x"]]] * 4, [["A", "B"], ["B", "A"], ["A", "A"], ["B", "B"]]
    useless = lawful.starts_with("A").soft("learn", name="start")
    learner = ConstrainedLikelihood(lawful.CRF(c2=0.1), useless).fit(X, y)
    assert learner.rules_["start"].price == pytest.approx(0.0, abs=1e-4)


def test_gold_that_breaks_a_hard_rule_is_named() -> None:
    X, y = [[["x"]], [["y"]]], [["A"], ["B"]]
    with pytest.raises(lawful.InputError, match="sequence 2 break the hard rule 'only A'"):
        ConstrainedLikelihood(lawful.CRF(), lawful.allow_only("A").named("only A")).fit(X, y)
    with pytest.raises(lawful.InputError, match="nothing is left"):
        ConstrainedLikelihood(lawful.CRF(), lawful.forbid("A", "B"), on_illegal="drop").fit(X, y)
    learner = ConstrainedLikelihood(
        lawful.CRF(), lawful.allow_only("A"), on_illegal="drop", labels=["A", "B"]
    )
    assert learner.fit(X, y).predict([[["y"]]]) == [["A"]]


def test_a_product_that_is_too_large_is_refused() -> None:
    X, y = [[["x"]] * 6], [["A", "B", "C", "A", "B", "C"]]
    rules = [lawful.at_most(5, label) for label in "ABC"]
    with pytest.raises(ProductTooLargeError) as told:
        ConstrainedLikelihood(lawful.CRF(), rules, max_states=20).fit(X, y)
    assert "training sequence 1" in told.value.__notes__[0]


def test_what_is_refused() -> None:
    X, y = [[["x"]]], [["A"]]
    with pytest.raises(lawful.InputError, match="c1=0"):
        ConstrainedLikelihood(lawful.CRF(c1=1.0)).fit(X, y)
    with pytest.raises(lawful.InputError, match="on_illegal"):
        ConstrainedLikelihood(lawful.CRF(), on_illegal="skip").fit(X, y)


def test_nothing_legal_gives_no_paths() -> None:
    bound = bind(CompiledRules(lawful.Rules(lawful.at_least(3, "A")), lawful.LabelSet(["A"])), 1, ["x"], {})
    [(part, kinds)] = bound.parts_of(0)
    assert find_legal_paths(1, 1, 0, [PricedPart(part, kinds, -1)]).levels == ()
