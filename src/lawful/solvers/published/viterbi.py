"""Constrained Viterbi (Roth & Yih 2005, section 3): one pass, for rules that see one label or two neighbours."""

from __future__ import annotations

from lawful.errors import RuleError
from lawful.lattice.base import ChainLattice
from lawful.solvers.engine import engine
from lawful.solvers.problem import Problem
from lawful.solvers.published.relaxation import relaxation
from lawful.solvers.solution import Solution

__all__ = ["viterbi"]


def viterbi(problem: Problem) -> Solution:
    """The best path of a lattice, with local rules as masks and prices on its scores.

    Raises `RuleError` for a rule that must remember more than the label before: that takes a search.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> viterbi(Problem(Lattice([[0.0, 1.0], [2.0, 0.0]]))).score
    3.0
    """
    is_trellis = isinstance(problem.lattice, ChainLattice)
    for part in problem.rules.parts:
        if not (part.local and is_trellis):
            raise RuleError(
                f"rule {problem.rules.names[part.rule]!r} cannot be charged by looking at two neighbouring labels of a "
                "trellis, which is all that solver='viterbi' does; use solver='auto', or, for a soft rule about single "
                "positions, per='violation'"
            )
    return engine(problem) if is_trellis else relaxation(problem)
