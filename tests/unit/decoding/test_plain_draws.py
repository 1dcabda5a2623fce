"""What is drawn from a trellis without a graph is what its graph would give."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful.decoding.answers.plain_draws import draws_without_graph
from lawful.decoding.functions import label_probabilities


def random_lattice(rng: np.random.Generator, *, steps: bool = True, ends: bool = True) -> lawful.Lattice:
    length, labels = int(rng.integers(1, 9)), int(rng.integers(2, 6))
    emissions = rng.normal(size=(length, labels), scale=3.0)
    emissions[rng.random(emissions.shape) < 0.1] = -np.inf
    emissions[:, 0] = 0.0  # some labelling is left
    return lawful.Lattice(
        emissions,
        rng.normal(size=(labels, labels)) if steps else None,
        labels=[f"L{k}" for k in range(labels)],
        start=rng.normal(size=labels) if ends else None,
        end=rng.normal(size=labels) if ends else None,
    )


@pytest.mark.parametrize(("steps", "ends"), [(True, True), (False, True), (True, False), (False, False)])
def test_draws_and_probabilities_are_those_of_the_graph(steps: bool, ends: bool) -> None:
    rng = np.random.default_rng(11)
    for _ in range(60):
        lattice = random_lattice(rng, steps=steps, ends=ends)
        draws, marginals = draws_without_graph(lattice), lawful.marginals(lattice)
        assert draws is not None
        ours, theirs = (each.sample_array(20, seed=5) for each in (draws, marginals))
        assert np.array_equal(ours, theirs)
        for labels in ours[:3]:
            names = lattice.labels.decode(labels.tolist())
            assert draws.confidence(names) == pytest.approx(marginals.confidence(names), rel=1e-9)
        assert label_probabilities(lattice) == pytest.approx(marginals.labels, abs=1e-12)


def test_what_needs_a_graph_gets_one() -> None:
    far = lawful.Lattice([[0.0, -1000.0]] * 2, [[0.0, -900.0], [0.0, 0.0]], labels=["A", "B"])
    each = lawful.Lattice(np.zeros((3, 2)), np.zeros((2, 2, 2)), labels=["A", "B"])
    graph = lawful.lattice.GraphLattice.from_nbest(
        [(["A", "B"], -1.0), (["A", "A"], -2.0)], labels=["A", "B"]
    )
    for lattice in (far, each, graph):
        assert draws_without_graph(lattice) is None
        assert label_probabilities(lattice) == pytest.approx(lawful.marginals(lattice).labels)


def test_a_forbidden_labelling_has_no_probability() -> None:
    draws = draws_without_graph(lawful.Lattice([[0.0, -np.inf]], labels=["A", "B"]))
    assert draws is not None
    assert (draws.confidence(["A"]), draws.confidence(["B"])) == (1.0, 0.0)
    assert draws.sample_array(0).shape == (0, 1)
