"""Certificates: right answers are proved, tampered ones are refused, and whoever checks is somebody else."""

from __future__ import annotations

import json
import math
import time
from dataclasses import replace

import numpy as np
import pytest

import lawful
from lawful.decoding import Decoding
from lawful.errors import InputError
from lawful.explanation.proof.bounds import bound_by_enumeration
from lawful.explanation.proof.enumeration import sequences_above
from lawful.solvers.problem import Limits
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
    assert enumerated.reason.endswith("stopped at max_sequences=0")
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


MASKED = lawful.Lattice([[-1e30, 2.0], [3.0, 3.0], [1.0, 0.0]], labels=["A", "B"])


@pytest.mark.parametrize("by", ["relaxation", "brute_force", "branch_and_bound", "enumeration"])
@pytest.mark.parametrize("mask", [-1e9, -1e15, -1e30, float(np.finfo(np.float32).min), -1e300])
def test_a_liar_is_not_saved_by_a_mask_elsewhere(by, mask) -> None:
    emissions = MASKED.emissions.copy()
    emissions[0, 0] = mask
    lattice = lawful.Lattice(emissions, labels=MASKED.labels)
    right = lawful.decode(lattice, lawful.exactly(1, "A"))
    right = tampered(right, labels=(1, 1, 0), score=6.0, bound=6.0)  # B B A
    assert lawful.verify(right, solver=by).holds
    wrong = tampered(right, labels=(1, 0, 1), score=5.0, bound=5.0)  # B A B, which scores 1 less
    certificate = lawful.verify(wrong, solver=by)
    assert certificate.finding == "refuted" and certificate.reason.endswith("scores 6")
    for claimed in (6.0 + 1e-9, 6.0 - 1e-9, 7.0):
        assert lawful.verify(tampered(right, score=claimed, bound=claimed), solver=by).finding == "refuted"


@pytest.mark.parametrize("by", ["relaxation", "enumeration"])
@pytest.mark.parametrize("unit", [1e-300, 1e-30, 1e30, 1e300])
def test_any_unit_of_scores_will_do(by, unit) -> None:
    lattice = lawful.Lattice(LATTICE.emissions * unit, labels=LATTICE.labels)
    rules = [lawful.at_most_segments(1, "A"), lawful.forbid("B").soft(0.25 * unit)]
    right = tampered(
        lawful.decode(lattice, rules, solver="auto"),
        labels=(0, 0, 0),
        score=5.0 * unit,
        bound=5.0 * unit,
        status="optimal",
    )
    assert lawful.verify(right, solver=by).holds
    wrong = tampered(right, labels=(1, 1, 0), score=3.75 * unit, bound=3.75 * unit)
    assert lawful.verify(wrong, solver=by).finding == "refuted"


def test_the_one_who_checks_is_not_trusted_either(monkeypatch) -> None:
    from lawful.solvers.choice import SOLVERS

    decoding = lawful.decode(LATTICE, RULES)
    real = SOLVERS["relaxation"]
    for score in (5.5, 4.5):
        monkeypatch.setitem(
            SOLVERS,
            "relaxation",
            lambda problem, score=score: replace(real(problem), score=score, bound=score),
        )
        certificate = lawful.verify(decoding, solver="relaxation")
        assert certificate.finding == "open"
        assert f"relaxation claims {score} for labels that score 5" in certificate.reason


def test_enumeration_adds_up_without_rounding() -> None:
    # In floating point the first two labellings of this trellis add up to 0, or to nothing like it.
    lattice = lawful.Lattice([[1e300, 1.0], [1e-300, 2e-300], [-1e300, 0.0]])
    assert set(sequences_above(lattice, 1.5e-300)) == {
        (0, 1, 0),
        *((0, b, 1) for b in (0, 1)),
        *((1, b, 1) for b in (0, 1)),
    }
    assert set(sequences_above(lattice, math.inf)) == set()
    assert len(list(sequences_above(lattice, -math.inf))) == 8
    forbidden = lawful.Lattice([[1e300, -math.inf], [0.0, 1.0]], [[-math.inf, 0.0], [0.0, 0.0]])
    assert list(sequences_above(forbidden, -math.inf)) == [(0, 1)]
    assert list(sequences_above(lawful.Lattice([[-1.0]]), -math.inf)) == [(0,)]
    assert list(sequences_above(lawful.Lattice([[1.0, 0.5]]), 0.5)) == [(0,)]


def test_enumeration_stops_in_time_and_keeps_what_it_has() -> None:
    class Clock:
        """Limits whose time is over at the third look."""

        timeout, looks = 1.5, 0

        def started(self):
            return self

        @property
        def seconds_left(self):
            self.looks += 1
            return float(self.looks < 3)

    found = bound_by_enumeration(LATTICE, lawful.Rules(), -math.inf, 100, limits=Clock())
    assert found.most == math.inf and found.stopped == "stopped at timeout=1.5"
    assert found.reached is not None and found.reached.score > -math.inf
    late = Limits(timeout=1.0, since=time.perf_counter() - 2.0)
    assert bound_by_enumeration(LATTICE, RULES, -math.inf, 100, limits=late).stopped == "stopped at timeout=1"


def test_enumeration_finds_what_is_above_a_floor_by_more_than_rounding() -> None:
    lattice = lawful.Lattice([[0.0, 1.0]])
    for rounding, most in [(0.0, 1.0), (0.25, 1.0), (0.75, 0.5)]:
        assert bound_by_enumeration(lattice, lawful.Rules(), 0.5, 100, rounding=rounding).most == most
    assert bound_by_enumeration(lattice, lawful.Rules(), 0.5, 100).most == 1.0
    nothing = bound_by_enumeration(lattice, lawful.Rules(), 2.0, 100)
    assert nothing.most == 2.0 and nothing.reached is None


def in_one_line(certificate) -> str:
    return " ".join(str(certificate).split())


def test_a_certificate_shows_its_numbers() -> None:
    decoding = lawful.decode(LATTICE, RULES)
    assert in_one_line(lawful.verify(decoding)) == (
        "proved: no label sequence scores more than this one claimed 5 by auto "
        "recomputed 5 path score and the rules' reference meaning bound 5 by relaxation"
    )
    refused = lawful.verify(tampered(decoding, score=5.5, bound=5.5))
    assert in_one_line(refused) == (
        "refuted: these labels score 5, not 5.5 claimed 5.5 by auto "
        "recomputed 5.0 path score and the rules' reference meaning"
    )
    colours = {"proved": "bold green", "refuted": "bold red", "open": "bold yellow"}
    for certificate in (lawful.verify(decoding), refused, lawful.verify(decoding, max_states=1)):
        assert certificate.lines()[0][0].style == colours[certificate.finding]
        assert certificate.lines()[1] == ()
