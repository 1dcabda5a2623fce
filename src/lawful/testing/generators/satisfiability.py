"""3-SAT as a linear vote: the construction that shows that finding the winner is NP-hard (Loper, Appendix A)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice import GraphLattice

__all__ = ["clause_lattices", "most_satisfied", "random_clauses"]

TRUTH = LabelSet(["T", "F"])
Clause = tuple[int, ...]


def random_clauses(rng: np.random.Generator, variables: int, clauses: int) -> list[Clause]:
    """Clauses of three different variables each: 2 stands for the second variable, -2 for its negation.

    Examples
    --------
    >>> [len(clause) for clause in random_clauses(np.random.default_rng(1), 4, 2)]
    [3, 3]
    """
    return [
        tuple(
            int(variable) * int(sign)
            for variable, sign in zip(
                1 + rng.permutation(variables)[:3], rng.choice([-1, 1], size=3), strict=True
            )
        )
        for _ in range(clauses)
    ]


def clause_lattices(clauses: Sequence[Clause], variables: int) -> list[GraphLattice]:
    """A tagger for each clause, which labels each variable T or F: every assignment that satisfies the clause scores 0, no other has a path.

    Each gives 7/8 of all assignments the same probability. So the winner of the linear vote with equal weights satisfies as many
    clauses as can be satisfied, and all of them if the formula is satisfiable.

    Parameters
    ----------
    clauses : sequence of tuples of int
        Literals of different variables.
    variables : int

    Examples
    --------
    >>> [lattice] = clause_lattices([(1, -2)], 2)
    >>> import lawful
    >>> lawful.decoding.count_legal(lattice)
    3
    """
    lattices = []
    for clause in clauses:
        named = [abs(literal) for literal in clause]
        if len(set(named)) < len(named) or not all(0 < variable <= variables for variable in named):
            raise InputError(
                f"a clause names different variables from 1 to {variables}, or their negations, got {clause}"
            )
        arcs: list[tuple[int, int, str | None, float]] = []
        for variable in range(1, variables + 1):
            # State 2t: t variables have been read, and the clause is open; 2t + 1: it is satisfied.
            for label, literal in (("T", variable), ("F", -variable)):
                satisfied = literal in clause
                arcs.append((2 * variable - 2, 2 * variable + satisfied, label, 0.0))
                arcs.append((2 * variable - 1, 2 * variable + 1, label, 0.0))
        lattices.append(
            GraphLattice.from_arcs(
                [arc for arc in arcs if arc[0] != 1], labels=TRUTH, finals=[2 * variables + 1]
            )
        )
    return lattices


def most_satisfied(clauses: Sequence[Clause], variables: int) -> int:
    """How many of the clauses the best assignment satisfies, by trying all.

    Examples
    --------
    >>> most_satisfied([(1,), (-1,), (2,)], 2)
    2
    """
    return max(
        sum(any(assignment[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in clauses)
        for assignment in product((True, False), repeat=variables)
    )
