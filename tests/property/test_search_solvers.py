"""A*, beam search and dual decomposition against enumeration: exact where they say so, bounded where they do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from lawful import _core
from lawful.errors import EnumerationError, RuleTooLargeError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, Lattice, path_score
from lawful.rules import Rules
from lawful.rules.bound_rules import bind
from lawful.rules.compiled_rules import CompiledRules
from lawful.schemes import SCHEMES
from lawful.solvers import Limits, Problem, Solution
from lawful.solvers.engine import core_limits
from lawful.solvers.outcomes import core_problem, solution_of
from lawful.solvers.published.a_star import a_star
from lawful.solvers.published.beam import beam
from lawful.solvers.published.dual import dual
from lawful.testing import (
    Best,
    enumerate_best,
    penalty,
    random_graph,
    random_label_set,
    random_lattice,
    random_rules,
    same_score,
)


def searching_dual(problem: Problem, *, iterations: int, finish: bool = True) -> Solution:
    """Dual decomposition as the portfolio takes it: it searches under its prices before it branches."""
    core, limits = core_problem(problem, "dual"), core_limits(problem.limits)
    outcome = _core.dual(core, iterations=iterations, finish=finish, limits=limits, search=True)
    return solution_of(problem, outcome, f"{outcome.passes} iterations")


Solver = tuple[Callable[..., Solution], dict[str, Any]]
COMPLETIONS = ["published", "plain", "relaxed"]

EXACT: list[Solver] = [
    *((a_star, {"completion": completion}) for completion in COMPLETIONS),
    *((beam, {"width": None, "completion": completion}) for completion in COMPLETIONS),
    (dual, {}),
    (dual, {"iterations": 2}),  # so that most of the work is branching
    *((searching_dual, {"iterations": n}) for n in (1, 20)),
]
INEXACT: list[Solver] = [
    *((beam, {"width": w, "completion": c}) for w, c in product([1, 2, 5], ["plain", "relaxed"])),
    *((beam, {"width": None, "per_position": p}) for p in (0.0, 0.5, 2.0)),
    (beam, {"width": 2, "per_position": 1.0}),
    *((dual, {"iterations": n, "finish": False}) for n in (1, 3, 20)),
    *((searching_dual, {"iterations": n, "finish": False}) for n in (1, 3, 20)),
]
LIMITED = [
    Limits(max_states=3, on_limit="bounded"),
    Limits(max_memory=1, on_limit="bounded"),
    Limits(timeout=1e-9, on_limit="bounded"),
]

Task = tuple[Problem, Rules, Best | None]


def some_labels(rng: np.random.Generator) -> LabelSet:
    scheme = list(SCHEMES)[rng.integers(len(SCHEMES))] if rng.random() < 0.15 else None
    return random_label_set(rng, scheme=scheme, size=int(rng.integers(1, 6)))


def bound_problem(lattice: AnyLattice, compiled: CompiledRules) -> Problem:
    return Problem(lattice, bind(compiled, lattice.length or 0, lattice.tokens, lattice.context))


def trellis_problems(chunk: int, rule_sets: int) -> Iterator[Task]:
    for place in range(rule_sets):
        rng = np.random.default_rng([31, chunk, place])
        labels = some_labels(rng)
        longest = 7 if len(labels) == 1 else min(7, int(np.log(400) / np.log(len(labels))))
        shortest = int(rng.integers(1, min(3, longest) + 1))
        rules = random_rules(rng, labels, length=shortest)
        forbid = float(rng.choice([0.0, 0.05, 0.2]))
        try:
            compiled = CompiledRules(rules, labels)
            for length in rng.integers(shortest, longest + 1, size=5).tolist():
                lattice = random_lattice(rng, labels=labels, length=length, forbid=forbid)
                yield bound_problem(lattice, compiled), rules, enumerate_best(lattice, rules)
        except RuleTooLargeError:
            continue


def graph_problems(chunk: int, rule_sets: int) -> Iterator[Task]:
    for place in range(rule_sets):
        rng = np.random.default_rng([32, chunk, place])
        labels = random_label_set(rng, size=int(rng.integers(1, 4)))
        shape = ("levelled", "levelled", "acyclic", "cyclic")[place % 4]
        rules = random_rules(rng, labels, sees=shape == "levelled")
        try:
            compiled = CompiledRules(rules, labels)
            for _ in range(3):
                lattice = random_graph(rng, labels=labels, shape=shape)
                best = enumerate_best(lattice, rules, max_sequences=20_000, max_length=9)
                yield bound_problem(lattice, compiled), rules, best
        except (RuleTooLargeError, EnumerationError):
            continue


def assert_scored(found: Solution, task: Task, told: object) -> None:
    """The labels have the score that the solution says, by the definition."""
    problem, rules, _ = task
    assert found.labels is not None, told
    labels = problem.lattice.labels.decode(found.labels)
    own = path_score(problem.lattice, labels) - penalty(problem.lattice, rules, labels)
    assert same_score(found.score, own), told


def assert_exact(found: Solution, task: Task, told: object) -> None:
    best = task[2]
    if best is None:
        assert (found.status, found.labels, found.bound) == ("infeasible", None, -np.inf), told
        return
    assert found.status == "optimal", told
    assert found.bound == found.score, told
    assert same_score(found.score, best.score), told
    assert_scored(found, task, told)


def assert_bounded(found: Solution, task: Task, told: object) -> None:
    """What is claimed holds, however little that is."""
    if found.status != "bounded":
        assert_exact(found, task, told)
        return
    best = -np.inf if task[2] is None else task[2].score
    assert found.score <= best + 1e-9, told
    assert found.bound > found.score, told
    assert found.bound >= best - 1e-9, told
    if found.labels is not None:
        assert_scored(found, task, told)
    else:
        assert found.score == -np.inf, told


@pytest.mark.parametrize("chunk", range(8))
def test_exact_solvers_find_what_enumeration_finds(chunk: int) -> None:
    seen: Counter[bool] = Counter()
    for task in trellis_problems(chunk, 100):
        for solve, options in EXACT:
            found = solve(task[0], **options)
            assert_exact(found, task, (solve.__name__, options, found, task))
        seen[task[2] is not None] += 1
    assert seen[True] > 150
    assert seen[False] > 10


@pytest.mark.parametrize("chunk", range(8, 12))
def test_bounds_hold(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for task in trellis_problems(chunk, 60):
        for solve, options in INEXACT:
            found = solve(task[0], **options)
            assert_bounded(found, task, (solve.__name__, options, found, task))
            seen[found.status] += 1
        for (solve, options), limits in product(EXACT, LIMITED):
            found = solve(replace(task[0], limits=limits), **options)
            assert_bounded(found, task, (solve.__name__, options, limits, found, task))
            seen[f"{solve.__name__} limited"] += found.status == "bounded"
    assert min(seen["bounded"], seen["a_star limited"], seen["dual limited"]) > 20, seen


@pytest.mark.parametrize("chunk", range(4))
def test_a_star_on_graphs(chunk: int) -> None:
    seen: Counter[bool] = Counter()
    for task in graph_problems(chunk, 60):
        found = a_star(task[0])
        assert_exact(found, task, (found, task))
        for limits in LIMITED:
            limited = a_star(replace(task[0], limits=limits))
            assert_bounded(limited, task, (limits, limited, task))
        seen[task[2] is not None] += 1
    assert seen[True] > 60
    assert seen[False] > 5


@pytest.mark.parametrize("solver", range(len(EXACT)))
def test_the_same_call_gives_the_same_answer(solver: int) -> None:
    solve, options = EXACT[solver]
    for problem, _, _ in trellis_problems(99, 10):
        flat = replace(problem, lattice=_flat(problem.lattice))  # nothing but ties
        assert solve(flat, **options) == solve(flat, **options)


def _flat(lattice: AnyLattice) -> Lattice:
    assert isinstance(lattice, Lattice)
    return Lattice(
        np.zeros(lattice.emissions.shape),
        labels=lattice.labels,
        tokens=lattice.tokens,
        context=lattice.context,
    )
