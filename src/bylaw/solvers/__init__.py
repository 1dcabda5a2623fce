"""Ways to find the best path of a lattice under rules; one file each, all exact."""

from __future__ import annotations

from bylaw.solvers.choice import SOLVERS
from bylaw.solvers.solution import Limits, Problem, Round, Solution

__all__ = ["SOLVERS", "Limits", "Problem", "Round", "Solution"]
