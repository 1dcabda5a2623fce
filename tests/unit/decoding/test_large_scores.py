"""Scores and prices whose sums would overflow are refused by name; those that do not are right."""

from __future__ import annotations

import math

import numpy as np
import pytest

import lawful
from lawful import GraphLattice, Lattice
from lawful.decoding import log_partition
from lawful.errors import LargeScoreError, ProbabilityError

AB = ["A", "B"]


@pytest.mark.parametrize(
    ("arrays", "where"),
    [
        ({"emissions": [[1.0, 2.0], [3.0, -1e308]]}, "emissions[1, 1] (label 'B') is -1e+308"),
        (
            {"emissions": [[1.0, 2.0]] * 2, "transitions": [[0.0, 0.0], [1.5e307, 0.0]]},
            "transitions[1, 0] (label 'B -> A') is 1.5e+307",
        ),
        ({"emissions": [[1.0, 2.0]], "start": [1e303, 0.0]}, "start[0] (label 'A') is 1e+303"),
        ({"emissions": [[1.0, 2.0]], "end": [0.0, -1e303]}, "end[1] (label 'B') is -1e+303"),
    ],
)
def test_the_largest_score_is_named(arrays: dict[str, list[float]], where: str) -> None:
    with pytest.raises(LargeScoreError) as caught:
        Lattice(labels=AB, **arrays)  # type: ignore[arg-type]
    assert caught.value.where in where
    assert str(caught.value).startswith(f"{where}: the scores of a path may add up to 1e+302, signs ignored")


def test_sums_are_what_counts() -> None:
    emissions = np.zeros((200, 2))
    emissions[7] = 9e301  # 200 times as much would be too much, but it is there once
    assert lawful.decode(Lattice(emissions), []).score == 9e301
    emissions[8] = 9e301
    with pytest.raises(LargeScoreError, match=r"could reach 1.8e\+302") as caught:
        Lattice(emissions, labels=AB)
    assert caught.value.total == 1.8e302
    with pytest.raises(LargeScoreError, match="could overflow"):
        Lattice(np.full((20, 2), 1e308), labels=AB)


def test_minus_infinity_is_not_to_blame() -> None:
    with pytest.raises(LargeScoreError):
        Lattice([[1e308, -np.inf], [1e308, -np.inf]], labels=AB)
    with pytest.raises(LargeScoreError):
        Lattice([[-1e308, -np.inf], [-1e308, -np.inf]], labels=AB)


def test_the_weight_of_an_arc_or_an_end_is_named() -> None:
    with pytest.raises(LargeScoreError, match="the weight of the arc from state 0 to 4 is -1e\\+308"):
        GraphLattice.from_arcs([(0, 4, "A", -1e308), (0, 4, "B", 1.0)], labels=AB, finals=[4])
    with pytest.raises(LargeScoreError, match="the weight of ending in state 4 is 1e\\+308"):
        GraphLattice.from_arcs([(0, 4, "A", 1.0)], labels=AB, finals={4: 1e308})


@pytest.mark.parametrize(
    "solver", ["auto", "a_star", "beam", "dual", "brute_force", "relaxation", "branch_and_bound"]
)
def test_the_price_that_could_overflow_is_named(solver: str) -> None:
    lattice = Lattice([[1.0, -np.inf]] * 5, labels=AB)
    with pytest.raises(LargeScoreError, match=r"the price of rule \"at_most\(0, 'A'\)\" is 1e\+308"):
        lawful.decode(lattice, lawful.at_most(0, "A").soft(1e308, per="violation"), solver=solver)
    with pytest.raises(
        LargeScoreError, match=r"is 5e\+301: the prices .* could reach 2.5e\+302; make the rule hard"
    ):
        lawful.decode(lattice, lawful.at_most(0, "A").soft(5e301, per="violation"), solver=solver)
    decoding = lawful.decode(lattice, lawful.at_most(0, "A").soft(5e300, per="violation"), solver=solver)
    assert decoding.score == pytest.approx(-2.5e301)


def test_prices_are_refused_where_answers_are_counted_too() -> None:
    lattice = Lattice([[1.0, 0.0]] * 5, labels=AB)
    rule = lawful.at_most(0, "A").soft(5e301, per="violation")
    for ask in (lawful.nbest, lawful.marginals, log_partition):
        with pytest.raises(LargeScoreError, match="the price of rule"):
            ask(lattice, rule)


def expected_marginals(scores: np.ndarray) -> np.ndarray:
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("offset", [1e15, -1e15, 1e30, -float(np.finfo(np.float32).max)])
def test_probabilities_at_large_scores_are_those_of_the_differences(offset: float) -> None:
    small = np.random.default_rng(1).integers(-3, 4, size=(6, 2)) * (1.0 if abs(offset) < 1e16 else 0.0)
    steps = np.array([[0.5, -0.25], [0.0, 0.125]])
    plain = lawful.marginals(Lattice(small, steps, labels=AB), lawful.at_most(3, "A"))
    large = lawful.marginals(Lattice(small + offset, steps, labels=AB), lawful.at_most(3, "A"))
    assert large.labels == pytest.approx(plain.labels, abs=1e-12)
    assert large.log_partition == pytest.approx(plain.log_partition + 6 * offset, rel=1e-15)
    assert large.confidence(["B"] * 6) == pytest.approx(plain.confidence(["B"] * 6), rel=1e-12)


@pytest.mark.parametrize("mask", [-1e9, -1e15, -1e30, -1e300])
def test_a_mask_takes_no_part_in_probabilities(mask: float) -> None:
    scores = np.random.default_rng(2).normal(size=(5, 3))
    forbidden, masked = scores.copy(), scores.copy()
    forbidden[2, 1], masked[2, 1] = -np.inf, mask
    rules = [lawful.at_most_segments(1, "0"), lawful.at_least(1, "2").soft(1.5)]
    expected, got = (lawful.marginals(Lattice(array), rules) for array in (forbidden, masked))
    assert got.labels == pytest.approx(expected.labels, abs=1e-12)
    assert got.log_partition == pytest.approx(expected.log_partition, rel=1e-12)


def test_probabilities_that_rounding_hides_are_refused() -> None:
    lattice = Lattice([[-1e30, 0.0], [1.0, 2.0]], labels=AB)
    rule = lawful.label_at(0, "A")
    assert log_partition(lattice, rule) == -1e30
    with pytest.raises(ProbabilityError, match=r"score about -1e\+30") as caught:
        lawful.marginals(lattice, rule)
    assert math.isclose(caught.value.log_partition, -1e30)


def test_sums_near_the_largest_double_are_right_or_refused() -> None:
    assert log_partition(Lattice([[4e301, 0.0], [4e301, 1.0]]), []) == 8e301
    with pytest.raises(LargeScoreError):
        log_partition(Lattice([[1e308, 0.0], [1e308, 1.0]]), [])
