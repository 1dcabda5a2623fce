"""Integer linear programming (Roth & Yih 2005): the lattice as a network of edges, the rules as linear rows."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from lawful.errors import InternalError, LimitError
from lawful.lattice.scoring import path_score
from lawful.solvers.graph_search import INFINITY, GraphSearch, Path
from lawful.solvers.problem import Problem
from lawful.solvers.pruning import Pruned, pruned
from lawful.solvers.solution import Round, Solution

if TYPE_CHECKING:
    from lawful.solvers.ilp.highs import Outcome
    from lawful.solvers.ilp.program import Arrays
    from lawful.solvers.ilp.ruled_program import RuledProgram

__all__ = ["ilp"]

SAME = 1e-6  # how far the objective may be, relatively, from the score of the labels


def ilp(problem: Problem, *, prune: bool = False) -> Solution:
    """The best path under rules as the best solution of an integer linear program, which HiGHS finds.

    A rule becomes rows of its own linear form, or, if it has none, the flow of its automaton along the tokens; soft
    ones get slack at their price. Without rules it is a plain linear program, whose solution is integral by itself.
    Best is meant up to the tolerances of a solver in floating point, about 1e-9.

    Limits: `timeout` stops HiGHS; a program with more than `max_states` variables, or that takes more than
    `max_memory` bytes, is not solved. Graphs must be acyclic.

    Parameters
    ----------
    problem : Problem
    prune : bool
        Leave out the edges of a trellis that cannot lie on the best path, because even without rules no path through
        them scores as much as some legal path (fixing by reduced costs; see `pruning`). Not in the paper, and exact;
        it makes long sequences with many labels possible.

    Examples
    --------
    >>> from lawful.lattice.trellis import Lattice
    >>> solution = ilp(Problem(Lattice([[0.0, 1.0], [2.0, 0.0]])))
    >>> solution.labels, solution.score
    ((1, 0), 3.0)
    >>> solution.why
    'a linear program with 4 variables and 2 constraints'
    """
    # Loaded here, so that importing lawful stays cheap for those who never come here.
    from lawful.solvers.ilp.highs import solve
    from lawful.solvers.ilp.ruled_program import ruled_program

    limits = problem.limits.started()
    problem = replace(problem, limits=limits)
    small = pruned(problem, "ilp") if prune else Pruned(problem, -INFINITY, 1.0)
    problem = small.problem
    model = ruled_program(problem)
    arrays, unit = _scaled(model)
    why = _why(model)
    if prune:
        why = f"{why}; {100 * small.kept:.3g} % of the edges can lie on the best path"
    reached = _too_large(problem, arrays)
    if reached is not None:
        return _bounded(problem, model, None, reached, why)
    outcome = solve(arrays, seconds=limits.seconds_left)
    outcome = outcome._replace(bound=outcome.bound * unit)
    if not model.pure:
        why = f"{why}; nodes searched: {outcome.nodes}"
    if outcome.status == "limit":
        return _bounded(problem, model, outcome, LimitError("timeout", limits.timeout or 0.0), why)
    network = model.network
    if outcome.status == "infeasible":
        none = Round(problem.rules.in_force, -INFINITY, network.nodes, len(network.source))
        return Solution(None, -INFINITY, "infeasible", -INFINITY, (none,), model.program.columns, why)
    best = _path(problem, model, outcome)
    if not math.isclose(best.score, outcome.bound, rel_tol=SAME, abs_tol=SAME):
        raise InternalError(
            f"the linear program is worth {outcome.bound!r}, but its labels score {best.score!r}: a bug in lawful; "
            "please report it with the lattice and the rules"
        )
    only_round = Round(problem.rules.in_force, best.score, network.nodes, len(network.source))
    return Solution(best.labels, best.score, "optimal", best.score, (only_round,), model.program.columns, why)


def _why(model: RuledProgram) -> str:
    size = f"{model.program.columns} variables and {model.program.rows} constraints"
    if model.pure:
        return f"a linear program with {size}"
    rules = (
        f"rules in a linear form of their own: {model.forms}, as the flow of their automata: {model.flows}"
    )
    return f"an integer program with {size}; {rules}"


def _scaled(model: RuledProgram) -> tuple[Arrays, float]:
    """The program with a largest score of about 1, which is what a solver's tolerances are made for; and the unit.

    The unit is a power of two, so that nothing gets rounded. Prices do not decide it: a high one would make the
    scores small.
    """
    arrays = model.program.arrays()
    largest = max(map(abs, model.network.weight.tolist()), default=0.0) or 1.0
    unit = 2.0 ** (math.frexp(largest)[1] - 1)
    return arrays._replace(cost=arrays.cost / unit), unit


def _too_large(problem: Problem, arrays: Arrays) -> LimitError | None:
    limits = problem.limits
    if limits.states_left is not None and len(arrays.cost) > limits.states_left:
        return LimitError("max_states", limits.max_states or 0)
    if limits.max_memory is not None and arrays.nbytes > limits.max_memory:
        return LimitError("max_memory", limits.max_memory)
    return None


def _bounded(
    problem: Problem, model: RuledProgram, outcome: Outcome | None, reached: LimitError, why: str
) -> Solution:
    """What is known at a limit: the rule-free answer bounds everything, and may be legal itself."""
    if problem.limits.on_limit == "raise":
        raise reached
    search = GraphSearch(problem)
    search.states = model.program.columns
    plain = search.best_path(search.lattice())
    if plain.exists:
        search.costs(problem.rules.in_force, plain)
    bound = plain.score
    if outcome is not None:
        bound = min(bound, outcome.bound)
        if outcome.values is not None:
            labelling = _path(problem, model, outcome)
            search.incumbent = max(search.incumbent, labelling, key=lambda path: path.score)
    return search.bounded(reached, bound, why)


def _path(problem: Problem, model: RuledProgram, outcome: Outcome) -> Path:
    """The labels of a solution, scored by the lattice and the rules, and not by the program."""
    if outcome.values is None:
        raise InternalError("HiGHS has no values for the solution that it calls best; please report it")
    labels = model.network.path(outcome.values)
    search = GraphSearch(problem)
    path = Path(labels, path_score(problem.lattice, labels))
    return Path(labels, path.score - sum(search.cost(rule, path) for rule in problem.rules.in_force))
