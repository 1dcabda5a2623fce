"""The members of the portfolio, and what each may use in a turn: in states, iterations and columns, never in seconds."""

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
ITERATIONS, BRANCHED = 40, 640  # of the dual; and with those in branches, under few soft rules
SEARCHED = 4  # its search under the prices may keep one more state for so many that they took
STATES = 8_000  # of the engine
SINGLE = 100_000  # states of its search over single ones
EDGES, WORK = 2_000, 50_000  # of an integer program: left in the lattice, columns solved


class Member(NamedTuple):
    """A way to go on: its name, and a call that tells the standing what it found."""

    name: str
    solve: Callable[[Standing, int], Solution]


def turns(standing: Standing, number: int) -> Iterator[Member]:
    """Who has a turn in a round, in order.

    Dual decomposition is first: it takes least, and what it takes out of the lattice need not be searched by the others.
    A program is small work for HiGHS if few edges are left and the rules are many and look at little each; otherwise
    the engine comes before it, and HiGHS gets only what has not grown too large for it. Under soft rules that are fewer, so
    does the engine's search over single states, of which dominance leaves few.
    """
    yield Member("dual decomposition", _dual)
    if _few_soft_rules(standing):
        yield Member("the engine by single states", _single_states)
    yield Member("best first", _best_first)
    small = standing.edges <= EDGES * GROWTH ** _programs_before(standing, number)
    program = [Member("an integer program", _program)] if small else []
    rows = [Member("the engine again", _engine)]
    yield from program + rows if _many_rules(standing) else rows + program


def _many_rules(standing: Standing) -> bool:
    return len(standing.problem.rules.parts) >= standing.problem.lattice.longest


def _programs_before(standing: Standing, number: int) -> int:
    """Where HiGHS comes last, it is a round behind: a step of its search is dear where rules look at many tokens."""
    return number if _many_rules(standing) else number - 1


def _few_soft_rules(standing: Standing) -> bool:
    parts = standing.problem.rules.parts
    return not _many_rules(standing) and any(part.mode != "hard" and not part.local for part in parts)


def _single_states(standing: Standing, number: int) -> Solution:
    return engine(_within(standing.problem, SINGLE * GROWTH**number), by_states=True)


def _best_first(standing: Standing, number: int) -> Solution:
    problem = standing.problem
    states = GROWTH**number * READS // (10 + len(problem.rules.parts))
    limits = core_limits(_within(problem, states).limits)
    core = core_problem(problem, "a_star")
    outcome = _core.a_star(core, completion="relaxed", limits=limits, known=standing.known)
    return solution_of(problem, outcome, f"{outcome.states} states reached")


def _dual(standing: Standing, number: int) -> Solution:
    problem = standing.problem
    soft = _few_soft_rules(standing)
    finish = soft or number > 1  # by branching
    most = GROWTH**number * (BRANCHED if soft else ITERATIONS)
    most += most // SEARCHED
    states = most * problem.lattice.longest * len(problem.lattice.labels)
    limits = core_limits(_within(problem, states).limits)
    core = core_problem(problem, "dual")
    iterations = ITERATIONS * (GROWTH if soft or number else 1)
    outcome = _core.dual(
        core, iterations=iterations, finish=finish, limits=limits, known=standing.known, search=True
    )
    standing.fix(outcome.open)
    return solution_of(problem, outcome, f"{outcome.passes} iterations")


def _engine(standing: Standing, number: int) -> Solution:
    return engine(_within(standing.problem, STATES * GROWTH**number))


def _program(standing: Standing, number: int) -> Solution:
    limits = replace(standing.problem.limits, on_limit="bounded")
    work = WORK * GROWTH ** max(0, _programs_before(standing, number))
    return search_program(replace(standing.problem, limits=limits), work=work)


def _within(problem: Problem, states: int) -> Problem:
    return replace(problem, limits=replace(problem.limits.within(states), on_limit="bounded"))
