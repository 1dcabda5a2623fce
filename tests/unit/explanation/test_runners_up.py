"""The next best answers, and the machine that forbids known ones."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import lawful
from lawful.explanation.runners_up import all_but, positions_apart


@pytest.mark.parametrize(
    "known", [[()], [(0, 1)], [(0, 1), (0, 1, 1), (1,)], [(2, 2, 2), (2, 2, 1), (2, 0, 1)]]
)
def test_the_machine_forbids_these_sequences_and_no_others(known) -> None:
    machine = all_but(known, 3)
    for size in range(5):
        for sequence in product(range(3), repeat=size):
            assert machine.count(sequence) == (sequence in known)


def test_what_separates_a_runner_up() -> None:
    lattice = lawful.Lattice([[2.0, 1.5], [2.0, 1.0], [0.0, 3.0]], labels=["A", "B"], tokens=["x", "y", "z"])
    why = lawful.explain(lattice, lawful.forbid("B").soft(0.25, per="violation", name="no B"), runners_up=2)
    first, second = why.runners_up
    assert first.labels == ("B", "A", "B") and first.differs == (0,) and first.behind == 0.75
    assert second.labels == ("A", "B", "B") and second.differs == (1,) and second.behind == 1.25
    assert [(one.rule, one.violations, one.cost) for one in first.broken] == [("no B", 2, 0.5)]
    assert first.score == why.decoding.score - first.behind


def test_they_are_the_n_best_answers() -> None:
    rng = np.random.default_rng(3)
    lattice = lawful.Lattice(rng.normal(size=(30, 4)), rng.normal(size=(4, 4)), labels=list("ABCD"))
    rules = [
        lawful.at_most_segments(2, "A"),
        lawful.before("B", "C"),
        lawful.forbid("D").soft(0.5, per="violation"),
    ]
    why = lawful.explain(lattice, rules, runners_up=6)
    best = lawful.nbest(lattice, rules, n=7)
    assert [why.decoding.labels, *(one.labels for one in why.runners_up)] == [one.labels for one in best]


def test_there_may_be_fewer_than_asked_for() -> None:
    lattice = lawful.Lattice([[2.0, 1.5], [2.0, float("-inf")]], labels=["A", "B"])
    assert len(lawful.explain(lattice, runners_up=9).runners_up) == 1
    assert len(lawful.explain(lattice, lawful.starts_with("A"), runners_up=9).runners_up) == 0


def test_sequences_of_different_lengths_differ_beyond_the_end_of_one() -> None:
    assert positions_apart("ABC", "AX") == (1, 2)
    assert positions_apart("", "A") == (0,) and positions_apart("AB", "AB") == ()
