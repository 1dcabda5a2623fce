"""When no label sequence obeys all hard rules: which of them contradict each other, and what breaks the fewest."""

from __future__ import annotations

import math
from dataclasses import replace

from lawful.decoding.contradiction import smallest_contradiction
from lawful.decoding.judge import judge, soft_score
from lawful.errors import InfeasibleError, UnboundedError
from lawful.solvers.choice import auto
from lawful.solvers.graph_search import GraphSearch
from lawful.solvers.problem import Problem
from lawful.solvers.solution import Solution

__all__ = ["least_bad", "name_contradiction", "price_above_everything"]


def name_contradiction(problem: Problem) -> InfeasibleError:
    """The error that names the smallest set of contradictory rules, and where they collide."""
    hard = {part.rule for part in problem.rules.parts if part.mode == "hard"}
    core = smallest_contradiction(hard, lambda rules: _feasible(problem, rules))
    search = GraphSearch(Problem(problem.lattice, problem.rules.only(core)))
    return InfeasibleError([problem.rules.names[rule] for rule in core], search.dead_at(core))


def _feasible(problem: Problem, rules: frozenset[int]) -> bool:
    try:
        return auto(Problem(problem.lattice, problem.rules.only(rules))).status != "infeasible"
    except UnboundedError:  # a path that never ends is a path
        return True


def price_above_everything(problem: Problem) -> float:
    """A price that makes one violation worse than any difference in score: a power of ten."""
    lattice = problem.lattice
    length = lattice.longest  # the best path of a graph passes each state at most once
    most = 2 * lattice.magnitude() + 1
    for part in problem.rules.parts:
        if part.mode != "hard":
            most += part.price * (part.most_violations(length) if part.mode == "counted" else 1)
    return float(10 ** math.ceil(math.log10(most)))


def least_bad(problem: Problem) -> Solution:
    """The answer with the fewest violations of hard rules, and the best score among those; limits do not hold here.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.labels import LabelSet
    >>> from lawful.rules import Rules, at_least, at_most
    >>> from lawful.rules.bound_rules import bind
    >>> from lawful.rules.compiled_rules import CompiledRules
    >>> compiled = CompiledRules(Rules(at_least(2, "A"), at_most(0, "A")), LabelSet(["A", "B"]))
    >>> lattice = Lattice([[0.0, 1.0], [0.0, 3.0]], labels=["A", "B"])
    >>> solution = least_bad(Problem(lattice, bind(compiled, 2, None, {})))
    >>> solution.labels, solution.score, solution.status
    ((1, 1), 4.0, 'infeasible')
    """
    lattice = problem.lattice
    counted = problem.rules.with_hard_rules_counted(price_above_everything(problem))
    solution = auto(Problem(lattice, counted))
    if solution.labels is None:  # the lattice itself has no path
        raise InfeasibleError((), None)
    judge(lattice, counted.rules, solution)
    # The price was only there to count with: the answer gets its score without it.
    score = soft_score(lattice, problem.rules.rules, lattice.labels.decode(solution.labels)).score
    why = f"no answer obeys all hard rules; this one violates them the least often; {solution.why}"
    return replace(solution, score=score, bound=-math.inf, status="infeasible", why=why)
