"""A*: what its completions save, what it gives at a limit, and where it cannot start."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful import Decoder, GraphLattice, Lattice, Rules
from lawful.errors import GraphError, InputError, LimitError
from lawful.lattice import AnyLattice
from lawful.solvers.problem import Problem
from lawful.solvers.published.a_star import a_star
from lawful.testing import same_score

LABELS = list("ABCDEF")


def counts(seed: int, length: int = 25) -> tuple[Lattice, Rules]:
    """Counts that the plain answer is far from."""
    rng = np.random.default_rng(seed)
    lattice = Lattice(rng.normal(size=(length, 6)), rng.normal(size=(6, 6)), labels=LABELS)
    return lattice, Rules(lawful.exactly(3, "A"), lawful.exactly_segments(2, "B"), lawful.at_most(3, "C"))


def decode(lattice: AnyLattice, rules: Rules, **options: object) -> lawful.Decoding:
    return Decoder(rules, labels=lattice.labels, solver="a_star", **options).decode(lattice)  # type: ignore[arg-type]


def test_tighter_completions_look_at_less() -> None:
    seen = dict.fromkeys(("published", "plain", "relaxed"), 0)
    for seed in range(5):
        lattice, rules = counts(seed)
        rules = Rules(
            *rules, lawful.forbid("D"), lawful.allowed_transitions([(a, b) for a in LABELS for b in "ABCEF"])
        )
        best = lawful.decode(lattice, rules).score
        for completion in seen:
            found = decode(lattice, rules, completion=completion)
            assert found.status == "optimal"
            assert same_score(found.score, best)
            assert completion == "published" or "completions" in found.why
            seen[completion] += found.rounds[0].arcs
    assert seen["relaxed"] < seen["plain"] < seen["published"]


def test_without_rules_only_the_best_path_is_expanded() -> None:
    rng = np.random.default_rng(0)
    lattice = Lattice(rng.normal(size=(50, 6)), rng.normal(size=(6, 6)), labels=LABELS)
    found = a_star(Problem(lattice))
    assert found.states <= 2 * 50 * 6
    assert same_score(found.score, lawful.decode(lattice, Rules()).score)


@pytest.mark.parametrize("limit", [{"max_states": 50}, {"max_memory": 20_000}, {"timeout": 1e-9}], ids=str)
def test_limits(limit: dict[str, float]) -> None:
    lattice, rules = counts(1)
    best = lawful.decode(lattice, rules).score
    with pytest.raises(LimitError) as caught:
        decode(lattice, rules, **limit)
    assert caught.value.limit == next(iter(limit))
    found = decode(lattice, rules, on_limit="bounded", **limit)
    assert found.status == "bounded"
    assert next(iter(limit)) in found.why
    assert found.labels
    assert found.score <= best + 1e-9 < found.bound + 1e-9
    assert not found.broken


def test_a_limit_without_a_quick_path_is_rescued_by_a_beam() -> None:
    # The greedy walk takes an A first and then cannot get rid of it; A* has no time to find out.
    lattice = Lattice([[1.0, 0.0]] * 12, labels=["A", "B"])
    rules = Rules(lawful.pattern("(A{12} B) | B{12} | (A B){6}"))
    found = decode(lattice, rules, max_states=1, on_limit="bounded")
    assert found.labels
    assert not found.broken
    assert found.bound >= 6.0


def test_more_states_tighten_the_bound() -> None:
    lattice, rules = counts(1)
    rules = Rules(*(rule.soft(3.0, per="violation") for rule in rules))  # a quick legal path needs no beam
    bounds = [decode(lattice, rules, on_limit="bounded", max_states=n).bound for n in (10, 100, 1000)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[0] > bounds[-1]


def test_an_unknown_completion_is_refused() -> None:
    with pytest.raises(InputError, match="'published', 'plain' or 'relaxed', got 'exact'"):
        a_star(Problem(Lattice([[0.0]])), completion="exact")  # type: ignore[arg-type]


def test_infeasible_on_trellis_and_graph() -> None:
    lattice = Lattice(np.zeros((3, 2)), labels=["A", "B"])
    for one in (lattice, GraphLattice.from_lattice(lattice)):
        with pytest.raises(lawful.InfeasibleError) as caught:
            decode(one, Rules(lawful.at_least(2, "A"), lawful.at_most(1, "A")))
        assert len(caught.value.rules) == 2


def test_graphs_give_the_same_answer_as_trellises() -> None:
    for seed in range(3):
        lattice, rules = counts(seed, length=10)
        graph = GraphLattice.from_lattice(lattice)
        assert same_score(decode(graph, rules).score, decode(lattice, rules).score)


def test_relaxed_completions_need_a_trellis() -> None:
    graph = GraphLattice.from_nbest([(["A", "B"], 0.0)])
    with pytest.raises(GraphError, match="completion='plain'"):
        decode(graph, Rules(), completion="relaxed")


def test_a_cycle_that_gains_without_rules_is_refused() -> None:
    arcs = [(0, 0, "A", 1.0), (0, 1, "B", 0.0)]
    graph = GraphLattice.from_arcs(arcs, labels=["A", "B"], finals=[1])
    with pytest.raises(GraphError, match="solver='relaxation'"):
        decode(graph, Rules(lawful.at_most(2, "A")))
    assert lawful.decode(graph, lawful.at_most(2, "A"), solver="relaxation").score == 2.0


def test_a_cycle_that_loses_is_no_problem() -> None:
    arcs = [(0, 0, "A", -1.0), (0, 1, "B", 0.0)]
    graph = GraphLattice.from_arcs(arcs, labels=["A", "B"], finals=[1])
    assert decode(graph, Rules(lawful.at_least(2, "A"))).labels == ("A", "A", "B")


def test_rules_that_look_at_tokens_need_to_know_which() -> None:
    arcs = [(0, 1, "A", 0.0), (0, 1, None, 1.0), (1, 2, "B", 0.0)]
    graph = GraphLattice.from_arcs(arcs, labels=["A", "B"], finals=[2])
    with pytest.raises(GraphError):
        decode(graph, Rules(lawful.label_at(0, "A")))
