"""Section 3 of Tromble & Eisner (2006): intersect the lattice with every rule, then extract the best path."""

from __future__ import annotations

from lawful.errors import LimitError
from lawful.solvers.problem import Problem
from lawful.solvers.published.graph_search import INFINITY, GraphSearch, Path
from lawful.solvers.published.pruning import pruned
from lawful.solvers.solution import Solution
from lawful.support.numbers import check_flag

__all__ = ["brute_force"]


def brute_force(problem: Problem, *, prune: bool = False) -> Solution:
    """The best path of the lattice with all rules in it. The judge of the other solvers.

    Parameters
    ----------
    problem : Problem
    prune : bool
        After each intersection, drop the arcs that lie on no path as good as some legal one (footnote 4 of the
        paper; the legal path comes from a quick search, see `pruning`). Exact; for trellises.

    Examples
    --------
    >>> from lawful.lattice.trellis import Lattice
    >>> brute_force(Problem(Lattice([[0.0, 1.0], [2.0, 0.0]]))).labels
    (1, 0)
    """
    least = -INFINITY
    if check_flag("prune", prune):
        problem, least, _ = pruned(problem, "brute_force")
    search = GraphSearch(problem)
    lattice = None
    entered: list[int] = []
    try:
        lattice = search.lattice()
        for rule in problem.rules.in_force:
            lattice = search.intersect(lattice, [rule])
            if least > -INFINITY:
                lattice = search.prune(lattice, least)
            entered.append(rule)
        path = search.best_path(lattice, entered=entered)
    except LimitError as reached:
        path = Path((), INFINITY)
        if lattice is not None and problem.limits.on_limit == "bounded":
            path = search.best_path_after_all(lattice, entered=entered)
        if path.exists:
            search.costs([rule for rule in problem.rules.in_force if rule not in entered], path)
        return search.bounded(
            reached, path.score, f"intersected {len(entered)} of {len(problem.rules.in_force)} rules"
        )
    return search.optimal(path, f"intersected all {len(entered)} rules", rules=entered)
