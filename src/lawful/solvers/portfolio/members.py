"""The members of the portfolio, and what each may use in a turn: in states, iterations and nodes, never in seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from lawful import _core
from lawful.solvers.engine import core_limits, engine
from lawful.solvers.ilp.solver import search_program
from lawful.solvers.outcomes import core_problem, solution_of
from lawful.solvers.portfolio.standing import Standing
from lawful.solvers.problem import Problem
from lawful.solvers.solution import Solution

__all__ = ["GROWTH", "Member", "turns"]

# Chosen by `make families`; docs/decisions/0013-what-auto-chooses.md has the reasons.
GROWTH = 8  # of what each may use, from one round to the next
READS = 300_000  # of machines by the best-first search; a state reads one for each rule
ITERATIONS = 40  # of the dual
STATES = 32_000  # of the engine
EDGES, NODES = 2_000, 5_000  # of an integer program


class Member(NamedTuple):
    """A way to go on: its name, and a call that tells the standing what it found."""

    name: str
    solve: Callable[[Standing, int], Solution]


def turns(standing: Standing, number: int) -> Iterator[Member]:
    """Who has a turn in a round, in order.

    A program is small work for HiGHS if few edges are left and the rules are many and look at little each; otherwise
    the engine comes first, and HiGHS gets only what has not grown too large for it.
    """
    yield Member("best first", _best_first)
    yield Member("dual decomposition", _dual)
    many_rules = len(standing.problem.rules.parts) >= standing.problem.lattice.longest
    program = [Member("an integer program", _program)] if standing.edges <= EDGES * GROWTH**number else []
    rows = [Member("the engine again", _engine)]
    yield from program + rows if many_rules else rows + program


def _best_first(standing: Standing, number: int) -> Solution:
    problem = standing.problem
    states = GROWTH**number * READS // (10 + len(problem.rules.parts))
    limits = core_limits(_within(problem, states).limits)
    core = core_problem(problem, "a_star")
    outcome = _core.a_star(core, completion="relaxed", limits=limits, known=standing.known)
    return solution_of(problem, outcome, f"{outcome.states} states reached")


def _dual(standing: Standing, number: int) -> Solution:
    problem = standing.problem
    finish = number > 1  # by branching
    states = GROWTH**number * ITERATIONS * problem.lattice.longest * len(problem.lattice.labels)
    limits = core_limits(_within(problem, states).limits)
    core = core_problem(problem, "dual")
    iterations = ITERATIONS * GROWTH ** min(number, 1)
    outcome = _core.dual(core, iterations=iterations, finish=finish, limits=limits, known=standing.known)
    standing.fix(outcome.open)
    return solution_of(problem, outcome, f"{outcome.passes} iterations")


def _engine(standing: Standing, number: int) -> Solution:
    return engine(_within(standing.problem, STATES * GROWTH**number))


def _program(standing: Standing, number: int) -> Solution:
    limits = replace(standing.problem.limits, on_limit="bounded")
    return search_program(replace(standing.problem, limits=limits), nodes=NODES * GROWTH**number)


def _within(problem: Problem, states: int) -> Problem:
    return replace(problem, limits=replace(problem.limits.within(states), on_limit="bounded"))
