"""Beam search: its bound and gap, both prunings, and what it says when it finds nothing."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful import Decoder, GraphLattice, Lattice, Rules
from lawful.errors import GraphError, InputError, LimitError
from lawful.solvers.problem import Problem
from lawful.solvers.published.beam import beam
from lawful.testing import same_score

LABELS = list("ABCDEF")


def counts(seed: int, length: int = 25) -> tuple[Lattice, Rules]:
    rng = np.random.default_rng(seed)
    lattice = Lattice(rng.normal(size=(length, 6)), rng.normal(size=(6, 6)), labels=LABELS)
    return lattice, Rules(lawful.exactly(3, "A"), lawful.exactly_segments(2, "B"), lawful.at_most(3, "C"))


def decode(lattice: Lattice, rules: Rules, **options: object) -> lawful.Decoding:
    return Decoder(rules, labels=lattice.labels, solver="beam", **options).decode(lattice)  # type: ignore[arg-type]


def test_a_wider_beam_is_never_less_sure_and_ends_exact() -> None:
    for seed in range(5):
        lattice, rules = counts(seed)
        best = lawful.decode(lattice, rules).score
        found = [decode(lattice, rules, width=width) for width in (1, 8, 64, None)]
        assert all(one.score <= best + 1e-9 <= one.bound + 2e-9 for one in found)
        assert found[-1].status == "optimal"
        assert same_score(found[-1].score, best)
        assert found[0].states < found[-1].states


def test_the_gap_is_what_was_dropped() -> None:
    # Two A's are best without the rule. Width 1 keeps only A at first, and drops B, which promises 2.
    lattice = Lattice([[1.0, 0.0], [0.9, 0.8]], labels=["A", "B"])
    rules = Rules(lawful.pattern("A B | B B").soft(5.0))
    found = decode(lattice, rules, width=1)
    assert (found.labels, found.status) == (("A", "B"), "optimal")  # B cannot beat 1.8
    rules = Rules(lawful.pattern("B A | A B").soft(0.5), lawful.pattern("B A").soft(0.3))
    found = decode(lattice, rules, width=1)
    best = lawful.decode(lattice, rules)
    assert found.score <= best.score <= found.bound


def test_tighter_promises_close_the_gap() -> None:
    gaps = {"plain": 0.0, "relaxed": 0.0}
    for seed in range(6):
        lattice, _ = counts(seed)
        rules = Rules(*(lawful.at_most_segments(1, label) for label in LABELS[1:]))
        for completion in gaps:
            gaps[completion] += decode(lattice, rules, width=64, completion=completion).gap
    assert gaps["relaxed"] < 0.5 * gaps["plain"]


def test_per_position_pruning() -> None:
    lattice, rules = counts(3)
    best = lawful.decode(lattice, rules)
    wide = decode(lattice, rules, width=None, per_position=1000.0)
    assert (wide.status, wide.states) == ("optimal", decode(lattice, rules, width=None).states)
    narrow = decode(lattice, rules, width=None, per_position=1.0)
    assert narrow.states < wide.states
    assert narrow.bound >= best.score - 1e-9
    assert narrow.gap > 0


def test_only_the_best_labels_are_left_at_zero() -> None:
    lattice = Lattice([[1.0, 0.0], [0.0, 1.0]], labels=["A", "B"])
    found = decode(lattice, Rules(), width=None, per_position=0.0)
    assert (found.labels, found.status) == (("A", "B"), "optimal")


def test_a_beam_may_find_nothing_and_says_so() -> None:
    # Nothing but B B B ... obeys, and for as long as a beam of 1 can see, A is better.
    lattice = Lattice([[1.0, 0.0]] * 12, labels=["A", "B"])
    rules = Rules(lawful.pattern("A{12} B | B{12}"))
    found = decode(lattice, rules, width=1)
    if found.status != "optimal":
        assert (found.labels, found.score) == ((), -np.inf)
        assert found.bound > 0
        assert "dropped" in found.why


def test_infeasible_is_proved_only_if_nothing_was_dropped() -> None:
    lattice = Lattice(np.zeros((4, 3)), labels=["A", "B", "C"])
    rules = Rules(lawful.at_least(3, "A"), lawful.at_most(2, "A"))
    with pytest.raises(lawful.InfeasibleError):
        decode(lattice, rules, width=None)


@pytest.mark.parametrize("limit", [{"max_states": 500}, {"max_memory": 100_000}, {"timeout": 1e-9}], ids=str)
def test_limits_make_the_beam_narrow(limit: dict[str, float]) -> None:
    lattice, rules = counts(1, length=40)
    with pytest.raises(LimitError):
        decode(lattice, rules, width=None, **limit)
    found = decode(lattice, rules, width=None, on_limit="bounded", **limit)
    assert found.status == "bounded"
    assert next(iter(limit)) in found.why
    assert found.bound >= lawful.decode(lattice, rules).score - 1e-9


@pytest.mark.parametrize("options", [{"width": 0}, {"per_position": -1.0}, {"per_position": np.nan}], ids=str)
def test_senseless_options_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        beam(Problem(Lattice([[0.0]])), **options)


def test_graphs_are_refused() -> None:
    with pytest.raises(GraphError, match=r"solver='beam'.*'a_star'"):
        beam(Problem(GraphLattice.from_nbest([(["A"], 0.0)])))
