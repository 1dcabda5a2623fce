"""From a problem to the kernels of A*, beam search and dual decomposition, and from their outcome to a solution."""

from __future__ import annotations

from lawful import _core
from lawful.errors import GraphError, InternalError
from lawful.lattice.base import ChainLattice
from lawful.solvers.problem import Problem
from lawful.solvers.solution import Round, Solution, Status

__all__ = ["core_problem", "solution_of"]


def core_problem(problem: Problem, solver: str) -> _core.Problem:
    """The problem as the kernels take it; its lattice must be a trellis."""
    if not isinstance(problem.lattice, ChainLattice):
        raise GraphError(
            f"solver={solver!r} goes from position to position of a trellis, but the lattice is a general graph; "
            "use solver='auto', 'relaxation' or 'a_star'"
        )
    return problem.rules.problem(problem.lattice)


def solution_of(problem: Problem, outcome: _core.Outcome, why: str) -> Solution:
    """An outcome as a solution; raises what the kernels only report.

    `why` says how a proof or a bound was come by; what the outcome itself tells is added.
    """
    if outcome.status == "disagreement":
        raise InternalError(
            "the search and the judge disagree about the score of an answer: a bug in lawful; "
            "please report it with the lattice and the rules"
        )
    if outcome.status == "limited":
        raise problem.limits.reached(outcome.limit)
    status: Status = (
        "optimal"
        if outcome.status == "optimal"
        else "bounded"
        if outcome.status == "bounded"
        else "infeasible"
    )
    if outcome.limit and status == "bounded":
        why = f"{why}; stopped at {outcome.limit}={problem.limits.reached(outcome.limit).value:g}"
    has_answer = outcome.score > float("-inf")
    return Solution(
        labels=tuple(outcome.labels) if has_answer else None,
        score=outcome.score,
        status=status,
        bound=outcome.bound,
        rounds=(Round(problem.rules.in_force, outcome.score, outcome.states, outcome.arcs),),
        states=outcome.states,
        why=f"no path is left: {why}" if status == "infeasible" else why,
        limit=outcome.limit if status == "bounded" else "",
    )
