"""Graph lattices under every solver."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful import Decoder, GraphLattice, LabelSet, Lattice, decode
from lawful.errors import GraphError, RuleError, UnboundedError
from lawful.testing import assert_decodes_exactly, random_graph, random_rules

SOLVERS = ["auto", "relaxation", "brute_force", "branch_and_bound"]
AB = LabelSet(list("AB"))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("shape", ["levelled", "acyclic", "cyclic"])
def test_every_solver_finds_the_best_of_a_graph(solver: str, shape: str) -> None:
    for seed in range(25):
        rng = np.random.default_rng([41, seed])
        graph = random_graph(rng, labels=AB, shape=shape, size=4)
        rules = random_rules(rng, AB, 3, depth=1, hard=0.5, length=4, sees=shape == "levelled")
        try:
            assert_decodes_exactly(graph, rules, solver=solver)
        except lawful.errors.EnumerationError:  # a cycle that a rule makes worth many rounds
            assert shape == "cyclic"


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_trellis_and_its_graph_have_the_same_answer(solver: str) -> None:
    rng = np.random.default_rng(4)
    rules = [lawful.at_most_segments(1, "A"), lawful.exactly(2, "B").soft(0.5), lawful.label_at(-1, "A")]
    for _ in range(10):
        lattice = Lattice(rng.normal(size=(6, 2)), rng.normal(size=(2, 2)), labels=AB)
        graph = GraphLattice.from_lattice(lattice)
        ours, theirs = decode(lattice, rules, solver=solver), decode(graph, rules, solver=solver)
        assert (ours.labels, ours.score) == (theirs.labels, pytest.approx(theirs.score, abs=1e-12))


def test_viterbi_takes_a_graph_without_rules_only() -> None:
    graph = GraphLattice.from_nbest([(["A", "B"], 1.0), (["B"], 0.5)], labels=AB)
    assert decode(graph, solver="viterbi").labels == ("A", "B")
    with pytest.raises(RuleError, match="'no A'"):
        decode(graph, lawful.forbid("A").named("no A"), solver="viterbi")


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_cycle_that_gains_is_refused(solver: str) -> None:
    graph = GraphLattice.from_arcs([(0, 0, "A", 1.0), (0, 1, "B", 0.0)], labels=AB, finals=[1])
    with pytest.raises(UnboundedError):
        decode(graph, lawful.forbid("B").soft(1.0), solver=solver)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_rule_may_stop_a_cycle_that_gains(solver: str) -> None:
    graph = GraphLattice.from_arcs([(0, 0, "A", 1.0), (0, 1, "B", 0.0)], labels=AB, finals=[1])
    found = decode(graph, lawful.at_most(3, "A"), solver=solver)
    assert (found.labels, found.score) == (("A", "A", "A", "B"), 3.0)


@pytest.mark.parametrize("solver", SOLVERS)
def test_rules_that_look_at_positions_need_paths_of_one_length(solver: str) -> None:
    graph = GraphLattice.from_nbest([(["A", "B"], 1.0), (["B"], 0.5)], labels=AB)
    with pytest.raises(GraphError, match="'first'"):
        decode(graph, lawful.label_at(0, "A").named("first"), solver=solver)


def test_an_epsilon_path_reads_nothing() -> None:
    graph = GraphLattice.from_arcs([(0, 1, None, 1.0), (0, 1, "A", 0.0)], labels=AB, finals=[1])
    found = decode(graph)
    assert (found.labels, found.score, found.status) == ((), 1.0, "optimal")
    assert decode(graph, lawful.at_least(1, "A")).labels == ("A",)


def test_a_graph_decoder_may_be_used_again() -> None:
    decoder = Decoder(lawful.at_most(1, "A"), labels=AB)
    graph = GraphLattice.from_nbest([(["A", "A"], 1.0), (["B"], 0.5)], labels=AB)
    assert decoder.decode(graph).solution == decoder.decode(graph).solution
