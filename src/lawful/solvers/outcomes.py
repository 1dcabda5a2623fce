"""From a problem to the kernels of A*, beam search and dual decomposition, and from their outcome to a solution."""

from __future__ import annotations

from lawful import _core
from lawful.errors import GraphError, InternalError, LimitError
from lawful.lattice.trellis import as_trellis
from lawful.solvers.problem import Problem
from lawful.solvers.solution import Round, Solution, Status

__all__ = ["core_problem", "solution_of"]


def core_problem(problem: Problem, solver: str) -> _core.Problem:
    """The problem as the kernels take it; its lattice must be a trellis."""
    trellis = as_trellis(problem.lattice)
    if trellis is None:
        raise GraphError(
            f"solver={solver!r} goes from position to position of a trellis, but the lattice is a general graph; "
            "use solver='auto', 'relaxation' or 'a_star'"
        )
    return problem.rules.problem(trellis)


def solution_of(problem: Problem, found: _core.Outcome, why: str) -> Solution:
    """An outcome as a solution; raises what the kernels only report.

    `why` says how a proof or a bound was come by; what the outcome itself tells is added.
    """
    if found.status == "disagreement":
        raise InternalError(
            "the search and the judge disagree about the score of an answer: a bug in lawful; "
            "please report it with the lattice and the rules"
        )
    if found.status == "limited":
        raise LimitError(found.limit, getattr(problem.limits, found.limit))
    status: Status = (
        "optimal" if found.status == "optimal" else "bounded" if found.status == "bounded" else "infeasible"
    )
    if found.limit and status == "bounded":
        why = f"{why}; stopped at {found.limit}={getattr(problem.limits, found.limit):g}"
    has_answer = found.score > float("-inf")
    return Solution(
        labels=tuple(found.labels) if has_answer else None,
        score=found.score,
        status=status,
        bound=found.bound,
        rounds=(Round(problem.rules.in_force, found.score, found.states, found.arcs),),
        states=found.states,
        why=f"no path is left: {why}" if status == "infeasible" else why,
    )
