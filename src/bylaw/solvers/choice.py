"""Which solver for which problem: `auto`, and the solvers by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bylaw.errors import InputError
from bylaw.lattice.graph import GraphLattice
from bylaw.solvers.branch_and_bound import branch_and_bound
from bylaw.solvers.brute_force import brute_force
from bylaw.solvers.engine import engine
from bylaw.solvers.ilp import ilp
from bylaw.solvers.relaxation import relaxation
from bylaw.solvers.solution import Problem, Solution
from bylaw.solvers.viterbi import viterbi

__all__ = ["SOLVERS", "auto", "solver_named"]


def auto(problem: Problem) -> Solution:
    """The compiled engine for trellises; relaxation with all broken rules at once for general graphs.

    Examples
    --------
    >>> from bylaw.lattice import GraphLattice
    >>> graph = GraphLattice.from_nbest([(["A", "B"], -1.0), (["A"], -2.0)], labels=["A", "B"])
    >>> auto(Problem(graph)).why
    'a general graph: relaxation, all broken rules at once; 0 of 0 rules entered'
    """
    if not isinstance(problem.lattice, GraphLattice):
        return engine(problem)
    solution = relaxation(problem, at_once=True)
    return replace(solution, why=f"a general graph: relaxation, all broken rules at once; {solution.why}")


SOLVERS: dict[str, Callable[..., Solution]] = {
    "auto": auto,
    "branch_and_bound": branch_and_bound,
    "brute_force": brute_force,
    "ilp": ilp,
    "relaxation": relaxation,
    "viterbi": viterbi,
}


def solver_named(name: str, options: dict[str, Any]) -> Callable[[Problem], Solution]:
    """The solver of that name with its options bound."""
    if name not in SOLVERS:
        raise InputError(f"unknown solver {name!r}; the solvers are {', '.join(SOLVERS)}")
    solver = SOLVERS[name]
    return lambda problem: solver(problem, **options)
