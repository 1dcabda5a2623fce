"""A solver that lies is found out: about its score, about the rules, about what the lattice allows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import lawful
from lawful import _core
from lawful.automata import Dfa
from lawful.automata.counting import CountingMachine
from lawful.decoding.answers.ranking import ranked
from lawful.decoding.judge import charge, judge, soft_score
from lawful.errors import InternalError
from lawful.lattice import AnyLattice
from lawful.rules.bound_rules import BoundRules
from lawful.solvers.choice import SOLVERS
from lawful.solvers.engine import engine, read_answer
from lawful.solvers.outcomes import solution_of
from lawful.solvers.problem import Problem
from lawful.solvers.published.a_star import a_star
from lawful.solvers.published.brute_force import brute_force
from lawful.solvers.solution import Solution
from lawful.support.limits import Limits

LATTICE = lawful.Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.5]], labels=["A", "B"])
RULES = lawful.Rules(
    lawful.at_most_segments(1, "A").named("one A"),
    lawful.forbid("B").soft(0.25, per="violation", name="no B"),
)
MASK = float(np.finfo(np.float32).min)


def lying(monkeypatch: pytest.MonkeyPatch, lie: Callable[[Solution], Solution]) -> None:
    """From now on the solver "brute_force" tells the lie."""
    monkeypatch.setitem(SOLVERS, "brute_force", lambda problem: lie(brute_force(problem)))


def decode(lattice: AnyLattice, rules: Any) -> lawful.Decoding:
    # Not lawful.decode, which keeps the decoders of earlier calls.
    return lawful.Decoder(rules, labels=lattice.labels, solver="brute_force").decode(lattice)


def with_score(score: float) -> Callable[[Solution], Solution]:
    return lambda solution: replace(solution, score=score, bound=score)


def with_labels(*labels: int, score: float) -> Callable[[Solution], Solution]:
    return lambda solution: replace(solution, labels=labels, score=score, bound=score)


@pytest.mark.parametrize("graph", [False, True], ids=["trellis", "graph"])
@pytest.mark.parametrize("score", [5.1, 4.9, 5 + 1e-7, 5 - 1e-7, 0.0, -5.0, math.inf, -math.inf, math.nan])
def test_a_false_score_is_caught(score: float, graph: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    lattice = lawful.GraphLattice.from_lattice(LATTICE) if graph else LATTICE
    assert decode(lattice, RULES).score == 5.0
    lying(monkeypatch, with_score(score))
    with pytest.raises(InternalError, match=r"to an answer that earns 5\.0: a bug in lawful"):
        decode(lattice, RULES)


@pytest.mark.parametrize("graph", [False, True], ids=["trellis", "graph"])
def test_a_broken_hard_rule_is_caught_even_at_its_own_score(
    graph: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    lying(monkeypatch, with_labels(0, 1, 0, score=6 - 0.25))
    lattice = lawful.GraphLattice.from_lattice(LATTICE) if graph else LATTICE
    with pytest.raises(InternalError, match="an answer breaks the hard rule 'one A': a bug in lawful"):
        decode(lattice, RULES)


def test_each_violation_of_a_soft_rule_is_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    lying(monkeypatch, with_labels(1, 1, 1, score=1.5 - 3 * 0.25))
    assert decode(LATTICE, RULES).score == 0.75  # a poor answer, but an honest one
    lying(monkeypatch, with_labels(1, 1, 1, score=1.5 - 0.25))
    with pytest.raises(InternalError, match=r"gives 1\.25 to an answer that earns 0\.75"):
        decode(LATTICE, RULES)


def test_labels_that_the_lattice_forbids_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    lattice = lawful.Lattice([[0.0, -math.inf], [0.0, 1.0]], labels=["A", "B"])
    lying(monkeypatch, with_labels(1, 1, score=1.0))
    with pytest.raises(InternalError, match=r"gives 1\.0 to an answer that earns -inf"):
        decode(lattice, [])


@pytest.mark.parametrize("mask", [-1e9, -1e15, -1e30, MASK, -1e300])
@pytest.mark.parametrize("graph", [False, True], ids=["trellis", "graph"])
def test_a_mask_elsewhere_hides_no_lie(graph: bool, mask: float, monkeypatch: pytest.MonkeyPatch) -> None:
    lattice: Any = lawful.Lattice([[mask, 2.0], [3.0, 3.0], [1.0, 0.0]], labels=["A", "B"])
    lattice = lawful.GraphLattice.from_lattice(lattice) if graph else lattice
    lying(monkeypatch, with_score(6.0 + 1e-6))
    with pytest.raises(InternalError, match=r"earns 6\.0"):
        decode(lattice, lawful.exactly(1, "A"))


def test_a_price_that_is_not_paid_hides_no_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    lying(monkeypatch, with_score(5.001))
    with pytest.raises(InternalError, match=r"earns 5\.0"):
        decode(LATTICE, lawful.at_most_segments(1, "A").soft(1e30))


@pytest.mark.parametrize("unit", [1e-300, 1e-30, 1.0, 1e30, 1e300])
def test_a_lie_is_measured_by_what_the_labels_add_up(unit: float) -> None:
    lattice = lawful.Lattice(LATTICE.emissions * unit, labels=LATTICE.labels)
    honest = Solution((0, 0, 0), 5.0 * unit, "optimal", 5.0 * unit)
    judge(lattice, lawful.Rules(), honest)
    judge(lattice, lawful.Rules(), replace(honest, score=5.0 * unit * (1 + 1e-12)))
    with pytest.raises(InternalError):
        judge(lattice, lawful.Rules(), replace(honest, score=5.0 * unit * (1 + 1e-8)))


def test_terms_that_cancel_are_forgiven_their_rounding() -> None:
    lattice = lawful.Lattice([[1e9], [0.1], [-1e9]])
    judge(lattice, lawful.Rules(), Solution((0, 0, 0), 1e9 + 0.1 - 1e9, "optimal", 0.1))
    with pytest.raises(InternalError):
        judge(lattice, lawful.Rules(), Solution((0, 0, 0), 100.0, "optimal", 100.0))


def test_no_answer_is_not_judged() -> None:
    judge(LATTICE, RULES, Solution(None, -math.inf, "infeasible", -math.inf))


def test_charges_are_those_of_the_definition() -> None:
    rule = lawful.forbid("B")
    assert charge(rule, 0) == 0.0 and charge(rule, 1) == math.inf
    assert charge(rule.soft(2.0), 3) == 2.0 and charge(rule.soft(2.0, per="violation"), 3) == 6.0
    assert (
        soft_score(LATTICE, RULES, ("A", "B", "A")).score == 5.75
    )  # hard rules are somebody else's business


def test_rules_see_tokens_context_and_label_set() -> None:
    lattice = lawful.Lattice(
        LATTICE.emissions, labels=LATTICE.labels, tokens=["x", "7", "y"], context={"spans": [(0, 2)]}
    )
    second = lawful.automaton(Dfa([[0, 1], [1, 0]], [True, False]))  # an even number of the second label
    for rule, labels in [
        (lawful.when(str.isdigit).then("B"), (0, 0, 0)),
        (lawful.uniform(), (0, 1, 0)),
        (second, (0, 1, 0)),
    ]:
        names = LATTICE.labels.decode(labels)
        claim = Solution(labels, lawful.lattice.path_score(lattice, names), "optimal", 9.0)
        with pytest.raises(InternalError, match="breaks the hard rule"):
            judge(lattice, lawful.Rules(rule), claim)
        judge(lattice, lawful.Rules(rule), replace(claim, labels=(1, 1, 0), score=4.0))


def test_a_lying_least_bad_answer_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    clash = [lawful.forbid("A"), lawful.at_least(1, "A")]
    assert lawful.decode(LATTICE, clash, on_infeasible="least_bad").broken
    from lawful.decoding.contradictions import infeasible

    real = infeasible.auto
    monkeypatch.setattr(infeasible, "auto", lambda problem: replace(real(problem), score=1e40))
    with pytest.raises(InternalError, match="an answer that earns"):
        lawful.decode(LATTICE, clash, on_infeasible="least_bad")


# --- the judge in the core: it counts by the machine of the rule, and not by that of the search ----------------------


def two_faced(*, searched: list[int], counted: list[int], price: float = math.inf) -> BoundRules:
    """A rule whose search machine finds violations at other labels than its counting machine."""
    mode = "hard" if math.isinf(price) else "counted"
    cost = np.array([searched], dtype=np.float64)
    delta = np.where(cost > 0, -1, 0).astype(np.int32) if mode == "hard" else np.zeros((1, 2), dtype=np.int32)
    machine = CountingMachine.from_lists([[0, 0]], [counted], [0])
    part = _core.Part(
        rule=0,
        table=np.array([[0, 1]], dtype=np.uint16),
        delta=delta,
        cost=np.zeros((1, 2)) if mode == "hard" else price * cost,
        final_cost=np.zeros(1),
        mode=mode,
        price=price,
        count_delta=machine.delta,
        count_violations=machine.violations,
        count_final=machine.final,
    )
    return BoundRules.from_parts([part], names=["two-faced"])


@pytest.mark.parametrize("solve", [engine, a_star, SOLVERS["beam"], SOLVERS["dual"]])
@pytest.mark.parametrize("price", [1.0, 1e-3], ids=str)
def test_the_core_judges_its_own_answers(solve: Callable[[Problem], Solution], price: float) -> None:
    honest = Problem(LATTICE, two_faced(searched=[1, 0], counted=[1, 0], price=price))
    assert solve(honest).score == pytest.approx(6 - 2 * price)
    for searched, counted in [([0, 0], [1, 0]), ([0, 1], [1, 0]), ([1, 0], [0, 0])]:
        with pytest.raises(InternalError, match="the search and the judge disagree"):
            solve(Problem(LATTICE, two_faced(searched=searched, counted=counted, price=price)))


@pytest.mark.parametrize("solve", [engine, a_star])
def test_the_core_judges_legality(solve: Callable[[Problem], Solution]) -> None:
    assert solve(Problem(LATTICE, two_faced(searched=[1, 0], counted=[1, 0]))).labels == (1, 1, 1)
    with pytest.raises(InternalError, match="the search and the judge disagree"):
        solve(Problem(LATTICE, two_faced(searched=[0, 0], counted=[1, 0])))


def test_the_next_best_are_judged_too() -> None:
    honest = Problem(LATTICE, two_faced(searched=[1, 0], counted=[1, 0], price=1.0))
    assert next(ranked(honest)).score == 4.0
    with pytest.raises(InternalError, match=r"the search gives .* the score 6\.0, the judge 4\.0"):
        next(ranked(Problem(LATTICE, two_faced(searched=[0, 0], counted=[1, 0], price=1.0))))


def test_what_the_kernels_report_is_raised() -> None:
    answers: Any = SimpleNamespace(status=lambda index: "disagreement")
    with pytest.raises(InternalError, match="the search and the judge disagree"):
        read_answer(answers, 0, Limits())
    outcome: Any = SimpleNamespace(status="disagreement")
    with pytest.raises(InternalError, match="the search and the judge disagree"):
        solution_of(Problem(LATTICE), outcome, "")
