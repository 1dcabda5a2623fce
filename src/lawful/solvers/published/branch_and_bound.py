"""Figure 7 of Tromble & Eisner (2006): branch on each binary soft rule, which is obeyed or paid for."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Literal, get_args

from lawful import _core
from lawful.errors import LimitError
from lawful.solvers.problem import Problem
from lawful.solvers.published.graph_search import INFINITY, NO_PATH, GraphSearch, Path
from lawful.solvers.solution import Solution
from lawful.support.numbers import check_choice, check_flag

__all__ = ["Prune", "branch_and_bound"]

Prune = Literal["branch", "edges", "none"]


@dataclass(frozen=True, slots=True)
class _Branch:
    """A lattice that `entering` is about to enter, with the rules that are left and the penalty paid so far.

    The intersection waits until the branch is dequeued: by then a better answer may have made it needless.
    """

    lattice: _core.Graph
    entering: tuple[int, ...]
    rules: tuple[int, ...]
    penalty: float
    bound: float  # no path of the branch scores more


def branch_and_bound(problem: Problem, *, prune: Prune = "branch", early_exit: bool = True) -> Solution:
    """The best path under rules, by a search over which soft rules to obey.

    Hard rules have no branch in which they are broken. Soft rules that count their violations are not binary;
    they enter with their costs, and need no second branch either.

    Parameters
    ----------
    problem : Problem
    prune : "branch", "edges" or "none"
        Drop branches that cannot win; also the arcs that lie on no path that can; or nothing.
    early_exit : bool
        Whether to leave the loop over broken rules as soon as the penalty is too high to win.

    Examples
    --------
    >>> from lawful.lattice.trellis import Lattice
    >>> branch_and_bound(Problem(Lattice([[0.0, 1.0], [2.0, 0.0]]))).labels
    (1, 0)
    """
    check_choice("prune", prune, get_args(Prune))
    check_flag("early_exit", early_exit)
    search = GraphSearch(problem)
    binary = {rule for rule in problem.rules.in_force if _is_binary(problem, rule)}
    rules = tuple(
        sorted(problem.rules.in_force, key=binary.__contains__)
    )  # those that do not branch come first
    best = NO_PATH
    explored = 0
    try:
        branches = deque([_Branch(search.lattice(), (), rules, 0.0, INFINITY)])
    except LimitError as reached:
        return search.bounded(reached, INFINITY, "no branch explored")
    while branches:
        branch = branches.popleft()
        penalty = branch.penalty
        if prune != "none" and branch.bound <= best.score:
            continue
        explored += 1
        try:
            obeyed = not binary.isdisjoint(branch.entering)
            lattice = search.intersect(branch.lattice, branch.entering, obeyed=obeyed)
            path = search.best_path(lattice, entered=branch.entering, penalty=penalty)
            if prune == "edges" and best.exists and path.exists and path.score - penalty > best.score:
                lattice = search.prune(lattice, best.score + penalty)
        except LimitError as reached:
            bound = max(branch.bound, *(open_.bound for open_ in branches), best.score)
            return search.bounded(reached, bound, f"{explored} branches explored, {len(branches) + 1} open")
        left = list(branch.rules)
        if path.cycle:
            certain = tuple(rule for rule in left if rule not in binary)
            if not certain:
                return search.optimal(path, "")
            left = [rule for rule in left if rule in binary]
            branches.append(_Branch(lattice, certain, tuple(left), penalty, INFINITY))
            continue
        if not path.exists or (prune != "none" and path.score - penalty <= best.score):
            continue
        for rule, cost in search.costs(left, path, penalty=penalty).items():
            left.remove(rule)
            branches.append(_Branch(lattice, (rule,), tuple(left), penalty, path.score - penalty))
            penalty += cost
            if rule not in binary or (early_exit and path.score - penalty <= best.score):
                break
        else:
            if best.score < path.score - penalty:
                best = Path(path.labels, path.score - penalty)
    return search.optimal(best, f"{explored} branches explored", rules=problem.rules.in_force)


def _is_binary(problem: Problem, rule: int) -> bool:
    parts = problem.rules.parts_of(rule)
    return len(parts) == 1 and parts[0][0].mode == "once"
