"""Where rules leave no path, by a pass over the trellis and by intersecting graphs."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

import lawful
from lawful import Decoder, GraphLattice, Lattice
from lawful.decoding.contradictions.dead_end import find_dead_end
from lawful.errors import LimitError
from lawful.lattice import AnyLattice
from lawful.solvers.problem import Problem
from lawful.solvers.published.graph_search import GraphSearch
from lawful.support.limits import Limits
from lawful.testing import enumerate_best, random_lattice, random_rules

LABELS = lawful.LabelSet(list("ABC"))


def test_both_ways_agree() -> None:
    seen = set()
    for seed in range(200):
        rng = np.random.default_rng([41, seed])
        rules = random_rules(rng, LABELS, 4, depth=1, hard=0.9, length=4)
        lattice = random_lattice(rng, labels=LABELS, length=4, forbid=0.25)
        problem = Decoder(rules, labels=LABELS)._problem(lattice)
        position = find_dead_end(problem)
        assert position == GraphSearch(problem).dead_at(problem.rules.in_force), (rules, lattice)
        if position is not None:
            assert enumerate_best(lattice, [rule for rule in rules if rule.price == "hard"]) is None
        seen.add(position)
    assert seen == {None, 0, 1, 2, 3}


@pytest.mark.parametrize("position", range(4))
def test_what_a_lattice_forbids(position: int) -> None:
    mask = np.ones((4, 3), dtype=np.bool_)
    mask[position] = False
    assert find_dead_end(Problem(Lattice(np.zeros((4, 3)), mask=mask))) == position
    steps = np.zeros((3, 3, 3))
    steps[max(0, position - 1)] = -np.inf
    assert find_dead_end(Problem(Lattice(np.zeros((4, 3)), steps))) == max(1, position)


def test_the_first_and_the_last_label() -> None:
    never = [-np.inf] * 3
    assert find_dead_end(Problem(Lattice(np.zeros((2, 3)), start=never))) == 0
    assert find_dead_end(Problem(Lattice(np.zeros((2, 3)), end=never))) is None


def test_a_graph() -> None:
    graph = GraphLattice.from_nbest([(["A", "B", "C"], 1.0), (["A", "C", "C"], 0.0)], labels=LABELS)
    decoder = Decoder([lawful.label_at(1, "B", "C"), lawful.label_at(2, "A")], labels=LABELS)
    assert find_dead_end(decoder._problem(graph)) == 2


OVER = Limits(timeout=1.0, since=time.perf_counter() - 2)


@pytest.mark.parametrize(
    ("lattice", "limits"),
    [
        (Lattice(np.zeros((50, 3)), labels=LABELS), Limits(max_states=20)),
        (Lattice(np.zeros((50, 3)), labels=LABELS), OVER),
        (GraphLattice.from_nbest([("ABC", 0.0)], labels=LABELS), OVER),
    ],
)
def test_limits_hold(lattice: AnyLattice, limits: Limits) -> None:
    decoder = Decoder([lawful.at_least(3, "A"), lawful.at_most(2, "A")], labels=LABELS)
    with pytest.raises(LimitError):
        find_dead_end(replace(decoder._problem(lattice), limits=limits))
