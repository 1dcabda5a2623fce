"""All ways to solve against enumeration, on small random problems."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.agreement.ways import WAYS, Way, counts_of_ways, solve
from lawful import Decoder
from lawful.errors import EnumerationError, RuleTooLargeError
from lawful.lattice import path_score
from lawful.rules import Rules
from lawful.solvers.problem import Problem
from lawful.testing import Best, enumerate_best, penalty, random_problems, same_score
from lawful.testing.generators.problems import Shape

__all__ = ["RULE_SETS", "SEQUENCES", "compare_on_random"]

RULE_SETS, SEQUENCES = 50, 5  # of a chunk
GRAPHS: tuple[Shape, ...] = ("levelled", "levelled", "acyclic", "cyclic")


def compare_on_random(kind: str, chunk: int) -> dict[str, Any]:
    """Enumerate the label sequences of some problems, on "trellises" or "graphs", and hold every way against it."""
    ways = counts_of_ways()
    record: dict[str, Any] = {
        "kind": kind, "chunk": chunk, "problems": 0, "infeasible": 0, "left out": 0, "ways": ways
    }  # fmt: skip
    for index in range(RULE_SETS):
        rng = np.random.default_rng([3006, kind == "graphs", chunk, index])
        shape: Shape = "trellis" if kind == "trellises" else GRAPHS[index % len(GRAPHS)]
        rules, lattices = random_problems(
            rng, shape, count=SEQUENCES, largest=4000 if index % 8 == 0 else 250
        )
        try:
            decoder = Decoder(rules, labels=lattices[0].labels)
            for number, lattice in enumerate(lattices):
                problem = decoder._problem(lattice)
                best = enumerate_best(lattice, rules, max_sequences=20_000, max_length=9)
                record["problems"] += 1
                record["infeasible"] += best is None
                for way in WAYS:
                    _compare(way, problem, rules, best, ways[way.name], (index, number))
        except (RuleTooLargeError, EnumerationError):  # too large an automaton; a cycle worth many rounds
            record["left out"] += 1
    return record


def _compare(
    way: Way,
    problem: Problem,
    rules: Rules,
    best: Best | None,
    record: dict[str, Any],
    index: tuple[int, int],
) -> None:
    solution = solve(way, problem, record)
    if solution is None:
        return
    right = solution.status == ("infeasible" if best is None else "optimal")
    if right and best is not None and solution.labels is not None:
        labels = problem.lattice.labels.decode(solution.labels)
        own = path_score(problem.lattice, labels) - penalty(problem.lattice, rules, labels)
        right = same_score(solution.score, best.score) and same_score(solution.score, own)
        record["worst"] = max(record["worst"], abs(solution.score - best.score) / max(1.0, abs(best.score)))
    if not right:
        record["disagreements"].append(
            {"place": index, "found": repr(solution), "best": repr(best), "rules": repr(rules)}
        )
