"""20,000 small random problems: what every solver finds is what the enumeration of all label sequences finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from bylaw import Decoder
from bylaw.decoding.binding import CompiledRules
from bylaw.errors import EnumerationError, RuleError, RuleTooLargeError
from bylaw.labels import LabelSet
from bylaw.lattice import GraphLattice, Lattice, path_score
from bylaw.rules import Rules
from bylaw.rules.schemes import SCHEMES
from bylaw.solvers.branch_and_bound import branch_and_bound
from bylaw.solvers.brute_force import brute_force
from bylaw.solvers.relaxation import relaxation
from bylaw.solvers.solution import Problem, Solution
from bylaw.testing import (
    Best,
    assert_decodes_exactly,
    assert_finds,
    enumerate_best,
    penalty,
    random_graph,
    random_label_set,
    random_lattice,
    random_rules,
    same_score,
)
from bylaw.testing.strategies import problems

TRELLIS_CHUNKS, GRAPH_CHUNKS = 36, 9
RULE_SETS, SEQUENCES = 100, 5  # a chunk has that many rule sets, each for that many sequences

SOLVERS: list[tuple[str, Callable[..., Solution], dict[str, Any]]] = [
    ("brute_force", brute_force, {}),
    *(
        ("relaxation", relaxation, {"order": order, "at_once": at_once})
        for order, at_once in product(["given", "random", "most_violated", "smallest"], [False, True])
    ),
    *(
        ("branch_and_bound", branch_and_bound, {"prune": prune, "early_exit": early_exit})
        for prune, early_exit in product(["branch", "edges", "none"], [True, False])
    ),
]

Task = tuple[Rules, list[Lattice] | list[GraphLattice]]


def some_labels(rng: np.random.Generator) -> LabelSet:
    scheme = list(SCHEMES)[rng.integers(len(SCHEMES))] if rng.random() < 0.15 else None
    return random_label_set(rng, scheme=scheme, size=int(rng.integers(1, 6)))


def trellis_problems(chunk: int) -> Iterator[Task]:
    for place in range(RULE_SETS):
        rng = np.random.default_rng([1, chunk, place])
        labels = some_labels(rng)
        largest = 4000 if place % 8 == 0 else 250
        longest = 7 if len(labels) == 1 else min(7, int(np.log(largest) / np.log(len(labels))))
        shortest = int(rng.integers(1, min(3, longest) + 1))
        rules = random_rules(rng, labels, length=shortest)
        forbid = float(rng.choice([0.0, 0.05, 0.2]))
        lengths = rng.integers(shortest, longest + 1, size=SEQUENCES).tolist()
        yield rules, [random_lattice(rng, labels=labels, length=n, forbid=forbid) for n in lengths]


def graph_problems(chunk: int) -> Iterator[Task]:
    for place in range(RULE_SETS):
        rng = np.random.default_rng([2, chunk, place])
        labels = random_label_set(rng, size=int(rng.integers(1, 4)))
        shape = ("levelled", "levelled", "acyclic", "cyclic")[place % 4]
        rules = random_rules(rng, labels, sees=shape == "levelled")
        yield rules, [random_graph(rng, labels=labels, shape=shape) for _ in range(SEQUENCES)]


def check(chunk: Iterator[Task]) -> Counter[str]:
    """Hold `auto` against enumeration; on every fifth rule set all other solvers too, one of them by its name."""
    seen: Counter[str] = Counter()
    for place, (rules, lattices) in enumerate(chunk):
        labels = lattices[0].labels
        try:
            decoders = [Decoder(rules, labels=labels)]
            if place % 5 == 0:
                name, _, options = SOLVERS[place // 5 % len(SOLVERS)]
                decoders.append(Decoder(rules, labels=labels, solver=name, **options))
                compiled = CompiledRules(rules, labels)
            for lattice in lattices:
                try:
                    best = enumerate_best(lattice, rules, max_sequences=20_000, max_length=9)
                except EnumerationError:  # a graph with a cycle that rules make worth many rounds
                    seen["too many sequences"] += 1
                    continue
                for decoder in decoders:
                    assert_finds(decoder, lattice, best)
                if place % 5 == 0:
                    assert_all_solve(compiled, lattice, best)
                seen["feasible" if best else "infeasible"] += 1
        except RuleTooLargeError:
            seen["too large a rule"] += 1
    return seen


def assert_all_solve(compiled: CompiledRules, lattice: Lattice | GraphLattice, best: Best | None) -> None:
    """Every solver on one problem, whose rules are compiled and bound once."""
    binding = compiled.bind(lattice.length or 0, lattice.tokens, lattice.context)
    kinds = (None,) * len(compiled.common_parts) + binding.kinds
    problem = Problem(lattice, compiled.common_parts + binding.parts, kinds, compiled.rules.names)
    for name, solve, options in SOLVERS:
        found = solve(problem, **options)
        told = (name, options, found, best, compiled.rules)
        assert found.status == ("infeasible" if best is None else "optimal"), told
        if best is not None:
            labels = lattice.labels.decode(found.labels)
            own = path_score(lattice, labels) - penalty(lattice, compiled.rules, labels)
            assert same_score(found.score, best.score), told
            assert same_score(found.score, own), told


@pytest.mark.parametrize("chunk", range(TRELLIS_CHUNKS))
def test_every_solver_finds_the_best_labels_of_a_trellis(chunk: int) -> None:
    seen = check(trellis_problems(chunk))
    assert seen["feasible"] > 0.4 * RULE_SETS * SEQUENCES, seen
    assert seen["too large a rule"] <= 0.03 * RULE_SETS, seen


@pytest.mark.parametrize("chunk", range(GRAPH_CHUNKS))
def test_every_solver_finds_the_best_labels_of_a_graph(chunk: int) -> None:
    seen = check(graph_problems(chunk))
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
