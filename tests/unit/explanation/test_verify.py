"""Certificates: right answers are proved, tampered ones are refused, and whoever checks is somebody else."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import lawful
from lawful.decoding import Decoding
from lawful.errors import InputError
from lawful.explanation.proof.enumeration import sequences_above
from lawful.testing import enumerate_all, random_lattice

LATTICE = lawful.Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.5]], labels=["A", "B"])
RULES = lawful.Rules(
    lawful.at_most_segments(1, "A").named("one A"), lawful.forbid("B").soft(0.25, name="no B")
)


def tampered(decoding: Decoding, **changes) -> Decoding:
    """The same decoding with another solution."""
    solution = replace(decoding.solution, **changes)
    return Decoding(
        decoding.lattice,
        decoding.bound_rules,
        lambda: solution,
        lambda: decoding.plain,
        solver=decoding.solver,
        seconds=0.0,
    )


@pytest.mark.parametrize("kind", ["trellis", "graph"])
@pytest.mark.parametrize("solver", ["auto", "branch_and_bound", "brute_force", "relaxation"])
def test_every_solvers_answer_is_proved_by_another(kind, solver) -> None:
    lattice = LATTICE if kind == "trellis" else lawful.GraphLattice.from_lattice(LATTICE)
    certificate = lawful.verify(lawful.decode(lattice, RULES, solver=solver))
    assert certificate.holds and certificate and certificate.finding == "proved"
    assert certificate.score == certificate.claimed == certificate.bound == 5.0
    assert certificate.solver == solver and certificate.checked_by not in ("", solver)


@pytest.mark.parametrize("by", [None, "relaxation", "brute_force", "branch_and_bound", "ilp", "enumeration"])
@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"labels": (1, 1, 1)}, "these labels score 1.25, not 5"),
        ({"score": 5.5, "bound": 5.5}, "these labels score 5, not 5.5"),
        ({"score": math.nan}, "these labels score 5, not nan"),
        ({"labels": (0, 1, 0), "score": 5.75, "bound": 5.75}, "these labels break the hard rule 'one A'"),
        ({"labels": (1, 1, 1), "score": 1.25, "bound": 1.25}, "another label sequence obeys all hard rules"),
        ({"labels": (0, 0)}, "these labels do not fit the lattice: labels must have shape"),
    ],
)
def test_wrong_answers_are_refused(by, changes, reason) -> None:
    certificate = lawful.verify(tampered(lawful.decode(LATTICE, RULES), **changes), solver=by)
    assert not certificate.holds and not certificate and certificate.finding == "refuted"
    assert certificate.reason.startswith(reason)


def test_a_solver_that_finds_too_little_is_found_out() -> None:
    # A rule whose machine is stricter than its meaning: all solvers share the machine, enumeration does not.
    class Stricter(type(lawful.at_most(1, "A"))):
        def count(self, labels, example):
            return 0

    rule = Stricter(1, ("A",))
    decoding = lawful.Decoder(rule, labels=LATTICE.labels).decode(LATTICE)
    assert lawful.verify(decoding).holds
    certificate = lawful.verify(decoding, solver="enumeration")
    assert certificate.finding == "refuted" and certificate.bound == 6.0


def test_nobody_vouches_for_himself() -> None:
    for solver, by in [("auto", "auto"), ("auto", "viterbi"), ("brute_force", "brute_force")]:
        with pytest.raises(InputError, match="cannot vouch for its own answer"):
            lawful.verify(lawful.decode(LATTICE, RULES, solver=solver), solver=by)
    graph = lawful.GraphLattice.from_lattice(LATTICE)
    with pytest.raises(InputError, match="cannot vouch"):
        lawful.verify(lawful.decode(graph, RULES), solver="relaxation")
    with pytest.raises(InputError, match="unknown solver 'magic'"):
        lawful.verify(lawful.decode(LATTICE, RULES), solver="magic")
    with pytest.raises(InputError, match="needs a trellis"):
        lawful.verify(lawful.decode(graph, RULES), solver="enumeration")


def test_a_limit_leaves_it_open() -> None:
    decoding = lawful.decode(LATTICE, RULES)
    certificate = lawful.verify(decoding, max_states=1)
    assert certificate.finding == "open" and not certificate.holds
    assert "max_states=1" in certificate.reason
    enumerated = lawful.verify(decoding, solver="enumeration", max_sequences=0)
    assert enumerated.finding == "open" and enumerated.bound == math.inf
    # What is found before the limit may be enough to refuse.
    wrong = tampered(decoding, labels=(1, 1, 1), score=1.25, bound=1.25)
    assert lawful.verify(wrong, solver="enumeration", max_sequences=3).finding == "refuted"


def test_a_bounded_answer_must_keep_to_its_bound() -> None:
    decoding = lawful.decode(LATTICE, RULES)
    honest = tampered(decoding, labels=(1, 1, 1), score=1.25, bound=5.5, status="bounded")
    certificate = lawful.verify(honest)
    assert certificate.holds and certificate.reason == "no label sequence scores more than the bound 5.5"
    assert lawful.verify(honest, solver="enumeration").holds
    assert lawful.verify(tampered(honest, bound=4.0)).finding == "refuted"
    nothing = tampered(decoding, labels=None, score=-math.inf, bound=5.5, status="bounded")
    assert lawful.verify(nothing).holds


def test_a_least_bad_answer_means_that_nothing_is_legal() -> None:
    clash = [lawful.forbid("A"), lawful.at_least(1, "A")]
    decoding = lawful.decode(LATTICE, clash, on_infeasible="least_bad")
    for solver in (None, "enumeration"):
        certificate = lawful.verify(decoding, solver=solver)
        assert certificate.holds and certificate.reason.startswith("no label sequence obeys all hard rules")
    legal = lawful.decode(LATTICE, RULES)
    for solver in (None, "enumeration"):
        wrong = lawful.verify(tampered(legal, status="infeasible", bound=-math.inf), solver=solver)
        assert wrong.finding == "refuted"


def test_an_answer_that_fell_back_is_the_best_without_rules() -> None:
    decoding = lawful.decode(LATTICE, RULES, max_loss=0.5)
    assert decoding.fell_back
    certificate = lawful.verify(decoding)
    assert certificate.holds and "without rules" in certificate.reason


def test_large_terms_that_cancel_are_forgiven() -> None:
    emissions = np.array([[1e9, 0.1], [-1e9, 0.3]])
    lattice = lawful.Lattice(emissions, [[0.1, -1e9], [0.0, 0.0]], labels=["A", "B"])
    assert lawful.verify(lawful.decode(lattice, lawful.at_most(1, "B"))).holds


def test_the_dictionary_is_json() -> None:
    decoding = lawful.decode(LATTICE, RULES)
    told = json.loads(json.dumps(lawful.verify(decoding).to_dict(), allow_nan=False))
    assert told["holds"] is True and told["bound"] == 5.0
    refused = lawful.verify(tampered(decoding, labels=(0, 0))).to_dict()
    assert json.loads(json.dumps(refused, allow_nan=False))["score"] is None


@pytest.mark.parametrize("seed", range(30))
def test_sequences_above_a_score_are_those_of_enumeration(seed: int) -> None:
    lattice = random_lattice(np.random.default_rng(seed), length=1 + seed % 4)
    every = {lattice.labels.encode(labels): score for labels, score in enumerate_all(lattice)}
    floor = float(np.median(list(every.values()))) + 1e-6 if every else 0.0
    found = list(sequences_above(lattice, floor))
    assert len(found) == len(set(found))
    assert set(found) == {labels for labels, score in every.items() if score > floor}
