"""Beam search that knows what it may have missed: exact if nothing better can have been dropped."""

from __future__ import annotations

from lawful import _core
from lawful.solvers.engine import core_limits
from lawful.solvers.outcomes import core_problem, solution_of
from lawful.solvers.problem import Problem
from lawful.solvers.published.a_star import Completion, require_completion
from lawful.solvers.solution import Solution
from lawful.support.numbers import check_count, check_number

__all__ = ["beam"]


def beam(
    problem: Problem,
    *,
    width: int | None = 16,
    per_position: float | None = None,
    completion: Completion = "plain",
) -> Solution:
    """A good path under rules in one sweep, and a bound on all others.

    At each position the `width` most promising pairs of label and rules' states stay: most promising by their
    score and their best completion, as in `a_star`. No path scores more than the answer or the best promise that
    was ever dropped; the answer is `optimal` if none of those was better, else `bounded`.

    Parameters
    ----------
    problem : Problem
        Its lattice must be a trellis.
    width : int or None
        None drops nothing: then the answer is exact.
    per_position : float, optional
        Keep only labels whose best rule-free path is within that much of the best one.
    completion : "published", "plain" or "relaxed"
        How promises are made; see `a_star`. Tighter ones make better choices and a smaller gap.

    Examples
    --------
    >>> from lawful.lattice.trellis import Lattice
    >>> solution = beam(Problem(Lattice([[0.0, 1.0], [2.0, 0.0]])), width=1)
    >>> solution.labels, solution.status
    ((1, 0), 'optimal')
    """
    require_completion(completion)
    if width is not None:
        width = check_count("width", width, least=1)
    if per_position is not None:
        per_position = check_number("per_position", per_position, finite=False)
    outcome = _core.beam(
        core_problem(problem, "beam"),
        width=width,
        per_position=per_position,
        completion=completion,
        limits=core_limits(problem.limits),
    )
    kept = "everything" if width is None else f"the best {width} at each position"
    proof = "nothing better was dropped" if outcome.status == "optimal" else "what was dropped may be better"
    return solution_of(problem, outcome, f"kept {kept}; {proof}")
