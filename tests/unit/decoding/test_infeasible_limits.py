"""Naming a contradiction and looking for the least bad answer stay within what is left of the call's limits.

Where time is measured, it is the thread's own: other work on the machine does not count. The margin is 0.2 s.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from itertools import combinations, count
from types import SimpleNamespace

import numpy as np
import pytest

import lawful
from lawful import Decoder, GraphLattice, Lattice, decode
from lawful.decoding import decoder as decoder_module
from lawful.decoding.contradictions import infeasible
from lawful.errors import InfeasibleError, LimitError
from lawful.lattice import AnyLattice
from lawful.solvers.choice import auto
from lawful.solvers.problem import Problem
from lawful.support.limits import Limits
from lawful.testing import enumerate_best, random_lattice, random_rules

FIELDS = [f"F{index}" for index in range(12)]
TWELVE = [lawful.at_least(1, field) for field in FIELDS]  # any seven of them are too many for six tokens
SIX_TOKENS = Lattice(np.random.default_rng(0).normal(size=(6, 12)), labels=FIELDS)
LATE = 0.2

pytestmark = pytest.mark.usefixtures("no_collection")


def contradiction(lattice: AnyLattice, rules: object, **options: object) -> InfeasibleError:
    with pytest.raises(InfeasibleError) as caught:
        decode(lattice, rules, **options)
    return caught.value


def seconds_of(work: Callable[[], object]) -> float:
    """The thread's own time; what is raised does not matter."""
    started = time.thread_time()
    with suppress(lawful.LawfulError):
        work()
    return time.thread_time() - started


# --- naming -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"timeout": 60.0}])
def test_any_seven_of_twelve(options: dict[str, float]) -> None:
    error = contradiction(SIX_TOKENS, TWELVE, **options)
    assert (len(error.rules), error.minimal, error.located, error.position) == (7, True, True, None)
    assert seconds_of(lambda: decode(SIX_TOKENS, TWELVE, **options)) < 1.0


@pytest.mark.parametrize("timeout", [0.02, 0.1, 0.3])
def test_a_timeout_holds_for_the_whole_call(timeout: float) -> None:
    assert seconds_of(lambda: decode(SIX_TOKENS, TWELVE, timeout=timeout)) < timeout + LATE


@pytest.mark.parametrize("solver", ["auto", "relaxation", "brute_force", "branch_and_bound", "a_star"])
def test_states_are_counted_over_the_whole_call(solver: str) -> None:
    """With every limit the set is a contradiction, and what it says of itself is so."""
    lattice = Lattice(np.zeros((3, 4)), labels=list("ABCD"))
    rules = [
        *(lawful.at_least(1, label) for label in "ABCD"),
        lawful.at_most(2, "A"),
        lawful.starts_with("B"),
    ]
    outcomes = set()
    for max_states in (*range(1, 100, 8), *range(100, 4000, 100)):
        try:
            decode(lattice, rules, solver=solver, max_states=max_states)
        except LimitError as error:
            outcomes.add((error.limit, error.value == max_states))
            continue
        except InfeasibleError as error:
            outcomes.add((error.minimal, error.smallest))
            named = [rule for rule in rules if rule.name in error.rules]
            check_claims(lattice, rules, named, error)
            assert ("a limit ended the search" in str(error)) == (not error.minimal)
    assert {("max_states", True), (False, False), (True, True)} <= outcomes


def check_claims(
    lattice: AnyLattice, rules: list[lawful.Rule], named: list[lawful.Rule], error: InfeasibleError
) -> None:
    assert len(named) == len(error.rules)
    assert enumerate_best(lattice, named) is None
    if error.minimal:
        for rule in named:
            others = [other for other in named if other is not rule]
            assert enumerate_best(lattice, others) is not None
    if error.smallest and named:
        fewer = combinations(rules, len(named) - 1)
        assert all(enumerate_best(lattice, some) is not None for some in fewer)


def test_without_limits_naming_has_an_end_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(infeasible, "EFFORT", 500)
    error = contradiction(SIX_TOKENS, TWELVE)
    assert not error.minimal
    assert not error.smallest
    assert not error.located
    assert error.position is None
    text = str(error)
    assert (
        "cannot all hold (a limit ended the search for fewer: some of them may not be needed); drop" in text
    )
    assert "by the end" not in text


def test_the_smallest_is_not_claimed_unless_proved() -> None:
    error = contradiction(SIX_TOKENS, TWELVE)
    assert not error.smallest
    assert "each of them is needed, but fewer others may contradict each other, too" in str(error)


