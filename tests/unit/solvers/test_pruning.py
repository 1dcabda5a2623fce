"""Edges that a legal path proves useless go; whatever could be best stays."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import lawful
from lawful import Decoder, GraphLattice, Lattice
from lawful.errors import GraphError, RuleTooLargeError
from lawful.lattice import path_score
from lawful.solvers.published.pruning import prune_lattice, pruned
from lawful.testing import random_label_set, random_lattice, random_rules, same_score


def all_scores(lattice: Lattice) -> dict[tuple[int, ...], float]:
    sequences = itertools.product(range(len(lattice.labels)), repeat=lattice.length)
    return {labels: path_score(lattice, labels) for labels in sequences}


@pytest.mark.parametrize("seed", range(30))
def test_what_scores_enough_keeps_its_score_and_useless_edges_go(seed: int) -> None:
    rng = np.random.default_rng([41, seed])
    labels = random_label_set(rng, size=int(rng.integers(1, 4)))
    lattice = random_lattice(rng, labels=labels, length=int(rng.integers(1, 6)), forbid=0.05)
    scores = all_scores(lattice)
    legal = [score for score in scores.values() if score > -np.inf]
    if not legal:
        return
    least = float(np.quantile(legal, 0.6)) - 1e-9
    smaller, kept = prune_lattice(lattice, least)
    left = all_scores(smaller)
    for sequence, score in scores.items():
        assert left[sequence] in (score, -np.inf)
        assert score < least or left[sequence] == score
    edges = {
        (t, *sequence[max(0, t - 1) : t + 1])
        for sequence in left
        if left[sequence] > -np.inf
        for t in range(len(sequence))
    }
    useful = {
        (t, *sequence[max(0, t - 1) : t + 1])
        for sequence in scores
        if scores[sequence] >= least
        for t in range(len(sequence))
    }
    if lattice.transitions is not None:
        assert edges <= useful
    assert 0 < kept <= 1


@pytest.mark.parametrize("solver", ["brute_force", "ilp"])
def test_the_answer_is_that_of_the_whole_lattice(solver: str) -> None:
    compared = smaller = 0
    for seed in range(60):
        rng = np.random.default_rng([42, seed])
        labels = random_label_set(rng, size=int(rng.integers(2, 6)))
        rules = random_rules(rng, labels, int(rng.integers(1, 4)), length=5)
        lattice = random_lattice(rng, labels=labels, length=int(rng.integers(5, 15)))
        try:
            decoder = Decoder(rules, labels=labels, solver=solver, prune=True)
            best = Decoder(rules, labels=labels).decode(lattice)
        except (RuleTooLargeError, lawful.InfeasibleError):
            continue
        found = decoder.decode(lattice)
        assert found.status == "optimal"
        assert same_score(found.score, best.score)
        compared += 1
        smaller += pruned(decoder._problem(lattice), solver).kept < 0.9
    assert compared > 30
    assert smaller > 10


def test_nothing_legal_is_still_found_out() -> None:
    lattice = Lattice([[1.0, 0.0], [0.0, 1.0]], labels=["A", "B"])
    rules = [lawful.exactly(1, "A"), lawful.starts_with("B"), lawful.ends_with("B")]
    for solver in ("brute_force", "ilp"):
        with pytest.raises(lawful.InfeasibleError):
            lawful.decode(lattice, rules, solver=solver, prune=True)


def test_graphs_are_refused_by_name() -> None:
    graph = GraphLattice.from_nbest([(["A"], 1.0)], labels=["A"])
    for solver in ("brute_force", "ilp"):
        with pytest.raises(GraphError, match=f"prune=True is for trellises.*{solver}"):
            lawful.decode(graph, solver=solver, prune=True)


def test_a_long_sequence_becomes_a_small_program() -> None:
    rng = np.random.default_rng(7)
    scores = rng.normal(size=(300, 20))
    scores[np.arange(300), np.repeat(rng.integers(1, 20, 30), 10)] += 4
    lattice = Lattice(scores, rng.normal(-1, 0.5, (20, 20)) + 2 * np.eye(20))
    rules = [lawful.at_most_segments(2, "1"), lawful.at_most_segments(1, "2")]
    found = lawful.decode(lattice, rules, solver="ilp", prune=True)
    assert same_score(found.score, lawful.decode(lattice, rules).score)
    assert found.states < 20_000  # variables; there are 120,000 edges
