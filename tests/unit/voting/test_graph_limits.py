"""Votes that are lattices: limits hold while the graph is made, and what cannot be is said in words of the vote."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest

import lawful
from lawful.errors import InputError, ProductTooLargeError
from lawful.lattice import Lattice
from lawful.testing import clause_lattices, random_clauses
from lawful.voting import explain_vote, vote_on


@pytest.mark.parametrize("method", ["log-linear", "repaired"])
def test_limits_hold_while_taggers_are_merged(method: Any) -> None:
    """128 clauses: tuples of their states soon are as many as label sequences, which once nothing stopped."""
    lattices = clause_lattices(random_clauses(np.random.default_rng(5), 30, 128), 30)
    started = time.process_time()
    with pytest.raises(ProductTooLargeError, match="the graph of the vote reached") as error:
        vote_on(lattices, method=method, timeout=0.5)
    assert error.value.limit == "timeout" and time.process_time() - started < 3.0
    for limit, value in (("max_states", 2_000), ("max_memory", 3_000_000)):
        with pytest.raises(ProductTooLargeError, match="let fewer taggers vote") as error:
            vote_on(lattices, method=method, **{limit: value})  # type: ignore[arg-type]
        assert error.value.limit == limit and error.value.value == value


def test_what_making_the_lattice_took_is_gone_for_the_search() -> None:
    decoder = lawful.Decoder(lawful.at_most(1, "A"), labels=["A", "B"], timeout=60.0, on_limit="bounded")
    limits = decoder.options.limits.started(time.perf_counter() - 59.0)
    lattice = Lattice([[1.0, 0.0]] * 3, labels=["A", "B"])
    rest = decoder.within(limits)
    assert rest.decode(lattice).labels == decoder.decode(lattice).labels
    left = rest._limits.seconds_left
    assert left is not None and left < 1.0 and decoder._limits.seconds_left == 60.0


def test_taggers_with_nothing_in_common_are_told_so() -> None:
    first = lawful.from_nbest([(["A", "B"], 0.5), (["B", "B"], 0.5)], scores="probability")
    second = lawful.from_nbest([(["A", "A"], 1.0)], scores="probability")
    with pytest.raises(lawful.InfeasibleError, match=r"no label sequence in common.*method='linear'"):
        vote_on([first, second])
    assert vote_on([first, second], method="linear").labels == ("A", "A")


def test_a_linear_vote_does_not_advise_what_it_refuses() -> None:
    lattice = Lattice([[0.0, 1.0]] * 3, labels=["A", "B"])
    with pytest.raises(lawful.InfeasibleError, match="in a vote that is not linear, pass on_infeasible"):
        vote_on([lattice], method="linear", rules=lawful.at_least(4, "A"))


def test_names_are_as_many_as_taggers() -> None:
    lattice = Lattice([[0.0, 1.0]], labels=["A", "B"])
    with pytest.raises(InputError, match="there are 2 weights but 1 names"):
        vote_on([lattice, lattice], names=["one"])


@pytest.mark.parametrize("method", ["local", "repaired"])
def test_a_winner_costs_nothing_in_votes_that_are_counted(method: Any) -> None:
    """What settles draws was once left in the prices: 3.3e-7 for the winner itself."""
    lattices = [Lattice([scores] * 3, labels=["A", "B"]) for scores in ([0.0, 1.0], [0.0, 1.0], [1.0, 0.0])]
    prices = [opinion.price for opinion in vote_on(lattices, method=method).opinions]
    assert prices == [0.0, 0.0, 1.0]
    told = explain_vote(vote_on(lattices, method=method)).to_dict()
    assert [tagger["price"] for tagger in told["taggers"]] == prices
    assert not math.isinf(told["score"])
