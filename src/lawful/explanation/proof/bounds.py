"""What the best score can be at most, according to somebody who did not find the answer."""

from __future__ import annotations

import math
from typing import NamedTuple

from lawful.decoding import Decoding
from lawful.errors import InputError
from lawful.explanation.charges import bill_of, tolerance
from lawful.explanation.leaving_out import problem_of
from lawful.explanation.proof.above import sequences_above
from lawful.lattice import GraphLattice, Lattice
from lawful.rules.ruleset import Rules
from lawful.solvers.choice import solver_named
from lawful.solvers.solution import Limits

__all__ = ["ENUMERATION", "Bound", "another_solver", "bound_by_enumeration", "bound_by_solver"]

ENUMERATION = "enumeration"
CANDIDATES = ("auto", "relaxation", "branch_and_bound")
"""Who may bound an answer, the fastest first."""


class Bound(NamedTuple):
    """What is known about the best score.

    Attributes
    ----------
    most : float
        No label sequence scores more.
    found : float
        One that was found scores this; -inf if there is none.
    stopped : str
        Why the two differ, if they do: which limit ended the search.
    """

    most: float
    found: float
    stopped: str = ""


def another_solver(decoding: Decoding, wanted: str | None) -> str:
    """The wanted solver, or any, that does not share its search with the one that found the answer."""
    search = _search(decoding.solver, decoding.lattice)
    if wanted is None:
        wanted = next(name for name in CANDIDATES if _search(name, decoding.lattice) != search)
    if _search(wanted, decoding.lattice) == search:
        raise InputError(f"solver {wanted!r} cannot vouch for its own answer: name another, or none")
    return wanted


def _search(solver: str, lattice: Lattice | GraphLattice) -> str:
    """What is behind a solver's name."""
    if solver in ("auto", "viterbi"):
        return "relaxation" if isinstance(lattice, GraphLattice) else "engine"
    return solver


def bound_by_solver(lattice: Lattice | GraphLattice, rules: Rules, solver: str, limits: Limits) -> Bound:
    """The best score according to a solver.

    Examples
    --------
    >>> bound_by_solver(Lattice([[0.0, 1.0]]), Rules(), "brute_force", Limits())
    Bound(most=1.0, found=1.0, stopped='')
    """
    solution = solver_named(solver, {})(problem_of(lattice, rules, limits))
    return Bound(solution.bound, solution.score, solution.why if solution.status == "bounded" else "")


def bound_by_enumeration(
    lattice: Lattice | GraphLattice, rules: Rules, floor: float, max_sequences: int
) -> Bound:
    """The best score, or `floor` if none is higher, by looking at every label sequence that may have it.

    Examples
    --------
    >>> from lawful.rules import forbid
    >>> bound_by_enumeration(Lattice([[0.0, 1.0]]), Rules(forbid("1").soft(0.25)), 0.5, 100)
    Bound(most=0.75, found=0.75, stopped='')
    """
    if not isinstance(lattice, Lattice):
        raise InputError(f"solver={ENUMERATION!r} needs a trellis, and this lattice is a general graph")
    margin = tolerance(lattice, floor) if math.isfinite(floor) else 0.0
    found = -math.inf
    for number, sequence in enumerate(sequences_above(lattice, floor + margin)):
        if number == max_sequences:
            return Bound(math.inf, found, f"stopped at max_sequences={max_sequences}")
        found = max(found, bill_of(lattice, rules, lattice.labels.decode(sequence)).score)
    return Bound(max(floor, found), found)
