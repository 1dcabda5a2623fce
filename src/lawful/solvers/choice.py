"""Which solver for which problem: `auto`, and the solvers by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from lawful.errors import InputError
from lawful.lattice.base import ChainLattice
from lawful.lattice.segments import SegmentLattice
from lawful.solvers.engine import crowded, engine, goes_to_engine, search_segments
from lawful.solvers.ilp.solver import ilp
from lawful.solvers.portfolio.hand_over import hand_over
from lawful.solvers.problem import Problem
from lawful.solvers.published.a_star import a_star
from lawful.solvers.published.beam import beam
from lawful.solvers.published.branch_and_bound import branch_and_bound
from lawful.solvers.published.brute_force import brute_force
from lawful.solvers.published.dual import dual
from lawful.solvers.published.relaxation import near_best, relaxation
from lawful.solvers.published.viterbi import viterbi
from lawful.solvers.solution import Solution

__all__ = ["SOLVERS", "auto", "solver_named"]


# What the best-first search may look at before the engine takes over: a share of the product of the lattice with the
# crowded automata. In vain, that made `auto` 2.5 times slower than the engine in the family where it was worst.
SHARE, MOST = 1 / 64, 1_000_000


def auto(problem: Problem) -> Solution:
    """The solver that suits the problem; `why` says which, and for what reason.

    Trellises go to the compiled engine, unless an automaton has far more states than the sequence has tokens: then A*,
    which looks at single states, is tried before the engine, which looks at whole rows of them. What outgrows the
    engine's budget goes to the portfolio. General graphs go to relaxation with all broken rules at once; segments to a
    search of their own, then to relaxation near their best.

    Examples
    --------
    >>> from lawful.lattice import AnyLattice, GraphLattice
    >>> graph = GraphLattice.from_nbest([(["A", "B"], -1.0), (["A"], -2.0)], labels=["A", "B"])
    >>> auto(Problem(graph)).why
    'an acyclic graph: relaxation, all broken rules at once; 0 of 0 rules entered'
    """
    lattice = problem.lattice
    if isinstance(lattice, SegmentLattice):
        [found] = search_segments(
            [problem.rules.segment_problem(lattice)], len(lattice.labels), problem.limits
        )
        if found is not None:
            return found
        solution = near_best(problem, lattice)
        return replace(solution, why=f"segments: relaxation among those near the best; {solution.why}")
    if not isinstance(lattice, ChainLattice):
        solution = relaxation(problem, at_once=True)
        kind = "an acyclic" if lattice.graph().acyclic else "a cyclic"
        return replace(solution, why=f"{kind} graph: relaxation, all broken rules at once; {solution.why}")
    if goes_to_engine(lattice, problem.rules):
        return by_engine(problem)
    return _best_first(problem, lattice, crowded(problem.rules.parts, lattice.length))


def by_engine(problem: Problem) -> Solution:
    """The engine within its own budget, and then the portfolio."""
    problem = replace(problem, limits=problem.limits.started())
    solution = engine(problem, hands_over=True)
    return hand_over(problem, solution) if solution.limit == "budget" else solution


def _best_first(problem: Problem, lattice: ChainLattice, large: list[int]) -> Solution:
    limits = problem.limits.started()
    share = int(SHARE * lattice.length * len(lattice.labels) * math.prod(large))
    tried = a_star(replace(problem, limits=replace(limits.within(min(share, MOST)), on_limit="bounded")))
    reason = f"an automaton of {max(large)} states for {lattice.length} tokens"
    if tried.status != "bounded":
        return replace(tried, why=f"{reason}: {tried.why}")
    solution = by_engine(replace(problem, limits=limits))
    why = f"{reason}, but best first was not done after {tried.states} states: the engine; {solution.why}"
    return replace(solution, why=why, states=solution.states + tried.states)


SOLVERS: dict[str, Callable[..., Solution]] = {
    "a_star": a_star,
    "auto": auto,
    "beam": beam,
    "branch_and_bound": branch_and_bound,
    "brute_force": brute_force,
    "dual": dual,
    "ilp": ilp,
    "relaxation": relaxation,
    "viterbi": viterbi,
}


def solver_named(name: str, options: Mapping[str, Any]) -> Callable[[Problem], Solution]:
    """The solver of that name with its options bound."""
    if name not in tuple(SOLVERS):  # not by its hash: it may be anything
        raise InputError(f"unknown solver {name!r}; the solvers are {', '.join(SOLVERS)}")
    solver = SOLVERS[name]
    return lambda problem: solver(problem, **options)
