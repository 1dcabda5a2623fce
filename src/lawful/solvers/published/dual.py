"""Dual decomposition (Rush & Collins 2012; Paul & Eisner 2012): trellis and rules vote until they agree."""

from __future__ import annotations

from lawful import _core
from lawful.solvers.engine import core_limits
from lawful.solvers.outcomes import core_problem, solution_of
from lawful.solvers.problem import Problem
from lawful.solvers.solution import Solution
from lawful.support.numbers import check_count, check_flag

__all__ = ["dual"]


def dual(problem: Problem, *, iterations: int = 200, finish: bool = True) -> Solution:
    """The best path under rules, by letting the trellis and every rule's automaton find their own and agree.

    In each iteration the trellis gives its best path and each automaton the best sequence for itself, all under
    prices on the labels at each position; where they differ, the prices move (a subgradient step, its size by
    Polyak's rule). The separate best values always add up to a bound. Every sequence that comes up is scored under all
    rules, and one that meets the bound is proved best.

    Parameters
    ----------
    problem : Problem
        Its lattice must be a trellis.
    iterations : int
    finish : bool
        If they do not agree in time: branch on the label at a position where they differ, and go on until the
        answer is proved. Else give the best legal path so far, if there is one, and the bound.

    Examples
    --------
    >>> from lawful.lattice.trellis import Lattice
    >>> dual(Problem(Lattice([[0.0, 1.0], [2.0, 0.0]]))).labels
    (1, 0)
    """
    iterations = check_count("iterations", iterations, least=1, most=2**31 - 1)
    finish = check_flag("finish", finish)
    core = core_problem(problem, "dual")
    outcome = _core.dual(core, iterations=iterations, finish=finish, limits=core_limits(problem.limits))
    why = f"{outcome.passes} iterations"
    if outcome.branches > 1:
        why += f" in {outcome.branches} branches"
    if outcome.status == "optimal":
        why += ": the bound met a legal path"
    elif outcome.status == "bounded":
        why += ": the trellis and the rules do not agree yet"
    return solution_of(problem, outcome, why)
