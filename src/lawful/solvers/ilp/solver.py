"""Integer linear programming (Roth & Yih 2005): the lattice as a network of edges, the rules as linear rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lawful.errors import LimitError, UnprovedError
from lawful.solvers.graph_search import INFINITY, GraphSearch, Path
from lawful.solvers.problem import Problem
from lawful.solvers.pruning import Pruned, pruned
from lawful.solvers.solution import Round, Solution

if TYPE_CHECKING:
    from lawful.solvers.ilp.program import Arrays
    from lawful.solvers.ilp.proving import Proof
    from lawful.solvers.ilp.ruled_program import RuledProgram

__all__ = ["ilp"]


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
    # Loaded here, so that importing lawful stays cheap for those who never come here.
    from lawful.solvers.ilp.proving import prove
    from lawful.solvers.ilp.ruled_program import ruled_program

    limits = problem.limits.started()
    problem = replace(problem, limits=limits)
    small = pruned(problem, "ilp") if prune else Pruned(problem, -INFINITY, 1.0)
    problem = small.problem
    model = ruled_program(problem)
    arrays = model.program.arrays()
    why = _why(model)
    if prune:
        why = f"{why}; {100 * small.kept:.3g} % of the edges can lie on the best path"
    reached = _too_large(problem, arrays)
    if reached is not None:
        return _bounded(problem, model, None, reached, why)
    proof = prove(problem, model, arrays)
    if not model.pure:
        why = f"{why}; nodes searched: {proof.nodes}"
    if proof.status == "limit":
        return _bounded(problem, model, proof, LimitError("timeout", limits.timeout or 0.0), why)
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


def _too_large(problem: Problem, arrays: Arrays) -> LimitError | None:
    limits = problem.limits
    if limits.states_left is not None and len(arrays.cost) > limits.states_left:
        return LimitError("max_states", limits.max_states or 0)
    if limits.max_memory is not None and arrays.nbytes > limits.max_memory:
        return LimitError("max_memory", limits.max_memory)
    return None


def _bounded(
    problem: Problem, model: RuledProgram, proof: Proof | None, reached: LimitError | UnprovedError, why: str
) -> Solution:
    """What is known without a proof: the rule-free answer bounds everything, and may be legal itself."""
    if problem.limits.on_limit == "raise":
        raise reached
    search = GraphSearch(problem)
    search.states = model.program.columns
    plain = search.best_path(search.lattice())
    if plain.exists:
        search.costs(problem.rules.in_force, plain)
    bound = plain.score
    if proof is not None:
        bound = min(bound, proof.bound)
        if proof.best is not None and proof.best.earned.score > search.incumbent.score:
            search.incumbent = Path(proof.best.labels, proof.best.earned.score)
    return search.bounded(reached, bound, why)
