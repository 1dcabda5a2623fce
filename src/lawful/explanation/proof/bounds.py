"""An upper bound on the best score, from a solver other than the one that found the answer."""

from __future__ import annotations

import math
from typing import NamedTuple

from lawful.decoding import Decoding
from lawful.errors import InputError
from lawful.explanation.charges import bill_of, tolerance
from lawful.explanation.proof.enumeration import sequences_above
from lawful.lattice import AnyLattice
from lawful.lattice.trellis import as_trellis
from lawful.rules.bound_rules import bind
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.ruleset import Rules
from lawful.solvers.choice import solver_named
from lawful.solvers.problem import Limits, Problem

__all__ = ["ENUMERATION", "UpperBound", "another_solver", "bound_by_enumeration", "bound_by_solver"]

ENUMERATION = "enumeration"
CANDIDATES = ("auto", "relaxation", "branch_and_bound")
"""The solvers that may bound an answer, the fastest first."""


class UpperBound(NamedTuple):
    """What is known about the best score.

    Attributes
    ----------
    most : float
        No label sequence scores more.
    reached : float
        The best score of a label sequence that was found; -inf if there is none.
    stopped : str
        Why the two differ, if they do: which limit ended the search.
    """

    most: float
    reached: float
    stopped: str = ""


def another_solver(decoding: Decoding, requested: str | None) -> str:
    """The requested solver, or any, that does not share its search with the one that found the answer."""
    search = _search(decoding.solver, decoding.lattice)
    name = requested
    if name is None:
        name = next(candidate for candidate in CANDIDATES if _search(candidate, decoding.lattice) != search)
    if _search(name, decoding.lattice) == search:
        raise InputError(f"solver {name!r} cannot vouch for its own answer: name another, or none")
    return name


def _search(solver: str, lattice: AnyLattice) -> str:
    """The search that a solver's name stands for."""
    if solver in ("auto", "viterbi"):
        return "engine" if lattice.kind == "trellis" else "relaxation"
    return solver


def bound_by_solver(lattice: AnyLattice, rules: Rules, solver: str, limits: Limits) -> UpperBound:
    """The best score according to a solver.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> bound_by_solver(Lattice([[0.0, 1.0]]), Rules(), "brute_force", Limits())
    UpperBound(most=1.0, reached=1.0, stopped='')
    """
    # Compiled again, so that nothing which the decoder tied to this sequence is trusted.
    bound = bind(CompiledRules(rules, lattice.labels), lattice.length, lattice.tokens, lattice.context)
    solution = solver_named(solver, {})(Problem(lattice, bound, limits))
    return UpperBound(solution.bound, solution.score, solution.why if solution.status == "bounded" else "")


def bound_by_enumeration(lattice: AnyLattice, rules: Rules, floor: float, max_sequences: int) -> UpperBound:
    """The best score, or `floor` if none is higher, by scoring every label sequence that could exceed it.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.rules import forbid
    >>> bound_by_enumeration(Lattice([[0.0, 1.0]]), Rules(forbid("1").soft(0.25)), 0.5, 100)
    UpperBound(most=0.75, reached=0.75, stopped='')
    """
    trellis = as_trellis(lattice)
    if trellis is None:
        raise InputError(f"solver={ENUMERATION!r} needs a trellis, and this lattice is a general graph")
    margin = tolerance(lattice, floor) if math.isfinite(floor) else 0.0
    reached = -math.inf
    for number, sequence in enumerate(sequences_above(trellis, floor + margin)):
        if number == max_sequences:
            return UpperBound(math.inf, reached, f"stopped at max_sequences={max_sequences}")
        reached = max(reached, bill_of(lattice, rules, lattice.labels.decode(sequence)).score)
    return UpperBound(max(floor, reached), reached)
