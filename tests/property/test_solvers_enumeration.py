"""12,500 small random problems: what every solver finds is what the enumeration of all label sequences finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from lawful import Decoder
from lawful.errors import EnumerationError, RuleError, RuleTooLargeError
from lawful.lattice import Lattice, path_score
from lawful.rules import Rules
from lawful.solvers.choice import SOLVERS
from lawful.solvers.problem import Problem
from lawful.testing import (
    Best,
    RandomProblems,
    assert_decodes_exactly,
    assert_finds,
    enumerate_best,
    penalty,
    random_problems,
    same_score,
)
from lawful.testing.generators.problems import Shape
from lawful.testing.strategies import problems

TRELLIS_CHUNKS, GRAPH_CHUNKS = 20, 5
RULE_SETS, SEQUENCES = 100, 5  # a chunk has that many rule sets, each for that many sequences

Way = tuple[str, dict[str, Any]]
COMPLETIONS = ["published", "plain", "relaxed"]

ON_GRAPHS: list[Way] = [("brute_force", {}), ("relaxation", {}), ("branch_and_bound", {})]
ON_TRELLISES: list[Way] = [
    *ON_GRAPHS,
    ("brute_force", {"prune": True}),
    *(("a_star", {"completion": completion}) for completion in COMPLETIONS),
    *(("beam", {"width": None, "completion": completion}) for completion in COMPLETIONS),
    ("dual", {}),
]
# On every fifth rule set only. Integer programs take longer than all others together: `make agreement` has 20,000 more.
VARIANTS: list[Way] = [
    *(
        ("relaxation", {"order": order, "at_once": at_once})
        for order, at_once in product(["given", "random", "most_violated", "smallest"], [False, True])
    ),
    *(
        ("branch_and_bound", {"prune": prune, "early_exit": early_exit})
        for prune, early_exit in product(["branch", "edges", "none"], [True, False])
    ),
]


def trellis_problems(chunk: int) -> Iterator[RandomProblems]:
    for place in range(RULE_SETS):
        largest = 4000 if place % 8 == 0 else 250
        yield random_problems(np.random.default_rng([1, chunk, place]), count=SEQUENCES, largest=largest)


def graph_problems(chunk: int) -> Iterator[RandomProblems]:
    shapes: list[Shape] = ["levelled", "levelled", "acyclic", "cyclic"]
    for place in range(RULE_SETS):
        rng = np.random.default_rng([2, chunk, place])
        yield random_problems(rng, shapes[place % 4], count=SEQUENCES)


def check(chunk: Iterator[RandomProblems], ways: list[Way]) -> Counter[str]:
    """Hold `auto` and these solvers against enumeration; on every fifth rule set variants too, one of them by name."""
    seen: Counter[str] = Counter()
    for place, (rules, lattices) in enumerate(chunk):
        labels = lattices[0].labels
        try:
            auto = Decoder(rules, labels=labels)
            decoders, more = [auto], list[Way]()
            if place % 5 == 0:
                name, options = VARIANTS[place // 5 % len(VARIANTS)]
                decoders.append(Decoder(rules, labels=labels, solver=name, **options))
                more = VARIANTS
            for lattice in lattices:
                try:
                    best = enumerate_best(lattice, rules, max_sequences=20_000, max_length=9)
                except EnumerationError:  # a graph with a cycle that rules make worth many rounds
                    seen["too many sequences"] += 1
                    continue
                for decoder in decoders:
                    assert_finds(decoder, lattice, best)
                assert_all_solve(auto._problem(lattice), rules, best, ways + more)
                seen["feasible" if best else "infeasible"] += 1
        except RuleTooLargeError:
            seen["too large a rule"] += 1
    return seen


def assert_all_solve(problem: Problem, rules: Rules, best: Best | None, ways: list[Way]) -> None:
    """Every solver on one problem, whose rules are compiled and bound once."""
    lattice = problem.lattice
    for name, options in ways:
        found = SOLVERS[name](problem, **options)
        told = (name, options, found, best, rules)
        assert found.status == ("infeasible" if best is None else "optimal"), told
        if best is not None:
            assert found.labels is not None, told
            labels = lattice.labels.decode(found.labels)
            own = path_score(lattice, labels) - penalty(lattice, rules, labels)
            assert same_score(found.score, best.score), told
            assert same_score(found.score, own), told


@pytest.mark.parametrize("chunk", range(TRELLIS_CHUNKS))
def test_every_solver_finds_the_best_labels_of_a_trellis(chunk: int) -> None:
    seen = check(trellis_problems(chunk), ON_TRELLISES)
    assert seen["feasible"] > 0.4 * RULE_SETS * SEQUENCES, seen
    assert seen["too large a rule"] <= 0.03 * RULE_SETS, seen


@pytest.mark.parametrize("chunk", range(GRAPH_CHUNKS))
def test_every_solver_finds_the_best_labels_of_a_graph(chunk: int) -> None:
    seen = check(graph_problems(chunk), ON_GRAPHS)
    assert seen["feasible"] > 0.4 * RULE_SETS * SEQUENCES, seen
    assert seen["too many sequences"] <= 0.1 * RULE_SETS * SEQUENCES, seen
    assert seen["too large a rule"] <= 0.03 * RULE_SETS, seen


@pytest.mark.parametrize("chunk", range(4))
def test_viterbi_is_exact_where_rules_are_local(chunk: int) -> None:
    taken = 0
    for rules, lattices in trellis_problems(chunk + 100):
        for rule in rules:
            try:
                decoder = Decoder([rule], labels=lattices[0].labels, solver="viterbi")
                for lattice in lattices:
                    assert_finds(decoder, lattice, enumerate_best(lattice, [rule]))
            except RuleError:
                continue
            taken += 1
    assert taken > 40


def test_the_problems_are_worth_solving() -> None:
    """In most of them the rules change the answer; otherwise the tests above would prove little."""
    changed = total = 0
    for rules, lattices in trellis_problems(0):
        for lattice in lattices:
            best, plain = enumerate_best(lattice, rules), enumerate_best(lattice)
            total += 1
            changed += best != plain
    assert changed > 0.6 * total


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(problems())
def test_auto_is_exact_on_what_hypothesis_makes(problem: tuple[Lattice, Rules]) -> None:
    lattice, rules = problem
    assert_decodes_exactly(lattice, rules)
