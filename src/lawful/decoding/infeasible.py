"""When no label sequence obeys all hard rules: which of them contradict each other, and what breaks the fewest."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from lawful.decoding.contradiction import smallest_contradiction
from lawful.decoding.judge import soft_score
from lawful.errors import InfeasibleError, UnboundedError
from lawful.lattice import GraphLattice, Lattice
from lawful.rules.ruleset import Rules
from lawful.solvers.choice import auto
from lawful.solvers.graph_search import GraphSearch
from lawful.solvers.solution import Limits, Problem, Solution

__all__ = ["counted_hard_rules", "least_bad_score", "name_contradiction", "price_above_everything"]


def name_contradiction(problem: Problem) -> InfeasibleError:
    """The error that names the smallest set of contradictory rules, and where they collide."""
    hard = {part.rule for part in problem.parts if part.mode == "hard"}
    core = smallest_contradiction(hard, lambda held: _feasible(problem, held))
    search = GraphSearch(_only(problem, frozenset(core)))
    return InfeasibleError([problem.names[rule] for rule in core], search.dead_at(core))


def _only(problem: Problem, rules: frozenset[int]) -> Problem:
    held = [
        (part, kinds) for part, kinds in zip(problem.parts, problem.kinds, strict=True) if part.rule in rules
    ]
    return replace(
        problem,
        parts=tuple(part for part, _ in held),
        kinds=tuple(kinds for _, kinds in held),
        limits=Limits(),
    )


def _feasible(problem: Problem, rules: frozenset[int]) -> bool:
    try:
        return auto(_only(problem, rules)).status != "infeasible"
    except UnboundedError:  # a path that never ends is a path
        return True


def price_above_everything(problem: Problem) -> float:
    """A price that makes one violation worse than any difference in score: a power of ten."""
    lattice = problem.lattice
    # The best path of a graph whose paths differ in length passes each state at most once.
    length = len(lattice.states) if isinstance(lattice, GraphLattice) else lattice.length
    most = 2 * _magnitude(lattice) + 1
    for part in problem.parts:
        if part.mode != "hard":
            most += part.price * (part.most_violations(length) if part.mode == "counted" else 1)
    return float(10 ** math.ceil(math.log10(most)))


def _magnitude(lattice: Lattice | GraphLattice) -> float:
    if isinstance(lattice, Lattice):
        return lattice.core.magnitude
    weights = np.abs(np.concatenate([lattice.arcs.weight, lattice.final]))
    return float(weights[np.isfinite(weights)].sum())


def counted_hard_rules(rules: Rules, price: float) -> Rules:
    """The rules with every hard one at this price for each violation."""
    return Rules(*(rule.soft(price, per="violation") if rule.price == "hard" else rule for rule in rules))


def least_bad_score(lattice: Lattice | GraphLattice, rules: Rules, solution: Solution) -> Solution:
    """The answer with the least violations of hard rules, under its own score: theirs have no price."""
    if solution.labels is None:
        return solution
    score = soft_score(lattice, rules, lattice.labels.decode(solution.labels))
    why = f"no answer obeys all hard rules; this one violates them the least often; {solution.why}"
    return replace(solution, score=score, bound=-math.inf, status="infeasible", why=why)