def test_few_rules_are_found_among_costly_ones() -> None:
    """Two rules contradict each other; whether the others can all hold is hard to say."""
    labels = [f"F{index}" for index in range(16)]
    lattice = Lattice(np.random.default_rng(1).normal(size=(24, 16)), labels=labels)
    costly = [lawful.at_least_segments(1, label) for label in labels[:12]]
    error = contradiction(lattice, [*costly, lawful.at_least(2, "F15"), lawful.at_most(1, "F15")])
    assert error.rules == ("at_least(2, 'F15')", "at_most(1, 'F15')")
    assert error.smallest


@pytest.mark.parametrize("timeout", [1e-9, 10.0])
def test_a_lattice_without_a_path_is_never_blamed_on_rules(timeout: float) -> None:
    dead = Lattice(np.zeros((6, 12)), labels=FIELDS, mask=np.arange(6)[:, None].repeat(12, axis=1) != 4)
    for options in ({}, {"on_infeasible": "least_bad"}, {"max_loss": 1.0, "on_exceed": "raise"}):
        error = contradiction(dead, [*TWELVE, lawful.forbid("F0")], timeout=timeout, **options)
        assert (error.rules, error.minimal, error.smallest) == ((), True, True)
        assert "no rule is involved" in str(error)


def test_equal_rules_and_rules_that_nothing_obeys() -> None:
    lattice = Lattice(np.zeros((4, 3)), labels=list("ABC"))
    equal = [lawful.at_least(9, "A").named(f"copy {index}") for index in range(40)]
    error = contradiction(lattice, equal)
    assert (len(error.rules), error.smallest) == (1, True)
    pairs = [
        rule.named(f"{index}")
        for index, rule in enumerate([lawful.at_least(3, "A"), lawful.at_most(2, "A")] * 20)
    ]
    error = contradiction(lattice, pairs)
    assert (len(error.rules), error.smallest) == (2, True)
    assert {int(name) % 2 for name in error.rules} == {0, 1}


@pytest.mark.parametrize("length", [1, 1000])
def test_short_and_long_sequences(length: int) -> None:
    lattice = Lattice(np.random.default_rng(2).normal(size=(length, 8)), labels=FIELDS[:8])
    fixed = [lawful.label_at(0, field).named(field) for field in FIELDS[:8]]
    error = contradiction(lattice, [*fixed, lawful.at_most(length, "F0")])
    assert (error.rules, error.position, error.smallest) == (("F0", "F1"), 0, True)


def test_context_is_seen() -> None:
    lattice = Lattice(np.zeros((4, 2)), labels=["A", "B"], context={"spans": [(0, 3)]})
    rules = [lawful.uniform(lawful.context("spans")), lawful.label_at(0, "A"), lawful.label_at(2, "B")]
    error = contradiction(lattice, [*rules, lawful.at_most(4, "A")])
    assert (error.rules, error.position) == (tuple(rule.name for rule in rules), 2)


def test_a_graph_with_a_cycle_that_gains() -> None:
    arcs = [(0, 0, "A", 1.0), (0, 1, "B", 0.0)]
    graph = GraphLattice.from_arcs(arcs, labels=["A", "B"], finals=[1])
    rules = [lawful.at_least(2, "A"), lawful.at_most(1, "A"), lawful.at_most(5, "B")]
    error = contradiction(graph, rules)
    assert (error.rules, error.smallest) == (("at_least(2, 'A')", "at_most(1, 'A')"), True)


def test_a_batch_names_within_limits_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(infeasible, "EFFORT", 500)
    decoder = Decoder(TWELVE, labels=FIELDS, timeout=10.0)
    fine = Lattice(np.zeros((12, 12)), labels=FIELDS)
    with pytest.raises(InfeasibleError, match=r"sequence 2: .*a limit ended the search") as caught:
        decoder.decode_batch([fine, SIX_TOKENS])
    error = caught.value
    assert (error.sequence, error.minimal, error.smallest, error.located) == (1, False, False, False)


