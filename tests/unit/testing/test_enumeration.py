from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from lawful.errors import EnumerationError
from lawful.labels import LabelSet
from lawful.lattice import GraphLattice, Lattice, path_score
from lawful.rules import Rules, at_least, at_most, forbid, starts_with
from lawful.testing import (
    Best,
    enumerate_all,
    enumerate_best,
    penalty,
    random_graph,
    random_lattice,
    random_rules,
)

LABELS = LabelSet(["A", "B", "C"])


@pytest.mark.parametrize("seed", range(30))
def test_all_sequences_of_a_trellis_by_their_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    lattice = random_lattice(rng, labels=LABELS, length=int(rng.integers(1, 5)))
    rules = random_rules(rng, LABELS)
    expected = {
        names: score
        for names in product(LABELS, repeat=lattice.length)
        if (score := path_score(lattice, names) - penalty(lattice, rules, names)) > -np.inf
    }
    found = list(enumerate_all(lattice, rules))
    assert [names for names, _ in found] == list(expected)
    assert np.allclose([score for _, score in found], list(expected.values()), rtol=1e-12)
    best = enumerate_best(lattice, rules)
    assert (best is None) == (not expected)
    if best is not None:
        assert best.score == pytest.approx(max(expected.values()), rel=1e-12)
        assert expected[best.labels] == pytest.approx(best.score, rel=1e-12)


@pytest.mark.parametrize("shape", ["levelled", "acyclic", "cyclic"])
@pytest.mark.parametrize("seed", range(10))
def test_all_sequences_of_a_graph_by_their_definition(seed: int, shape: str) -> None:
    graph = random_graph(np.random.default_rng(seed), labels=LABELS, shape=shape, size=4)
    found = dict(enumerate_all(graph, max_length=5))
    for length in range(6):
        for names in product(LABELS, repeat=length):
            score = path_score(graph, names)
            assert found.get(names, -np.inf) == pytest.approx(score, rel=1e-12), names


def test_prices_are_paid_once_or_for_each_violation() -> None:
    lattice = Lattice([[1.0, 0.0, 0.0]] * 3, labels=LABELS)
    labels = ("A", "A", "B")
    assert penalty(lattice, [forbid("A").soft(2)], labels) == 2
    assert penalty(lattice, [forbid("A").soft(2, per="violation")], labels) == 4
    assert penalty(lattice, [forbid("A").soft(2), forbid("B").soft(1)], labels) == 3
    assert penalty(lattice, [forbid("A")], labels) == np.inf
    assert penalty(lattice, [forbid("C")], labels) == 0


def test_nothing_is_legal() -> None:
    lattice = Lattice([[1.0, 0.0, 0.0]], labels=LABELS)
    assert enumerate_best(lattice, Rules(starts_with("A"), forbid("A"))) is None
    assert list(enumerate_all(lattice, Rules(starts_with("A"), forbid("A")))) == []


def test_too_many_sequences() -> None:
    lattice = Lattice(np.zeros((10, 3)), labels=LABELS)
    with pytest.raises(EnumerationError, match="max_sequences=1000") as caught:
        enumerate_best(lattice, max_sequences=1000)
    assert (caught.value.limit, caught.value.value) == ("max_sequences", 1000)


def test_a_cycle_is_followed_until_nothing_longer_can_win() -> None:
    loop = GraphLattice.from_arcs([(0, 0, "A", -1.0), (0, 1, "B", 5.0)], labels=LABELS, finals=[1])
    assert enumerate_best(loop, [at_least(3, "A")]) == Best(("A", "A", "A", "B"), 2.0)
    assert enumerate_best(loop, [at_most(0, "A")]) == Best(("B",), 5.0)
    with pytest.raises(EnumerationError, match="max_length=2"):
        enumerate_best(loop, [at_least(3, "A")], max_length=2)


def test_the_empty_sequence_of_a_graph() -> None:
    graph = GraphLattice.from_arcs([(0, 1, None, 2.0), (0, 1, "A", 1.0)], labels=LABELS, finals=[1])
    assert enumerate_best(graph) == Best((), 2.0)
    assert enumerate_best(graph, [at_least(1, "A")]) == Best(("A",), 1.0)
