"""The worked examples of Loper (2008), as printed: section 6.1, section 6.8, and the construction of Appendix A."""

from __future__ import annotations

import math

import numpy as np
import pytest

import lawful
from lawful.lattice import GraphLattice
from lawful.testing import clause_lattices, most_satisfied, random_clauses
from lawful.voting import vote_on

FIGURE_6_1 = [{"PNVN": 1.0}, {"PVNN": 0.6, "PNVN": 0.4}, {"PNNV": 0.6, "PNVN": 0.4}]
SECTION_6_8 = [
    {"IOIIBIIOI": 0.0062, "IOIIIIIOI": 0.0040, "IOIOIIIOI": 0.0036, "OOIIBIIOI": 0.0034, "OOIIBIIOO": 0.0018},
    {
        "IOIIIIIOI": 0.00034,
        "IOIOIIIOI": 0.00016,
        "IOIIBIIOI": 0.00014,
        "OOIIBIIOI": 0.00008,
        "IOIIBBIOI": 0.00008,
    },
]


def as_lattice(answers: dict[str, float], *, rest: str = "") -> GraphLattice:
    """An n-best list of probabilities; what they lack of 1 goes to another answer."""
    candidates = [(list(labels), chance) for labels, chance in answers.items()]
    missing = 1.0 - sum(answers.values())
    if rest:
        candidates.append((list(rest), missing))
    return lawful.from_nbest(candidates, scores="probability")


def test_votes_on_my_father_flies_jets() -> None:
    lattices = [as_lattice(answers) for answers in FIGURE_6_1]
    winners = {
        method: vote_on(lattices, method=method) for method in ("local", "repaired", "linear", "log-linear")
    }
    assert "".join(winners["local"].labels) == "PNNN"
    for method in ("linear", "log-linear", "repaired"):
        assert "".join(winners[method].labels) == "PNVN"
        assert winners[method].status == "optimal"
    assert winners["linear"].probability == pytest.approx(0.6)
    assert math.exp(winners["linear"].score) == pytest.approx(0.6)
    assert winners["log-linear"].probability == pytest.approx(1.0)


def test_a_linear_vote_listens_to_the_surer_model() -> None:
    """The other answers of both models, of which the thesis prints five, must not meet: each gets one that the other lacks."""
    lattices = [
        as_lattice(answers, rest=rest)
        for answers, rest in zip(SECTION_6_8, ("OOOOOOOOO", "IIIIIIIII"), strict=True)
    ]
    forbidden = lawful.Rules(lawful.at_most(8, "I"), lawful.at_most(8, "O"))
    linear = vote_on(lattices, method="linear", rules=forbidden)
    assert "".join(linear.labels) == "IOIIBIIOI"
    assert math.exp(linear.score) == pytest.approx(0.0032, abs=5e-5)
    log_linear = vote_on(lattices, method="log-linear", rules=forbidden)
    assert "".join(log_linear.labels) == "IOIIIIIOI"
    assert math.exp(log_linear.score) == pytest.approx(0.0012, abs=5e-5)


@pytest.mark.parametrize("seed", range(8))
def test_linear_votes_solve_3_sat(seed: int) -> None:
    rng = np.random.default_rng(seed)
    variables, clauses = int(rng.integers(3, 7)), int(rng.integers(2, 25))
    formula = random_clauses(rng, variables, clauses)
    vote = vote_on(clause_lattices(formula, variables), method="linear")
    models_of_one = 7 * 2 ** (variables - 3)
    satisfied = math.exp(vote.score) * clauses * models_of_one
    assert vote.status == "optimal"
    assert satisfied == pytest.approx(most_satisfied(formula, variables))
    chosen = [label == "T" for label in vote.labels]
    held = sum(any(chosen[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in formula)
    assert held == round(satisfied)
