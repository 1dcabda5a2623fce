"""All ways to solve on random problems whose numbers span the range of doubles, judged in exact rational arithmetic."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from benchmarks.agreement.ways import WAYS, counts_of_ways, solve
from lawful import Decoder, GraphLattice
from lawful.lattice import Lattice
from lawful.rules import Rules
from lawful.solvers.problem import Limits
from lawful.solvers.solution import Solution
from lawful.testing import ExactScore, best_exact_score, exact_score, rounding_between, wide_problem

__all__ = ["MAGNITUDES", "PROBLEMS", "compare_on_magnitudes"]

PROBLEMS = 250  # of a chunk
MAGNITUDES = ("short", "short graphs", "long")
SHORT, LONG = 5, 30  # labels
HIGHS = Fraction(1e-9)  # of what an answer adds up: HiGHS has tolerances of its own
# Dual decomposition may branch for ever, and HiGHS turns in circles at one of some thousand such mixtures of magnitudes.
LIMITS = Limits(max_states=500_000, timeout=10.0, on_limit="bounded")


def compare_on_magnitudes(kind: str, chunk: int) -> dict[str, Any]:
    """Hold every way against the best answer: of all label sequences if they are short, else of all that any way finds."""
    ways = counts_of_ways()
    record: dict[str, Any] = {
        "magnitudes": kind, "chunk": chunk, "problems": 0, "infeasible": 0, "left out": 0, "ways": ways
    }  # fmt: skip
    for index in range(PROBLEMS):
        rng = np.random.default_rng([3012, MAGNITUDES.index(kind), chunk, index])
        lattice, rules = wide_problem(rng, longest=LONG if kind == "long" else SHORT)
        searched = GraphLattice.from_lattice(lattice) if kind == "short graphs" else lattice
        problem = replace(Decoder(rules, labels=lattice.labels)._problem(searched), limits=LIMITS)
        solutions: dict[str, Solution] = {}
        for way in WAYS:
            if (solution := solve(way, problem, ways[way.name])) is not None:
                solutions[way.name] = solution
        answers = {name: _exact(lattice, rules, solution) for name, solution in solutions.items()}
        if kind == "long":
            legal = [answer for answer in answers.values() if answer is not None]
            best = max(legal, key=lambda answer: answer.score, default=None)
        else:
            best = best_exact_score(lattice, rules)
        record["problems"] += 1
        record["infeasible"] += best is None
        for name, solution in solutions.items():
            _judge(name, ways[name], solution, answers[name], best, {"place": index, "rules": repr(rules)})
    return record


def _exact(lattice: Lattice, rules: Rules, solution: Solution) -> ExactScore | None:
    """What the labels of a solution score; None if there are none, or if they are not legal."""
    if solution.labels is None:
        return None
    return exact_score(lattice, rules, lattice.labels.decode(solution.labels))


def _judge(
    name: str,
    counts: dict[str, Any],
    solution: Solution,
    answer: ExactScore | None,
    best: ExactScore | None,
    where: dict[str, Any],
) -> None:
    if solution.status == "bounded":  # it does not count as solved, but its bound must hold
        counts["solved"] -= 1
        counts["not for it"] += 1
        right = best is None or best.score <= Fraction(solution.bound) + rounding_between(best)
    elif best is None or answer is None:
        right = best is None and answer is None and solution.status == "infeasible"
    else:
        behind = best.score - answer.score
        own = abs(answer.score - Fraction(solution.score))
        slack = HIGHS * (best.size + answer.size) if name.startswith("ilp") else Fraction(0)
        right = behind <= rounding_between(best, answer) + slack and own <= rounding_between(answer)
        counts["worst"] = max(counts["worst"], float(behind / best.size) if best.size else 0.0)
    if not right:
        counts["disagreements"].append({**where, "found": repr(solution), "best": repr(best)})
