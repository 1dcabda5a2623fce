"""`max_loss`: the rules are obeyed only where that is cheap enough."""

from __future__ import annotations

import math

import numpy as np
import pytest

import lawful
from lawful import Decoder, GraphLattice, Lattice, decode
from lawful.errors import LossError

LATTICE = Lattice([[0.0, 1.0], [0.0, 2.0]], labels=["A", "B"])
NO_B = lawful.forbid("B")  # costs 3


@pytest.mark.parametrize("solver", ["auto", "viterbi", "relaxation", "brute_force", "branch_and_bound"])
@pytest.mark.parametrize("max_loss", [3.0, 3.5, math.inf])
def test_what_is_cheap_enough_is_obeyed(solver: str, max_loss: float) -> None:
    found = decode(LATTICE, NO_B, max_loss=max_loss, solver=solver)
    assert (found.labels, found.loss, found.fell_back) == (("A", "A"), 3.0, False)


@pytest.mark.parametrize("solver", ["auto", "viterbi", "relaxation", "brute_force", "branch_and_bound"])
@pytest.mark.parametrize("max_loss", [0.0, 2.999])
def test_what_is_too_dear_gives_the_plain_answer(solver: str, max_loss: float) -> None:
    found = decode(LATTICE, NO_B, max_loss=max_loss, solver=solver)
    assert (found.labels, found.score, found.fell_back) == (("B", "B"), 3.0, True)
    assert (found.loss, found.changed, found.broken) == (0.0, (), ("forbid('B')",))
    assert "more than max_loss" in found.why


def test_what_is_too_dear_raises_on_request() -> None:
    with pytest.raises(LossError) as caught:
        decode(LATTICE, NO_B, max_loss=1.0, on_exceed="raise")
    assert (caught.value.loss, caught.value.max_loss) == (3.0, 1.0)


def test_a_contradiction_is_too_dear() -> None:
    rules = [NO_B, lawful.forbid("A")]
    assert decode(LATTICE, rules, max_loss=1e9).fell_back
    with pytest.raises(LossError) as caught:
        decode(LATTICE, rules, max_loss=1e9, on_exceed="raise")
    assert caught.value.loss == math.inf


def test_a_lattice_without_a_path_is_not_a_loss() -> None:
    lattice = Lattice([[-np.inf, -np.inf]], labels=["A", "B"])
    with pytest.raises(lawful.InfeasibleError):
        decode(lattice, NO_B, max_loss=1.0)


def test_a_batch_settles_every_sequence() -> None:
    cheap = Lattice([[0.0, 0.5]], labels=["A", "B"])
    results = Decoder(NO_B, labels=["A", "B"], max_loss=1.0).decode_batch([LATTICE, cheap, LATTICE])
    assert [one.fell_back for one in results] == [True, False, True]
    assert results.scores.tolist() == [3.0, 0.0, 3.0]


def test_a_batch_says_which_sequence_loses_too_much() -> None:
    cheap = Lattice([[0.0, 0.5]], labels=["A", "B"])
    with pytest.raises(LossError, match="sequence 3: obeying the rules costs 3, ") as caught:
        Decoder(NO_B, labels=["A", "B"], max_loss=1.0, on_exceed="raise").decode_batch(
            [cheap, cheap, LATTICE]
        )
    assert (caught.value.sequence, caught.value.loss) == (2, 3.0)


def test_the_loss_of_soft_rules_counts_what_they_charge() -> None:
    soft = NO_B.soft(1.0, per="violation")
    assert decode(LATTICE, soft).loss == 2.0  # B, B stays best, and pays twice
    assert decode(LATTICE, soft, max_loss=1.0).fell_back


# --- without rules there is nothing to lose --------------------------------------------------------------------

GRAPH = GraphLattice.from_nbest([(["A", "B"], 1.0), (["B"], 0.0)], labels=["A", "B"])
DEAD = Lattice([[0.0, 0.0], [-np.inf, -np.inf]], labels=["A", "B"])


@pytest.mark.parametrize("lattice", [LATTICE, GRAPH])
@pytest.mark.parametrize("max_loss", [0.0, 1.0, math.inf])
@pytest.mark.parametrize("on_exceed", ["plain", "raise"])
def test_no_rules_lose_nothing(lattice: lawful.lattice.AnyLattice, max_loss: float, on_exceed: str) -> None:
    decoder = Decoder(labels=["A", "B"], max_loss=max_loss, on_exceed=on_exceed)
    for answer in (decoder.decode(lattice), *decoder.decode_batch([lattice, lattice])):
        assert (answer.status, answer.loss, answer.changed, answer.fell_back) == ("optimal", 0.0, (), False)
        assert answer.plain is answer


@pytest.mark.parametrize("solver", ["auto", "viterbi", "relaxation", "brute_force", "a_star", "beam", "ilp"])
def test_no_rules_lose_nothing_whatever_the_solver(solver: str) -> None:
    answer = decode(LATTICE, solver=solver, max_loss=0.0, on_exceed="raise")
    assert (answer.labels, answer.loss) == (("B", "B"), 0.0)


@pytest.mark.parametrize("rules", [[], [NO_B], [NO_B.soft(1.0)]])
@pytest.mark.parametrize("on_exceed", ["plain", "raise"])
@pytest.mark.parametrize("on_infeasible", ["raise", "least_bad"])
def test_a_lattice_without_a_path_is_named_as_such(
    rules: list[lawful.Rule], on_exceed: str, on_infeasible: str
) -> None:
    decoder = Decoder(
        rules, labels=["A", "B"], max_loss=0.0, on_exceed=on_exceed, on_infeasible=on_infeasible
    )
    with pytest.raises(lawful.InfeasibleError, match="no rule is involved") as caught:
        decoder.decode(DEAD)
    assert (caught.value.rules, caught.value.position) == ((), 1)
    with pytest.raises(lawful.InfeasibleError, match="sequence 2: "):
        decoder.decode_batch([Lattice([[1.0, 0.0]], labels=["A", "B"]), DEAD])


def test_rules_that_ask_nothing_of_a_sequence_lose_nothing() -> None:
    rules = [lawful.when(lawful.token.is_in(["never"])).then("A"), lawful.uniform(lawful.context("spans"))]
    lattice = Lattice(LATTICE.emissions, labels=["A", "B"], tokens=["x", "y"], context={"spans": []})
    decoder = Decoder(rules, labels=["A", "B"], max_loss=0.0, on_exceed="raise")
    for answer in (decoder.decode(lattice), *decoder.decode_batch([lattice])):
        assert (answer.labels, answer.loss, answer.fell_back) == (("B", "B"), 0.0, False)
