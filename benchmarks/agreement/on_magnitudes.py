"""All ways to solve on random problems whose numbers span the range of doubles, judged in exact rational arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.agreement.ways import WAYS, counts_of_ways, solve
from lawful import Decoder, GraphLattice
from lawful.lattice import Lattice
from lawful.rules import Rules
from lawful.solvers.solution import Solution
from lawful.testing import ExactScore, best_exact_score, exact_score, rounding_between, wide_problem

__all__ = ["MAGNITUDES", "PROBLEMS", "compare_on_magnitudes"]

PROBLEMS = 250  # of a chunk
MAGNITUDES = ("short", "short graphs", "long")
SHORT, LONG = 5, 30  # labels


def compare_on_magnitudes(kind: str, chunk: int) -> dict[str, Any]:
    """Hold every way against the best answer: of all label sequences if they are short, else of all that any way finds."""
    ways = counts_of_ways()
    record: dict[str, Any] = {
        "magnitudes": kind, "chunk": chunk, "problems": 0, "infeasible": 0, "left out": 0, "ways": ways
    }  # fmt: skip
    for index in range(PROBLEMS):
        rng = np.random.default_rng([3012, MAGNITUDES.index(kind), chunk, index])
        lattice, rules = wide_problem(rng, longest=LONG if kind == "long" else SHORT)
        given = GraphLattice.from_lattice(lattice) if kind == "short graphs" else lattice
        problem = Decoder(rules, labels=lattice.labels)._problem(given)
        solutions = {way.name: solve(way, problem, ways[way.name]) for way in WAYS}
        answers = {
            name: _exact(lattice, rules, solution)
            for name, solution in solutions.items()
            if solution is not None
        }
        known = [answer for answer in answers.values() if answer is not None]
        best = (
            max(known, key=lambda answer: answer.score, default=None)
            if kind == "long"
            else best_exact_score(lattice, rules)
        )
        record["problems"] += 1
        record["infeasible"] += best is None
        for name, answer in answers.items():
            if not _is_right(solutions[name], answer, best):
                ways[name]["disagreements"].append(
                    {"place": index, "found": repr(solutions[name]), "best": repr(best), "rules": repr(rules)}
                )
            elif answer is not None and best is not None and best.size:
                worst = float((best.score - answer.score) / best.size)
                ways[name]["worst"] = max(ways[name]["worst"], worst)
    return record


def _exact(lattice: Lattice, rules: Rules, solution: Solution) -> ExactScore | None:
    """What the labels of a solution score; None if there are none, or if they are not legal."""
    return (
        None
        if solution.labels is None
        else exact_score(lattice, rules, lattice.labels.decode(solution.labels))
    )


def _is_right(solution: Solution | None, answer: ExactScore | None, best: ExactScore | None) -> bool:
    if solution is None or best is None or answer is None:
        return solution is not None and best is None and solution.status == "infeasible"
    near = best.score - answer.score <= rounding_between(best, answer)
    own = abs(answer.score - type(answer.score)(solution.score)) <= rounding_between(answer)
    return near and own and solution.status == "optimal"
