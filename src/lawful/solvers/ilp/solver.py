"""Integer linear programming (Roth & Yih 2005): the lattice as a network of edges, the rules as linear rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lawful.errors import LimitError, UnprovedError
from lawful.solvers.problem import Limits, Problem
from lawful.solvers.published.graph_search import GRACE, INFINITY, GraphSearch, Path
from lawful.solvers.published.pruning import Pruned, pruned
from lawful.solvers.solution import Round, Solution

if TYPE_CHECKING:
    from lawful.solvers.ilp.proving import Proof
    from lawful.solvers.ilp.ruled_program import RuledProgram

__all__ = ["ilp", "search_program"]


def ilp(problem: Problem, *, prune: bool = False) -> Solution:
    """The best path under rules as the best solution of an integer linear program, which HiGHS finds.

    A rule becomes rows of its own linear form, or, if it has none, the flow of its automaton along the tokens; soft
    ones get slack at their price. Without rules it is a plain linear program, whose solution is integral by itself.
    HiGHS works in floating point, to about 1e-9 of the largest number in the objective. So it is given what each column
    loses against the best path without rules, and no loss is larger than that of a legal path that is known (see
    `proving`). What is called optimal is proved to that tolerance of what the answer itself adds up; where rules cost
    so much more than that that HiGHS cannot tell, there is an `UnprovedError`, or a bounded answer.

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
    return search_program(problem, prune=prune)


def search_program(problem: Problem, *, prune: bool = False, work: int | None = None) -> Solution:
    """The same, with a budget of its own: so many columns of linear programs solved, more or less, in each search."""
    # Loaded here, so that importing lawful stays cheap for those who never come here.
    from lawful.solvers.ilp.proving import prove
    from lawful.solvers.ilp.ruled_program import ruled_program

    limits = problem.limits.started()
    problem = replace(problem, limits=limits)
    small = pruned(problem, "ilp") if prune else Pruned(problem, -INFINITY, 1.0)
    problem = small.problem
    try:
        model = ruled_program(problem)
        arrays = model.program.arrays()
        limits.require_rest()
    except LimitError as reached:
        return _bounded(problem, None, None, reached, "the program was not finished")
    why = _why(model)
    if prune:
        why = f"{why}; {100 * small.kept:.3g} % of the edges can lie on the best path"
    if limits.states_left is not None and len(arrays.cost) > limits.states_left:
        return _bounded(problem, model, None, limits.reached("max_states"), why)
    try:
        steps = None if work is None else max(1, work // max(1, len(arrays.cost)))
        proof = prove(problem, model, arrays, steps=steps)
    except LimitError as reached:
        return _bounded(problem, model, None, reached, why)
    if not model.pure:
        why = f"{why}; nodes searched: {proof.nodes}"
    if proof.status == "limit":
        late = work is None or limits.seconds_left == 0
        stopped = limits.reached("timeout") if late else LimitError("budget", float(work or 0))
        return _bounded(problem, model, proof, stopped, why)
    if proof.status == "unproved":
        return _bounded(problem, model, proof, UnprovedError("ilp", proof.reason), why)
    network, best = model.network, proof.best
    score = -INFINITY if best is None else best.earned.score
    only_round = Round(problem.rules.in_force, score, network.nodes, len(network.source))
    if best is None:
        return Solution(None, score, "infeasible", score, (only_round,), model.program.columns, why)
    return Solution(best.labels, score, "optimal", score, (only_round,), model.program.columns, why)


def _why(model: RuledProgram) -> str:
    size = f"{model.program.columns} variables and {model.program.rows} constraints"
    if model.pure:
        return f"a linear program with {size}"
    rules = (
        f"rules in a linear form of their own: {model.forms}, as the flow of their automata: {model.flows}"
    )
    return f"an integer program with {size}; {rules}"


def _bounded(
    problem: Problem,
    model: RuledProgram | None,
    proof: Proof | None,
    reached: LimitError | UnprovedError,
    why: str,
) -> Solution:
    """What is known without a proof: the rule-free answer bounds everything, and may be legal itself."""
    if problem.limits.on_limit == "raise":
        raise reached
    search = GraphSearch(replace(problem, limits=Limits(timeout=GRACE, on_limit="bounded")))
    bound = INFINITY
    try:
        plain = search.best_path(search.lattice())
        bound = plain.score
        if plain.exists:
            search.costs(problem.rules.in_force, plain)
    except LimitError:  # the lattice is too large for that: nothing is known, then
        pass
    if model is not None:
        search.states = model.program.columns
    if proof is not None:
        bound = min(bound, proof.bound)
        if proof.best is not None and proof.best.earned.score > search.incumbent.score:
            search.incumbent = Path(proof.best.labels, proof.best.earned.score)
    return search.bounded(reached, bound, why)
