"""Integer programs against enumeration, both ways of writing each kind of rule, and against `auto` where that is too much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import highspy
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import lawful
from lawful import Decoder, InfeasibleError
from lawful.errors import RuleTooLargeError
from lawful.lattice import AnyLattice, Lattice, path_score
from lawful.rules import Rules
from lawful.rules.bound_rules import BoundRules
from lawful.schemes import SCHEMES
from lawful.solvers.ilp.ruled_program import ruled_program
from lawful.solvers.ilp.solver import ilp
from lawful.solvers.problem import Problem
from lawful.testing import (
    RULE_KINDS,
    enumerate_best,
    penalty,
    random_graph,
    random_label_set,
    random_lattice,
    random_rule,
    random_rules,
    same_score,
)
from lawful.testing.strategies import problems

EACH_KIND = 20

# Kinds of rules that have a linear form whatever they say.
ALWAYS_A_FORM = set(RULE_KINDS) - {"automaton", "logic", "pattern"}


def without_sources(problem: Problem) -> Problem:
    """The same automata, without the rules that they came from."""
    bound = problem.rules
    return Problem(
        problem.lattice, BoundRules.from_parts(bound.parts, bound.kinds, names=bound.names), problem.limits
    )


def assert_solves(problem: Problem, rules: Rules, best: float | None) -> None:
    """`best` is the best score, None if nothing is legal."""
    found = ilp(problem)
    told = f"found {found}, but the best is {best}; {rules!r}"
    assert found.status == ("infeasible" if best is None else "optimal"), told
    if best is not None:
        assert same_score(found.score, best), told
        names = problem.lattice.labels.decode(found.labels)
        own = path_score(problem.lattice, names) - penalty(problem.lattice, rules, names)
        assert same_score(found.score, own), told


def tasks_of_kind(kind: str) -> Iterator[tuple[Lattice, Rules, Problem]]:
    """Small problems with a rule of that kind and up to two others."""
    place = taken = 0
    while taken < EACH_KIND:
        place += 1
        rng = np.random.default_rng([11, RULE_KINDS.index(kind), place])
        scheme = list(SCHEMES)[rng.integers(len(SCHEMES))] if kind == "valid_tags" else None
        labels = random_label_set(rng, scheme=scheme, size=int(rng.integers(1, 5)))
        length = int(rng.integers(2, 6 if len(labels) < 5 else 4))
        rules = Rules(
            random_rule(rng, labels, kind=kind, length=2),
            *random_rules(rng, labels, int(rng.integers(0, 3)), length=2),
        )
        lattice = random_lattice(
            rng, labels=labels, length=length, forbid=float(rng.choice([0.0, 0.05, 0.2]))
        )
        try:
            yield lattice, rules, Decoder(rules, labels=labels)._problem(lattice)
        except RuleTooLargeError:
            continue
        taken += 1


@pytest.mark.parametrize("kind", RULE_KINDS)
def test_forms_and_flows_find_what_enumeration_finds(kind: str) -> None:
    for lattice, rules, problem in tasks_of_kind(kind):
        best = enumerate_best(lattice, rules)
        for one in (problem, without_sources(problem)):
            assert_solves(one, rules, None if best is None else best.score)


@pytest.mark.parametrize("kind", sorted(ALWAYS_A_FORM))
def test_a_kind_of_rule_keeps_its_linear_form(kind: str) -> None:
    for lattice, rules, _ in tasks_of_kind(kind):
        model = ruled_program(Decoder(rules[:1], labels=lattice.labels)._problem(lattice))
        assert model.flows == 0


def test_graphs() -> None:
    seen: Counter[bool] = Counter()
    for place in range(100):
        rng = np.random.default_rng([12, place])
        labels = random_label_set(rng, size=int(rng.integers(1, 4)))
        shape = ("levelled", "acyclic")[place % 2]
        rules = random_rules(rng, labels, sees=shape == "levelled")
        graph = random_graph(rng, labels=labels, shape=shape)
        try:
            problem = Decoder(rules, labels=labels)._problem(graph)
        except RuleTooLargeError:
            continue
        best = enumerate_best(graph, rules)
        assert_solves(problem, rules, None if best is None else best.score)
        seen[best is not None] += 1
    assert seen[True] > 50


@pytest.mark.parametrize("place", range(40))
def test_larger_problems_agree_with_auto(place: int) -> None:
    rng = np.random.default_rng([13, place])
    labels = random_label_set(rng, size=int(rng.integers(3, 7)))
    rules = random_rules(rng, labels, int(rng.integers(2, 6)), length=10)
    lattice = random_lattice(rng, labels=labels, length=int(rng.integers(10, 21)), forbid=0.01)
    try:
        decoder = Decoder(rules, labels=labels)
        problem = decoder._problem(lattice)
    except RuleTooLargeError:
        return
    try:
        best: float | None = decoder.decode(lattice).score
    except InfeasibleError:
        best = None
    assert_solves(problem, rules, best)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(problems())
def test_what_hypothesis_makes(task: tuple[Lattice, Rules]) -> None:
    lattice, rules = task
    best = enumerate_best(lattice, rules)
    problem = Decoder(rules, labels=lattice.labels)._problem(lattice)
    assert_solves(problem, rules, None if best is None else best.score)


@pytest.mark.parametrize("chunk", range(4))
def test_another_solver_finds_the_same_in_an_lp_file(chunk: int, tmp_path: Path) -> None:
    for place in range(20):
        rng = np.random.default_rng([14, chunk, place])
        labels = random_label_set(rng, size=int(rng.integers(1, 4)), odd_names=0.5)
        rules = random_rules(rng, labels, int(rng.integers(0, 4)), length=2)
        lattice: AnyLattice = (
            random_graph(rng, labels=labels, size=int(rng.integers(2, 5)))
            if place % 4 == 0
            else random_lattice(rng, labels=labels, length=int(rng.integers(2, 5)))
        )
        try:
            lawful.decoding.to_lp(lattice, rules, tmp_path / "program.lp")
        except RuleTooLargeError:
            continue
        best = enumerate_best(lattice, rules)
        read = optimum(tmp_path / "program.lp")
        assert read == (None if best is None else pytest.approx(best.score, abs=1e-6)), rules


def optimum(path: Path) -> float | None:
    """What an LP file is worth to HiGHS; None if it is infeasible."""
    highs = highspy.Highs()
    for option, value in {"output_flag": False, "mip_rel_gap": 0.0, "mip_abs_gap": 0.0}.items():
        highs.setOptionValue(option, value)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    highs.run()
    known = highspy.HighsModelStatus
    if highs.getModelStatus() in (known.kInfeasible, known.kUnboundedOrInfeasible):
        return None
    assert highs.getModelStatus() == known.kOptimal
    return float(highs.getObjectiveValue())
