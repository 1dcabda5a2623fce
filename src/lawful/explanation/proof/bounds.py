"""An upper bound on the best score, from a solver other than the one that found the answer."""

from __future__ import annotations

import math
from typing import NamedTuple

from lawful.decoding import Decoding
from lawful.errors import InputError
from lawful.explanation.charges import bill_of
from lawful.explanation.proof.enumeration import sequences_above
from lawful.lattice import AnyLattice
from lawful.lattice.base import ChainLattice
from lawful.lattice.sums import PathSum
from lawful.lattice.trellis import as_trellis
from lawful.rules.bound_rules import bind
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.ruleset import Rules
from lawful.solvers.choice import solver_named
from lawful.solvers.problem import Problem
from lawful.support.limits import Limits

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
    reached : PathSum or None
        The best score of a label sequence that was found, by the rules' reference meaning; None if there is none.
    stopped : str
        Why the two differ, if they do: which limit ended the search.
    """

    most: float
    reached: PathSum | None
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
        return "engine" if isinstance(lattice, ChainLattice) else "relaxation"
    return solver


def bound_by_solver(lattice: AnyLattice, rules: Rules, solver: str, limits: Limits) -> UpperBound:
    """The best score according to a solver.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> bound = bound_by_solver(Lattice([[0.0, 1.0]]), Rules(), "brute_force", Limits())
    >>> bound.most, bound.reached.score, bound.stopped
    (1.0, 1.0, '')
    """
    # Compiled again, so that nothing which the decoder tied to this sequence is trusted.
    bound = bind(CompiledRules(rules, lattice.labels), lattice.length, lattice.tokens, lattice.context)
    solution = solver_named(solver, {})(Problem(lattice, bound, limits))
    stopped = solution.why if solution.status == "bounded" else ""
    if solution.labels is None:
        return UpperBound(solution.bound, None, stopped)
    reached = bill_of(lattice, rules, lattice.labels.decode(solution.labels)).total
    if not reached.agrees(solution.score):  # nobody is trusted here, nor is the one who checks
        claim = f"{solver} claims {solution.score:.12g} for labels that score {reached.score:.12g}"
        return UpperBound(math.inf, reached, claim)
    return UpperBound(solution.bound, reached, stopped)


def bound_by_enumeration(
    lattice: AnyLattice,
    rules: Rules,
    floor: float,
    max_sequences: int,
    limits: Limits | None = None,
    *,
    rounding: float = 0.0,
) -> UpperBound:
    """The best score, or `floor` if none is higher by more than rounding, by scoring every sequence that could be.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.rules import forbid
    >>> bound_by_enumeration(Lattice([[0.0, 1.0]]), Rules(forbid("1").soft(0.25)), 0.5, 100).most
    0.75
    """
    trellis = as_trellis(lattice)
    if trellis is None:
        raise InputError(f"solver={ENUMERATION!r} needs a trellis, and this lattice is a general graph")
    limits = (limits or Limits()).started()
    reached: PathSum | None = None
    for number, sequence in enumerate(sequences_above(trellis, floor + rounding)):
        if number == max_sequences:
            return UpperBound(math.inf, reached, f"stopped at max_sequences={max_sequences}")
        if limits.seconds_left == 0:
            return UpperBound(math.inf, reached, f"stopped at timeout={limits.timeout:g}")
        total = bill_of(lattice, rules, lattice.labels.decode(sequence)).total
        if total.score > (-math.inf if reached is None else reached.score):
            reached = total
    return UpperBound(floor if reached is None else max(floor, reached.score), reached)
