"""What `auto` chooses, that it says so, and that the choice changes no answer."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful import Decoder, GraphLattice, Lattice
from lawful.automata import Dfa
from lawful.errors import LimitError
from lawful.solvers import choice
from lawful.solvers.engine import CROWDED, crowded, engine
from lawful.testing import same_score

LABELS = list("ABCD")


def big_machine(states: int, classes: list[str] | None = LABELS) -> lawful.Rule:
    rng = np.random.default_rng(states)
    delta = rng.integers(0, states, (states, 4), dtype=np.int32)
    machine = Dfa(delta, rng.random(states) < 0.05)
    return lawful.automaton(machine, classes=classes).named(f"machine of {states}")


def lattices(length: int, count: int = 5) -> list[Lattice]:
    rng = np.random.default_rng(length)
    return [
        Lattice(rng.normal(size=(length, 4)), rng.normal(size=(4, 4)), labels=LABELS) for _ in range(count)
    ]


@pytest.fixture(scope="module")
def crowd() -> Decoder:
    return Decoder([big_machine(1500), lawful.at_most(3, "A")], labels=LABELS)


def test_an_automaton_with_more_states_than_tokens_is_searched_best_first(crowd: Decoder) -> None:
    best_first = 0
    for lattice in lattices(15, 10):
        found, best = crowd.decode(lattice), engine(crowd._problem(lattice))
        best_first += "states for 15 tokens: best first" in found.why
        assert found.status == "optimal"
        assert same_score(found.score, best.score)
        assert found.solver == "auto"
    assert best_first > 5


def test_so_it_is_in_a_batch(crowd: Decoder) -> None:
    several = lattices(15)
    together, prepared = crowd.decode_batch(several), crowd.decode_batch(crowd.prepare(several))
    for alone, one, two in zip(map(crowd.decode, several), together, prepared, strict=True):
        assert alone.labels == one.labels == two.labels
        assert alone.why == one.why == two.why


def test_with_tokens_enough_it_is_the_engine() -> None:
    parts = Decoder(big_machine(120), labels=LABELS).bind(10).parts
    assert not crowded(parts, 10)  # one such machine is no crowd yet
    assert crowded(parts * 2, 10) == [parts[0].states] * 2
    assert not crowded(parts * 2, 50)


def test_a_machine_that_reads_places_in_the_label_set_is_judged_too() -> None:
    for solver in ("a_star", "brute_force"):
        for lattice in lattices(6, 3):
            found = lawful.decode(lattice, [big_machine(30, None).soft(0.5)], solver=solver)
            assert same_score(found.score, lawful.decode(lattice, [big_machine(30, None).soft(0.5)]).score)


def test_the_engine_takes_over_where_best_first_is_not_done(
    crowd: Decoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "MOST", 10)
    taken_over = 0
    for lattice in lattices(15, 40):
        found, best = crowd.decode(lattice), engine(crowd._problem(lattice))
        assert found.status == "optimal"
        assert same_score(found.score, best.score)
        if "best first was not done" in found.why:
            assert "the engine; " in found.why
            assert found.states > best.states
            taken_over += 1
    assert taken_over > 2


def test_limits_hold_for_both_together() -> None:
    decoders = [
        Decoder([big_machine(1500), big_machine(1499)], labels=LABELS, max_states=100, on_limit=on_limit)
        for on_limit in ("raise", "bounded")
    ]
    limited = 0
    for lattice in lattices(15, 10):
        best = lawful.decode(lattice, decoders[0].rules, solver="a_star").score
        found = decoders[1].decode(lattice)
        assert found.score <= best + 1e-9
        assert found.bound >= best - 1e-9
        if found.status == "bounded":
            limited += 1
            with pytest.raises(LimitError, match="max_states"):
                decoders[0].decode(lattice)
        else:
            assert same_score(decoders[0].decode(lattice).score, best)
    assert limited > 3


def test_counts_and_local_rules_are_not_a_crowd() -> None:
    scheme = [f"{mark}-{kind}" for kind in range(80) for mark in "BI"]
    rules = [lawful.at_most(2000, "O"), lawful.valid_tags("BIO")]
    parts = Decoder(rules, labels=["O", *scheme]).bind(1000).parts
    assert any(part.states >= CROWDED for part in parts)
    assert crowded(parts, 1000) == []


def test_a_graph_says_of_which_kind_it_is() -> None:
    arcs = [(0, 1, "A", 1.0), (1, 2, "B", 0.5)]
    acyclic = GraphLattice.from_arcs(arcs, labels=LABELS, finals=[2])
    cyclic = GraphLattice.from_arcs([*arcs, (2, 0, "C", -5.0)], labels=LABELS, finals=[2])
    assert lawful.decode(acyclic, []).why.startswith("an acyclic graph: relaxation")
    assert lawful.decode(cyclic, []).why.startswith("a cyclic graph: relaxation")
