"""What the kernels report becomes a solution or an error; nothing of it gets lost or mixed up."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import lawful
from lawful import Lattice, _core
from lawful.automata import Dfa
from lawful.errors import GraphError, InputError, LimitError
from lawful.solvers import choice
from lawful.solvers.engine import core_limits, crowded, engine, read_answer
from lawful.solvers.outcomes import core_problem, solution_of
from lawful.solvers.problem import Limits, Problem
from lawful.solvers.solution import Round, Solution

LIMITS = Limits(max_states=7, timeout=2.5, max_memory=99)
LATTICE = Lattice([[2.0, 0.0], [0.0, 1.0]], labels=["A", "B"])
RULED = lawful.Decoder([lawful.at_most(1, "A"), lawful.forbid("B").soft(1.0)], labels=["A", "B"])
PROBLEM = replace(RULED._problem(LATTICE), limits=LIMITS)


def answers(**changes: Any) -> Any:
    told = {
        "status": "optimal",
        "limit": "",
        "rounds": [((), 3.0, 4, 5)],
        "score": 2.0,
        "labels": [0, 1],
        "bound": 2.5,
        "states": 11,
        "repaired": False,
    }
    assert changes.keys() <= told.keys()
    return SimpleNamespace(
        **{name: lambda index, value=value: value for name, value in (told | changes).items()}
    )


def test_an_answer_of_the_engine() -> None:
    rounds = [((), 3.0, 4, 5), ((1, 1, 0), 2.0, 6, 7)]
    assert read_answer(answers(rounds=rounds), 0, LIMITS) == Solution(
        (0, 1),
        2.0,
        "optimal",
        2.5,
        (Round((), 3.0, 4, 5), Round((1, 0), 2.0, 6, 7)),
        11,
        "2 rules entered in 1 rounds; the last answer breaks no other rule",
    )


@pytest.mark.parametrize(
    ("changes", "status", "why"),
    [
        (
            {},
            "optimal",
            "one plain pass, with local rules folded into the scores; its answer breaks no other rule",
        ),
        ({"repaired": True}, "optimal", "a quick legal path was proved best, with 0 rules inside"),
        (
            {"status": "bounded", "limit": "timeout", "rounds": [((), 3.0, 1, 1), ((2,), 2.0, 1, 1)]},
            "bounded",
            "the search stopped at timeout with 1 rules inside",
        ),
        ({"status": "infeasible", "score": -math.inf}, "infeasible", "no path is left"),
        (
            {"status": "infeasible", "score": -math.inf, "rounds": [((0, 1), 1.0, 1, 1)]},
            "infeasible",
            "no path is left with 2 rules inside",
        ),
    ],
)
def test_why_and_status(changes: dict[str, Any], status: str, why: str) -> None:
    solution = read_answer(answers(**changes), 0, LIMITS)
    assert (solution.status, solution.why) == (status, why)
    assert solution.limit == (changes["limit"] if status == "bounded" else "")
    assert (solution.labels is None) == (solution.score == -math.inf)


@pytest.mark.parametrize(("limit", "value"), [("max_states", 7), ("timeout", 2.5), ("max_memory", 99)])
def test_a_limit_is_raised_by_name_and_value(limit: str, value: float) -> None:
    with pytest.raises(LimitError) as caught:
        read_answer(answers(status="limited", limit=limit), 0, LIMITS)
    assert (caught.value.limit, caught.value.value) == (limit, value)
    with pytest.raises(LimitError) as caught:
        solution_of(PROBLEM, outcome(status="limited", limit=limit), "")
    assert (caught.value.limit, caught.value.value) == (limit, value)


def outcome(**changes: Any) -> Any:
    told = {
        "status": "optimal",
        "limit": "",
        "score": 2.0,
        "labels": [0, 1],
        "bound": 2.5,
        "states": 11,
        "arcs": 12,
    }
    assert changes.keys() <= told.keys()
    return SimpleNamespace(**(told | changes))


@pytest.mark.parametrize(
    ("changes", "labels", "status", "why"),
    [
        ({}, (0, 1), "optimal", "so it went"),
        ({"limit": "timeout"}, (0, 1), "optimal", "so it went"),  # the proof came first
        ({"status": "bounded"}, (0, 1), "bounded", "so it went"),
        ({"status": "bounded", "limit": "timeout"}, (0, 1), "bounded", "so it went; stopped at timeout=2.5"),
        ({"status": "bounded", "score": -math.inf}, None, "bounded", "so it went"),
        ({"status": "infeasible", "score": -math.inf}, None, "infeasible", "no path is left: so it went"),
    ],
)
def test_an_outcome_of_the_other_kernels(
    changes: dict[str, Any], labels: tuple[int, ...] | None, status: str, why: str
) -> None:
    told = outcome(**changes)
    rounds = (Round((0, 1), told.score, 11, 12),)
    limit = told.limit if status == "bounded" else ""
    expected = Solution(labels, told.score, status, 2.5, rounds, 11, why, limit)  # type: ignore[arg-type]
    assert solution_of(PROBLEM, told, "so it went") == expected


def test_graphs_are_for_others() -> None:
    problem = Problem(lawful.GraphLattice.from_lattice(LATTICE))
    with pytest.raises(GraphError, match="solver='beam' goes from position to position of a trellis"):
        core_problem(problem, "beam")
    with pytest.raises(InputError, match="the compiled engine takes trellises"):
        engine(problem)


def test_what_is_left_of_limits_goes_to_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[dict[str, Any]] = []
    monkeypatch.setattr("lawful._core.Limits", lambda **limits: taken.append(limits))
    core_limits(LIMITS)
    mine = {"max_memory": 99, "hand_over": -1, "way": _core.SearchWay.chosen}
    assert taken.pop() == {"max_states": 7, "timeout": 2.5, "bounded": False, **mine}
    core_limits(replace(LIMITS, on_limit="bounded").after(3))
    assert taken.pop() == {"max_states": 4, "timeout": 2.5, "bounded": True, **mine}
    core_limits(LIMITS, hands_over=True)
    assert taken.pop()["hand_over"] == 0
    core_limits(LIMITS, by_states=True)
    assert taken.pop()["way"] == _core.SearchWay.states
    core_limits(replace(LIMITS, since=time.perf_counter() - 1.0))
    (left,) = taken
    assert left["max_states"] == 7
    assert 0.5 < left["timeout"] <= 1.5


def crowded_problem(**limits: Any) -> Problem:
    rng = np.random.default_rng(1500)
    machine = Dfa(rng.integers(0, 1500, (1500, 2), dtype=np.int32), rng.random(1500) < 0.05)
    rule = lawful.automaton(machine, classes=["A", "B"])
    return replace(lawful.Decoder(rule, labels=["A", "B"])._problem(LATTICE), limits=Limits(**limits))


@pytest.mark.parametrize("status", ["bounded", "optimal", "infeasible"])
def test_after_a_star_the_engine_has_what_is_left_of_the_time(
    status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = crowded_problem(timeout=60.0, max_states=100_000)
    (states,) = crowded(problem.rules.parts, 2)
    seen: list[tuple[str, Limits]] = []

    def tried(problem: Problem) -> Solution:
        seen.append(("a_star", problem.limits))
        time.sleep(0.05)
        return Solution((0, 0), 2.0, status, 2.0, states=30, why="tried")  # type: ignore[arg-type]

    def took_over(problem: Problem, *, hands_over: bool) -> Solution:
        assert hands_over
        seen.append(("engine", problem.limits))
        return Solution((0, 1), 3.0, "optimal", 3.0, states=12, why="found")

    monkeypatch.setattr(choice, "a_star", tried)
    monkeypatch.setattr(choice, "engine", took_over)
    solution = choice.auto(problem)
    first = seen[0][1]
    assert first.on_limit == "bounded"
    assert first.states_left == min(int(choice.SHARE * 2 * 2 * states), choice.MOST)
    reason = f"an automaton of {states} states for 2 tokens"
    if status != "bounded":
        assert [name for name, _ in seen] == ["a_star"]
        assert (solution.labels, solution.why, solution.states) == ((0, 0), f"{reason}: tried", 30)
        return
    assert [name for name, _ in seen] == ["a_star", "engine"]
    second = seen[1][1]
    assert second.on_limit == "raise" and second.max_states == 100_000
    assert second.seconds_left is not None and second.seconds_left <= 60.0 - 0.05
    assert solution.labels == (0, 1) and solution.states == 42
    assert solution.why == f"{reason}, but best first was not done after 30 states: the engine; found"


def test_a_timeout_that_a_star_used_up_ends_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def tried(problem: Problem) -> Solution:
        time.sleep(0.02)
        return Solution(None, -math.inf, "bounded", 9.0, states=1, why="tried")

    monkeypatch.setattr(choice, "a_star", tried)
    taken: list[Limits] = []
    monkeypatch.setattr(choice, "engine", lambda problem, **_: taken.append(problem.limits) or tried(problem))
    choice.auto(crowded_problem(timeout=0.01))
    assert taken[0].seconds_left == 0.0


def test_unknown_solvers_are_named_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="unknown solver 'magic'; the solvers are a_star, auto, beam"):
        choice.solver_named("magic", {})
    assert choice.solver_named("beam", {"width": 3})(Problem(LATTICE)).labels == (0, 1)


@pytest.mark.parametrize("cyclic", [False, True])
def test_graphs_go_to_relaxation_with_all_broken_rules_at_once(
    cyclic: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    arcs = [(0, 1, "A", 1.0), (1, 2, "B", 0.5), *([(2, 0, "A", -5.0)] if cyclic else [])]
    graph = lawful.GraphLattice.from_arcs(arcs, labels=["A", "B"], finals=[2])
    taken: list[dict[str, Any]] = []

    def relaxed(problem: Problem, **options: Any) -> Solution:
        taken.append(options)
        return Solution((0, 1), 1.5, "optimal", 1.5, why="so it went")

    monkeypatch.setattr(choice, "relaxation", relaxed)
    solution = choice.auto(Problem(graph))
    assert taken == [{"at_once": True}] and solution.labels == (0, 1)
    kind = "a cyclic" if cyclic else "an acyclic"
    assert solution.why == f"{kind} graph: relaxation, all broken rules at once; so it went"


def test_what_the_engine_reports_is_read_with_the_limits_of_the_problem() -> None:
    rng = np.random.default_rng(3)
    lattice = Lattice(rng.normal(size=(25, 4)), rng.normal(size=(4, 4)), labels=list("ABCD"))
    rules = [lawful.exactly(3, "A"), lawful.exactly_segments(2, "B"), lawful.at_most(3, "C")]
    problem = lawful.Decoder(rules, labels=list("ABCD"))._problem(lattice)
    with pytest.raises(LimitError) as caught:
        engine(replace(problem, limits=Limits(max_states=1)))
    assert (caught.value.limit, caught.value.value) == ("max_states", 1)
