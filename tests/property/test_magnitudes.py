"""No finite score changes which path wins by more than the rounding of the compared paths' own sums."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful.testing import best_exact_score, exact_score, rounding_between, wide_problem

EXACT = ["brute_force", "relaxation", "branch_and_bound"]
PROBLEMS = 200


@pytest.mark.parametrize("solver", EXACT)
def test_the_best_path_wins_at_any_magnitude(solver: str) -> None:
    rng = np.random.default_rng(EXACT.index(solver))
    for number in range(PROBLEMS):
        lattice, rules = wide_problem(rng)
        best = best_exact_score(lattice, rules)
        try:
            decoding = lawful.decode(lattice, rules, solver=solver)
        except lawful.InfeasibleError:
            assert best is None, (number, rules)
            continue
        assert best is not None, (number, rules)
        if decoding.status != "optimal":  # a narrow beam
            continue
        answer = exact_score(lattice, rules, decoding.labels)
        assert answer is not None, (number, rules)
        assert best.score - answer.score <= rounding_between(best, answer), (number, rules)


def test_a_mask_elsewhere_does_not_decide() -> None:
    lattice = lawful.Lattice([[-1e30, 2.0], [3.0, 3.0], [1.0, 0.0]], labels=["A", "B"])
    for solver in EXACT:
        assert lawful.decode(lattice, lawful.exactly(1, "A"), solver=solver).labels == ("B", "B", "A")
