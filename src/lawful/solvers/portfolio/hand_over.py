"""What follows where the engine stops at its own budget: the other solvers, and the engine again, in rounds."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from lawful.solvers.portfolio.members import turns
from lawful.solvers.portfolio.standing import Standing
from lawful.solvers.problem import Problem
from lawful.solvers.solution import Solution

__all__ = ["hand_over"]


def hand_over(problem: Problem, found: Solution) -> Solution:
    """The best path of a problem that the engine gave up with what it found.

    The members take turns, in rounds. Each begins with the best legal path that is known, on a lattice without the
    labels that dual decomposition has proved useless, and may use more in every round, until one proves its answer or
    the limits of the call are reached.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> problem = Problem(Lattice([[0.0, 1.0], [2.0, 0.0]]))
    >>> hand_over(problem, Solution(None, float("-inf"), "bounded", 9.0)).labels
    (1, 0)
    """
    standing = Standing(problem, found)
    tried = ["the engine"]
    for number in count():
        out_of_memory = True
        for member in turns(standing, number):
            limits = standing.problem.limits
            if limits.seconds_left == 0 or limits.states_left == 0:
                reached = "timeout" if limits.seconds_left == 0 else "max_states"
                return _stopped(standing, reached, tried)
            solution = member.solve(standing, number)
            standing.learn(solution)
            if solution.status != "bounded" or standing.proved:
                return _done(standing, solution, member.name, tried)
            out_of_memory &= solution.limit == "max_memory"
            if member.name not in tried:
                tried.append(member.name)
        if out_of_memory:
            return _stopped(standing, "max_memory", tried)
    raise AssertionError  # pragma: no cover


def _done(standing: Standing, last: Solution, name: str, tried: list[str]) -> Solution:
    why = f"{name}, after {_listed(tried)} had stopped at a budget: {last.why}"
    if standing.best.labels is None:  # no label was taken out without a legal path: there is none
        return replace(last, states=standing.states, why=why)
    return standing.solution(why, rounds=last.rounds)


def _stopped(standing: Standing, reached: str, tried: list[str]) -> Solution:
    limits = standing.problem.limits
    if limits.on_limit == "raise" and not standing.proved:
        raise limits.reached(reached)
    return standing.solution(f"{_listed(tried)} stopped at {reached}", limit=reached)


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