@pytest.mark.parametrize("sequences", [1, 3])
def test_a_batch_takes_no_longer_than_its_sequences_one_by_one(
    sequences: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Limits] = []

    def name(problem: Problem, _: object) -> InfeasibleError:
        seen.append(problem.limits)
        return InfeasibleError(["a rule"], None)

    ticks = count()
    monkeypatch.setattr(decoder_module, "name_contradiction", name)
    monkeypatch.setattr(decoder_module, "time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    with pytest.raises(InfeasibleError):
        Decoder(TWELVE, labels=FIELDS, timeout=1000.0).decode_batch([SIX_TOKENS] * sequences)
    (limits,) = seen
    assert limits.since == (0 if sequences == 1 else next(ticks) - 1)  # the clock of the batch is its own
    assert limits.spent > 0


def test_marginals_name_within_limits_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InfeasibleError) as caught:
        lawful.marginals(SIX_TOKENS, TWELVE, timeout=30.0)
    assert (len(caught.value.rules), caught.value.minimal) == (7, True)
    monkeypatch.setattr(infeasible, "EFFORT", 500)
    with pytest.raises(InfeasibleError) as caught:
        lawful.marginals(SIX_TOKENS, TWELVE, timeout=30.0)
    assert not caught.value.minimal


def test_scores_do_not_matter() -> None:
    rng = np.random.default_rng(3)
    lattice = Lattice(rng.normal(size=(6, 12)) * 10.0 ** rng.integers(-300, 300, size=(6, 12)), labels=FIELDS)
    error = contradiction(lattice, TWELVE[:8])
    assert (len(error.rules), error.smallest) == (7, True)


# --- the least bad answer -----------------------------------------------------------------------------------


def test_at_a_limit_the_least_bad_answer_is_the_best_so_far_or_an_error() -> None:
    infeasible_after = states_until_infeasible(SIX_TOKENS, TWELVE)
    options = {"on_infeasible": "least_bad", "max_states": infeasible_after + 100}
    with pytest.raises(LimitError) as caught:
        decode(SIX_TOKENS, TWELVE, **options)
    assert (caught.value.limit, caught.value.value) == ("max_states", infeasible_after + 100)
    answer = decode(SIX_TOKENS, TWELVE, on_limit="bounded", **options)
    assert answer.status == "infeasible"
    assert "the least often of those that were found before a limit" in answer.why
    best = decode(SIX_TOKENS, TWELVE, on_infeasible="least_bad")
    assert sum(answer.violations.values()) >= sum(best.violations.values()) == 6
    assert "before a limit" not in best.why


def states_until_infeasible(lattice: Lattice, rules: list[lawful.Rule]) -> int:
    decoder = Decoder(rules, labels=lattice.labels)
    return auto(decoder._problem(lattice)).states


def test_the_least_bad_answer_within_a_timeout() -> None:
    rng = np.random.default_rng(4)
    lattice = Lattice(rng.normal(size=(60, 12)), rng.normal(size=(12, 12)), labels=FIELDS)
    clash = [lawful.label_at(0, "F0").named("this"), lawful.label_at(0, "F1").named("that")]
    rules = [*clash, *(lawful.exactly_segments(3, field) for field in FIELDS)]
    seconds = seconds_of(
        lambda: decode(lattice, rules, on_infeasible="least_bad", on_limit="bounded", timeout=0.3)
    )
    assert seconds < 0.3 + LATE


# --- random ones ----------------------------------------------------------------------------------------------


def test_random_contradictions_within_random_limits() -> None:
    seen = set()
    for seed in range(120):
        rng = np.random.default_rng([31, seed])
        labels = lawful.LabelSet(list("ABC"))
        rules = random_rules(rng, labels, 6, depth=1, hard=0.9, length=4)
        lattice = random_lattice(rng, labels=labels, length=4, forbid=0.05)
        max_states = int(rng.integers(20, 400))
        try:
            decode(lattice, rules, max_states=max_states)
        except LimitError:
            continue
        except InfeasibleError as error:
            hard = [rule for rule in rules if rule.price == "hard"]
            named = [rule for rule in hard if rule.name in error.rules]
            check_claims(lattice, hard, named, error)
            seen.add((error.minimal, error.smallest))
    assert {(False, False), (True, True)} <= seen


@pytest.mark.parametrize("seed", range(6))
def test_thirty_rules_on_forty_tokens(seed: int) -> None:
    rng = np.random.default_rng([32, seed])
    labels = lawful.LabelSet([f"L{index}" for index in range(10)])
    rules = random_rules(rng, labels, 30, depth=1, hard=1.0, length=40)
    lattice = random_lattice(rng, labels=labels, length=40)
    for options in ({}, {"on_infeasible": "least_bad"}):
        assert seconds_of(lambda: decode(lattice, rules, timeout=0.5, **options)) < 0.5 + LATE  # noqa: B023
