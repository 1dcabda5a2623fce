"""A* search (Chang, Ratinov & Roth 2012, section 2.2): best first, by what is scored plus what can still be gained."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

from lawful import _core
from lawful.errors import GraphError, InternalError, LimitError
from lawful.lattice.base import ChainLattice
from lawful.solvers.engine import core_limits
from lawful.solvers.outcomes import core_problem, solution_of
from lawful.solvers.problem import Problem
from lawful.solvers.published.graph_search import INFINITY, GraphSearch
from lawful.solvers.solution import Solution, Status
from lawful.support.numbers import check_choice

__all__ = ["Completion", "a_star", "require_completion"]

Completion = Literal["published", "plain", "relaxed"]

_HOW = {
    "published": "the best completions by the scores alone",
    "plain": "completions that obey the local rules",
    "relaxed": "completions tightened by potentials on the rules' states",
}


def a_star(problem: Problem, *, completion: Completion = "plain") -> Solution:
    """The best path under rules, by best-first search over (position, label, states of all rules).

    A prefix is worth its own score less what it has paid for broken rules (Eq. 6 of the paper), plus the best
    completion that it could have (Eq. 5). Rules only lower scores, so a completion that ignores some of them
    never promises too little, and the first whole path that comes up is the best.

    Parameters
    ----------
    problem : Problem
    completion : "published", "plain" or "relaxed"
        Eq. 5 as published: the best completion by the scores alone, all rules left to the search. Or the same
        with local rules, which see one label or two neighbours, worked into the scores; or with the other
        rules relaxed rather than ignored, which takes some plain passes beforehand and expands far less.

    Notes
    -----
    Memory grows with every prefix that is looked at. At a limit the answer is a quick legal path, bounded by
    the best promise that is left. Prefixes that cannot beat that path are not kept.

    On general graphs the completions are exact rule-free distances to the end; "relaxed" ones are not available.

    Examples
    --------
    >>> from lawful.lattice.trellis import Lattice
    >>> a_star(Problem(Lattice([[0.0, 1.0], [2.0, 0.0]]))).labels
    (1, 0)
    """
    require_completion(completion)
    if not isinstance(problem.lattice, ChainLattice):
        return _on_graph(problem, completion)
    core = core_problem(problem, "a_star")
    outcome = _core.a_star(core, completion=completion, limits=core_limits(problem.limits))
    return solution_of(
        problem, outcome, f"best first, with {_HOW[completion]}: {outcome.states} states reached"
    )


def require_completion(completion: str) -> None:
    """Refuse a completion that does not exist."""
    check_choice("completion", completion, get_args(Completion))


def _on_graph(problem: Problem, completion: Completion) -> Solution:
    if completion == "relaxed":
        raise GraphError(
            "completion='relaxed' works on trellises only, but the lattice is a general graph; "
            "use completion='plain'"
        )
    search, lattice = GraphSearch(problem), problem.lattice
    try:
        graph = search.lattice()
        plain = search.best_path(graph)
    except LimitError as reached:
        return search.bounded(reached, INFINITY, "no state reached")
    if plain.cycle:
        raise GraphError(
            "a cycle of the graph gains for ever as long as no rule stops it, so that no completion has a "
            "largest score and solver='a_star' cannot start; use solver='relaxation'"
        )
    try:
        outcome = _core.a_star_graph(
            graph,
            problem.rules.parts,
            problem.rules.kinds,
            length=lattice.length or 0,
            limits=core_limits(problem.limits),
        )
    except ValueError as error:
        raise GraphError(f"under the rules {', '.join(problem.rules.names)}: {error}") from None
    solution = solution_of(
        problem, outcome, f"best first, with rule-free distances: {outcome.states} states reached"
    )
    return solution if solution.labels is None else _judged(search, solution)


def _judged(search: GraphSearch, solution: Solution) -> Solution:
    """The solution under the score that its labels earn; before its proof another path may spell them better."""
    earned = search.earned(solution.labels or ())
    if solution.status == "bounded" and earned.score > solution.score:
        status: Status = "optimal" if earned.score >= solution.bound else "bounded"
        return replace(solution, score=earned.score, bound=max(solution.bound, earned.score), status=status)
    if not earned.agrees(solution.score):
        raise InternalError(
            f"A* says that its answer scores {solution.score!r}, but it scores {earned.score!r}: a bug in lawful; "
            "please report it with the lattice and the rules"
        )
    return solution
