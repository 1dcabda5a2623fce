"""The least bad answer breaks hard rules the fewest times, and is the best of those that do, at scores of any size."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import lawful
from lawful.errors import LargeScoreError
from lawful.testing import ExactScore, exact_score, rounding_between, wide_problem


def hard_violations(lattice: lawful.Lattice, rules: lawful.Rules, labels: tuple[str, ...]) -> int:
    return sum(
        rule.violations(labels, lattice.tokens, lattice.context, label_set=lattice.labels)
        for rule in rules
        if rule.price == "hard"
    )


def least_bad_by_enumeration(lattice: lawful.Lattice, rules: lawful.Rules) -> tuple[int, ExactScore] | None:
    soft = [rule for rule in rules if rule.price != "hard"]
    best: tuple[int, ExactScore] | None = None
    for labels in product(lattice.labels, repeat=lattice.length):
        score = exact_score(lattice, soft, labels)
        if score is None:
            continue
        broken = hard_violations(lattice, rules, labels)
        if best is None or (-broken, score.score) > (-best[0], best[1].score):
            best = broken, score
    return best


def test_it_is_the_best_of_those_that_break_the_fewest() -> None:
    rng = np.random.default_rng(3)
    for _ in range(150):
        lattice, drawn = wide_problem(rng, longest=4)
        rules = lawful.Rules([*drawn, lawful.at_least(2, "A"), lawful.at_most(1, "A")])
        expected = least_bad_by_enumeration(lattice, rules)
        try:
            decoding = lawful.decode(lattice, rules, on_infeasible="least_bad")
        except lawful.InfeasibleError:
            assert expected is None
            continue
        assert expected is not None
        fewest, best = expected
        assert hard_violations(lattice, rules, decoding.labels) == fewest
        answer = exact_score(lattice, [rule for rule in rules if rule.price != "hard"], decoding.labels)
        assert answer is not None
        assert best.score - answer.score <= 1000 * rounding_between(best, answer)


@pytest.mark.parametrize("mask", [-1e15, -1e30, -1e290])
def test_a_mask_does_not_drown_the_scores(mask: float) -> None:
    lattice = lawful.Lattice([[0.0, 1.0], [0.25, 0.5], [mask, 0.0], [0.5, 0.0]], labels=["A", "B"])
    rules = [lawful.at_least(3, "A"), lawful.at_most(1, "A")]
    decoding = lawful.decode(lattice, rules, on_infeasible="least_bad")
    assert (decoding.labels, decoding.score) == (("B", "B", "B", "A"), 2.0)


def test_scores_that_no_price_can_outweigh_are_refused() -> None:
    lattice = lawful.Lattice([[1e301, 0.0], [0.0, 1.0], [2.0, 0.0]], labels=["A", "B"])
    with pytest.raises(LargeScoreError, match="every violation of a hard rule has to outweigh"):
        lawful.decode(lattice, [lawful.at_least(3, "A"), lawful.at_most(1, "A")], on_infeasible="least_bad")
