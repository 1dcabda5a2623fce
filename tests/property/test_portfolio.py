"""Every hand-over of the portfolio is taken, with budgets next to nothing, and the answers are those of enumeration.

The test takes a few hundred problems; `LAWFUL_PROBLEMS=20000 pytest tests/property/test_portfolio.py` as many as one likes.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import lawful
from lawful import Decoder
from lawful.decoding.judge import judge
from lawful.errors import EnumerationError, RuleTooLargeError
from lawful.solvers import engine as engine_module
from lawful.solvers.portfolio import hand_over as hand_over_module, members
from lawful.solvers.portfolio.members import Member, turns
from lawful.solvers.portfolio.standing import Standing
from lawful.solvers.problem import Problem
from lawful.solvers.solution import Solution
from lawful.testing import (
    best_exact_score,
    enumerate_best,
    exact_score,
    random_problems,
    rounding_between,
    same_score,
    wide_problem,
)

PROBLEMS = int(os.environ.get("LAWFUL_PROBLEMS", "400"))
NOTHING = Solution(None, -math.inf, "bounded", math.inf, limit="budget")
NAMES = (
    "best first",
    "dual decomposition",
    "the engine again",
    "an integer program",
    "the engine by single states",
)
Turns = Callable[[Standing, int], Iterator[Member]]


@pytest.fixture(autouse=True)
def next_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Budgets that even small problems exceed."""
    monkeypatch.setattr(engine_module, "HAND_OVER", 1)
    for name in ("READS", "ITERATIONS", "STATES", "SINGLE", "WORK"):
        monkeypatch.setattr(members, name, 1)
    monkeypatch.setattr(members, "GROWTH", 3)


def shuffled(rng: np.random.Generator) -> Turns:
    """The members in any order."""

    def take(standing: Standing, number: int) -> Iterator[Member]:
        ways = list(turns(standing, number))
        return iter([ways[index] for index in rng.permutation(len(ways))])

    return take


def handed_over(problem: Problem) -> Solution:
    """What the portfolio finds if the engine found nothing."""
    solution = hand_over_module.hand_over(problem, NOTHING)
    judge(problem.lattice, problem.rules.rules, solution)
    return solution


def check_small_problems(problems: int, seed: int) -> Counter[str]:
    """Who proved how many of the problems."""
    ends: Counter[str] = Counter()
    index = 0
    while ends.total() < problems:
        index += 1
        rng = np.random.default_rng([18, seed, index])
        try:
            rules, lattices = random_problems(rng, "trellis", count=4, largest=250)
            decoder = Decoder(rules, labels=lattices[0].labels)
            for lattice in lattices:
                best = enumerate_best(lattice, rules, max_sequences=20_000, max_length=9)
                found = handed_over(decoder._problem(lattice))
                assert found.status == ("infeasible" if best is None else "optimal"), (found, rules)
                assert best is None or same_score(found.score, best.score), (found, best, rules)
                assert found.bound == found.score
                ends[found.why.split(", after")[0]] += 1
        except (RuleTooLargeError, EnumerationError):
            continue
    return ends


def test_members_in_any_order_agree_with_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_over_module, "turns", shuffled(np.random.default_rng(0)))
    ends = check_small_problems(PROBLEMS, 0)
    assert ends.keys() == set(NAMES)
    assert min(ends.values()) >= PROBLEMS // 40


@pytest.mark.parametrize("name", NAMES)
def test_each_member_alone_agrees_with_enumeration(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def alone(standing: Standing, number: int) -> Iterator[Member]:
        ways = list(turns(standing, number))  # one of them is for soft rules only
        return iter([member for member in ways if member.name == name] or ways)

    monkeypatch.setattr(hand_over_module, "turns", alone)
    ends = check_small_problems(PROBLEMS // 4, 1)
    assert ends[name] >= PROBLEMS // 20
    assert len(ends) == 1 or name == "the engine by single states"


@pytest.mark.parametrize("seed", range(2))
def test_the_best_path_wins_at_any_magnitude(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng([19, seed])
    monkeypatch.setattr(hand_over_module, "turns", shuffled(rng))
    for _ in range(PROBLEMS // 4):
        lattice, rules = wide_problem(rng)
        best = best_exact_score(lattice, rules)
        found = handed_over(Decoder(rules, labels=lattice.labels)._problem(lattice))
        assert found.status == ("infeasible" if best is None else "optimal")
        if best is not None:
            assert found.labels is not None
            answer = exact_score(lattice, rules, lattice.labels.decode(found.labels))
            assert answer is not None
            assert best.score - answer.score <= rounding_between(best, answer)


def test_at_a_limit_the_tightest_bound_of_all_is_told() -> None:
    limited = 0
    for index in range(PROBLEMS // 8):
        rng = np.random.default_rng([20, index])
        lattice = lawful.Lattice(rng.normal(size=(6, 3)), rng.normal(size=(3, 3)), labels=list("ABC"))
        rules = [lawful.same_label([(t, t + 3)]) for t in range(3)]
        best = lawful.decode(lattice, rules, solver="brute_force").score
        found = lawful.decode(lattice, rules, max_states=int(rng.integers(20, 200)), on_limit="bounded")
        assert found.score <= best + 1e-9
        assert found.bound >= best - 1e-9
        assert found.status == "bounded" or abs(found.score - best) < 1e-9
        limited += found.status == "bounded"
    assert limited > 3


def test_a_batch_hands_over_what_the_engine_gives_up_and_nothing_else() -> None:
    rng = np.random.default_rng(21)
    labels = list("ABCD")
    rules = [lawful.same_label([(t, t + 8)]) for t in range(8)]
    scores = [rng.normal(size=(16, 4)) for _ in range(6)]
    easy = [np.tile(np.eye(4)[t % 4], (16, 1)) for t in range(6)]
    steps = rng.normal(size=(4, 4))
    lattices = [
        lawful.Lattice(one, steps, labels=labels) for pair in zip(scores, easy, strict=True) for one in pair
    ]
    decoder = Decoder(rules, labels=labels)
    together = decoder.decode_batch(lattices, jobs=2)
    given_up = 0
    for lattice, found in zip(lattices, together, strict=True):
        alone = decoder.decode(lattice)
        assert (alone.labels, alone.score, alone.why) == (found.labels, found.score, found.why)
        assert same_score(found.score, lawful.decode(lattice, rules, solver="dual").score)
        given_up += "had stopped at a budget" in found.why
    assert 0 < given_up <= 6
