"""Figure 2 of Tromble & Eisner (2006): a rule enters the lattice only when the best path breaks it.

A path that is best without some rules and breaks none of them is best with them, because rules only lower
scores. That holds for soft rules as well: they enter with their costs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from lawful.errors import LimitError
from lawful.lattice.segments import SegmentLattice
from lawful.solvers.problem import Problem
from lawful.solvers.published.graph_search import INFINITY, GraphSearch, Path
from lawful.solvers.solution import Round, Solution
from lawful.support.numbers import check_choice, check_seed

__all__ = ["Order", "near_best", "relaxation"]

Order = Literal["given", "random", "most_violated", "smallest"]


def relaxation(problem: Problem, *, order: Order = "given", seed: int = 0, at_once: bool = False) -> Solution:
    """The best path under rules, by letting in only those that get broken.

    Parameters
    ----------
    problem : Problem
    order : "given", "random", "most_violated" or "smallest"
        Which of several broken rules enters: the first, any, the one with the most violations, or the one with
        the smallest automata.
    seed : int
        For order "random".
    at_once : bool
        Whether all broken rules enter in one round.

    Examples
    --------
    >>> from lawful.lattice.trellis import Lattice
    >>> relaxation(Problem(Lattice([[0.0, 1.0], [2.0, 0.0]]))).labels
    (1, 0)
    """
    search = GraphSearch(problem)
    choose = _chooser(search, order, seed)
    waiting, entered = list(problem.rules.in_force), list[int]()
    path = Path((), INFINITY)
    try:
        lattice = search.lattice()
        path = search.best_path(lattice)
        while broken := _broken(search, waiting, path):
            entering = list(broken) if at_once else [choose(broken, path)]
            lattice = search.intersect(lattice, entering)
            waiting = [rule for rule in waiting if rule not in entering]
            entered += entering
            path = search.best_path(lattice, entered=entering)
    except LimitError as reached:
        return search.bounded(
            reached, path.score, f"{len(entered)} of {len(problem.rules.in_force)} rules entered"
        )
    return search.optimal(
        path, f"{len(entered)} of {len(problem.rules.in_force)} rules entered", rules=entered
    )


# Segments a token that are tried first, and how many times as many after that: measured on CoNLL-2000.
FIRST_TRY, WIDER = 4, 8


def near_best(problem: Problem, lattice: SegmentLattice) -> Solution:
    """The best segmentation under rules, by relaxation among those that score nearly as much as the best one without rules.

    What is left out scores less than `least`. So an answer that scores at least that is best of all; and one that scores less says
    what has to be looked at in the end.

    Examples
    --------
    >>> import lawful
    >>> from lawful.rules.bound_rules import bind
    >>> from lawful.rules.compiled_rules import CompiledRules
    >>> model = lawful.SemiCRF(c2=0.1).fit([["Ann", "in", "1998"]], [["name", "word", "year"]])
    >>> lattice = model.lattice(["Ann", "in", "1998"])
    >>> rules = bind(CompiledRules(lawful.Rules(lawful.forbid("word")), lattice.labels), 3, lattice.tokens, {})
    >>> solution = near_best(Problem(lattice, rules), lattice)
    >>> solution.status, lattice.labels.index("word") in solution.labels
    ('optimal', False)
    """
    search, scores = GraphSearch(problem), lattice.scores
    path = Path(tuple(scores.tags), scores.score)
    search.rounds.append(Round((), path.score, *lattice.to_build()))
    if not path.exists or not search.costs(problem.rules.in_force, path):
        return search.optimal(path, "the best segmentation breaks no rule")
    limits, segments = problem.limits.started(), FIRST_TRY * lattice.length
    rounds = search.rounds
    least = scores.reached_by(segments)
    while True:
        near = replace(problem, lattice=replace(lattice, least=least), limits=limits)
        solution = relaxation(near, at_once=True)
        rounds += solution.rounds
        limits = limits.after(solution.states)
        solution = replace(
            solution,
            rounds=tuple(rounds),
            states=limits.spent - problem.limits.spent,
            bound=max(solution.bound, least),
        )
        if solution.status == "bounded" or solution.score >= least or least == -INFINITY:
            return solution
        segments *= WIDER
        least = scores.reached_by(segments) if solution.labels is None else solution.score - lattice.rounding


def _broken(search: GraphSearch, waiting: list[int], path: Path) -> Mapping[int, float]:
    if path.score == INFINITY:  # whatever is still out may be what stops the cycle
        return dict.fromkeys(waiting, INFINITY)
    return search.costs(waiting, path) if path.exists else {}


def _chooser(search: GraphSearch, order: Order, seed: int) -> Callable[[Mapping[int, float], Path], int]:
    random = np.random.default_rng(check_seed("seed", seed))

    def size(rule: int) -> int:
        return int(np.prod([part.states for part, _ in search.problem.rules.parts_of(rule)], dtype=object))

    choosers: dict[str, Callable[[Mapping[int, float], Path], int]] = {
        "given": lambda broken, _: next(iter(broken)),
        "random": lambda broken, _: int(random.choice(list(broken))),
        "most_violated": lambda broken, path: max(broken, key=lambda rule: search.violations(rule, path)),
        "smallest": lambda broken, _: min(broken, key=size),
    }
    return choosers[check_choice("order", order, choosers)]
