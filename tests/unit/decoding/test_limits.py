"""Limits: raise, or give the best answer so far with a bound that holds."""

from __future__ import annotations

import time

import numpy as np
import pytest

import lawful
from lawful import Decoder, GraphLattice, LabelSet, Lattice, decode
from lawful.errors import LimitError
from lawful.testing import penalty, same_score

LABELS = LabelSet(list("ABCDEF"))
SOLVERS = ["auto", "relaxation", "brute_force", "branch_and_bound"]
TIGHT = [("max_states", 60), ("timeout", 1e-9), ("max_memory", 1)]


def hard_problem(seed: int, length: int = 30) -> tuple[Lattice, lawful.Rules]:
    """Counts that the plain answer is far from: a large product, and no quick proof."""
    rng = np.random.default_rng(seed)
    lattice = Lattice(rng.normal(size=(length, 6)), rng.normal(size=(6, 6)), labels=LABELS)
    return lattice, lawful.Rules(
        lawful.exactly(4, "A"),
        lawful.exactly_segments(2, "B"),
        lawful.at_most(3, "C").soft(1.5, per="violation"),
        lawful.before("D", "E").soft(2.0),
        lawful.requires("F", "A"),
    )


@pytest.mark.parametrize(("limit", "value"), TIGHT)
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_limit_raises(solver: str, limit: str, value: float) -> None:
    lattice, rules = hard_problem(0)
    with pytest.raises(LimitError) as caught:
        decode(lattice, rules, solver=solver, **{limit: value})
    assert (caught.value.limit, caught.value.value, caught.value.sequence) == (limit, value, None)


@pytest.mark.parametrize(("limit", "value"), TIGHT)
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_bounded_answer_has_a_bound_that_holds(solver: str, limit: str, value: float) -> None:
    for seed in range(4):
        lattice, rules = hard_problem(seed, length=16)
        best = decode(lattice, rules).score
        found = decode(lattice, rules, solver=solver, on_limit="bounded", **{limit: value})
        assert found.bound >= best - 1e-9
        assert found.score <= best + 1e-9
        if found.status == "optimal":
            assert same_score(found.score, best)
            continue
        assert found.status == "bounded"
        assert limit in found.why
        assert found.gap == found.bound - found.score > 0
        if found.labels:
            own = lawful.lattice.path_score(lattice, found.labels) - penalty(lattice, rules, found.labels)
            assert same_score(found.score, own)
        else:
            assert found.score == -np.inf


def test_bounds_hold_however_large_the_limit_is() -> None:
    """From hopeless to plenty, answers and bounds close in on the optimum, and 'optimal' is never a lie."""
    seen = set()
    for seed in range(12):
        lattice, rules = hard_problem(seed, length=24)
        best = decode(lattice, rules).score
        for limit, values in {
            "max_states": np.geomspace(1, 1e6, 9).astype(int).tolist(),
            "max_memory": np.geomspace(100, 1e8, 9).astype(int).tolist(),
            "timeout": np.geomspace(1e-7, 1.0, 9).tolist(),
        }.items():
            for value in values:
                found = decode(lattice, rules, on_limit="bounded", **{limit: value})
                seen.add((limit, found.status))
                assert found.score <= best + 1e-9 <= found.bound + 2e-9
                if found.status == "optimal":
                    assert same_score(found.score, best)
    assert {(limit, "bounded") for limit in ("max_states", "max_memory", "timeout")} <= seen
    assert {(limit, "optimal") for limit in ("max_states", "max_memory", "timeout")} <= seen


def test_a_wide_limit_changes_nothing() -> None:
    lattice, rules = hard_problem(3)
    free = decode(lattice, rules)
    wide = decode(lattice, rules, max_states=10**9, timeout=1e6, max_memory=10**12, on_limit="bounded")
    assert wide.solution == free.solution


def test_a_timeout_ends_the_search_soon() -> None:
    rng = np.random.default_rng(1)
    lattice = Lattice(rng.normal(size=(200, 6)) * 0.01, rng.normal(size=(6, 6)) * 0.01, labels=LABELS)
    rules = lawful.Rules(lawful.exactly(15 + i, label) for i, label in enumerate("ABCDE"))
    started = time.perf_counter()
    try:
        found = decode(lattice, rules, timeout=0.3, on_limit="bounded")
    except LimitError:
        pytest.fail("a bounded search does not raise")
    assert time.perf_counter() - started < 5.0
    assert found.bound >= found.score


@pytest.mark.parametrize("solver", SOLVERS)
def test_limits_hold_for_graphs(solver: str) -> None:
    lattice, rules = hard_problem(2, length=8)
    graph = GraphLattice.from_lattice(lattice)
    best = decode(lattice, rules).score
    with pytest.raises(LimitError):
        decode(graph, rules, solver=solver, max_states=30)
    found = decode(graph, rules, solver=solver, max_states=30, on_limit="bounded")
    assert found.status == "bounded"
    assert found.score <= best + 1e-9 <= found.bound + 2e-9


def test_a_batch_settles_every_sequence() -> None:
    problems = [hard_problem(seed, length=20)[0] for seed in range(5)]
    rules = hard_problem(0)[1]
    decoder = Decoder(rules, labels=LABELS, max_states=200, on_limit="bounded")
    results = decoder.decode_batch(problems)
    assert "bounded" in {one.status for one in results}
    assert results.scores.tolist() == [one.score for one in results]
    assert [one.solution for one in results] == [decoder.decode(one).solution for one in problems]
