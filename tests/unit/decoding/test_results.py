"""What a decoding knows: scores, proofs, rounds, violations, and the way back to the plain answer."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import lawful
from lawful import GraphLattice, LabelSet, Lattice, decode
from lawful.lattice import path_score
from lawful.testing import penalty, random_lattice, random_rules, same_score

LATTICE = Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.0]], labels=["A", "B"])
SOLVERS = ["auto", "relaxation", "brute_force", "branch_and_bound"]


def test_a_plain_answer_that_obeys_ends_after_one_round() -> None:
    found = decode(LATTICE, lawful.at_most(2, "A"))
    assert found.labels == ("A", "B", "A")
    assert [one.rules for one in found.rounds] == [()]
    assert (found.rounds[0].score, found.rounds[0].states, found.rounds[0].arcs) == (6.0, 6, 12)
    assert found.states == 6
    assert "one plain pass" in found.why


def test_local_rules_are_folded_and_need_no_round() -> None:
    found = decode(LATTICE, [lawful.forbid("B"), lawful.label_at(0, "A"), lawful.starts_with("A")])
    assert (found.labels, len(found.rounds)) == (("A", "A", "A"), 1)


def test_only_broken_rules_enter() -> None:
    rules = [lawful.at_most(5, "B"), lawful.at_most_segments(1, "A"), lawful.at_least(1, "A")]
    for solver in ("auto", "relaxation"):
        found = decode(LATTICE, rules, solver=solver)
        assert [one.rules for one in found.rounds] == [(), (1,)]
        assert [one.score for one in found.rounds] == [6.0, 5.0]


def test_rounds_never_raise_the_score() -> None:
    for seed in range(80):
        rng = np.random.default_rng([31, seed])
        labels = LabelSet(list("ABCD"))
        rules = random_rules(rng, labels, 4, depth=0, hard=0.2, length=10)
        lattice = random_lattice(rng, labels=labels, length=10, forbid=0.0)
        try:
            found = decode(lattice, rules)
        except lawful.InfeasibleError:
            continue
        scores = [one.score for one in found.rounds]
        assert all(after <= before + 1e-9 for before, after in pairwise(scores))
        entered = [rule for one in found.rounds for rule in one.rules]
        assert len(entered) == len(set(entered))
        assert found.states >= found.rounds[0].states == 40
        assert scores[-1] >= found.score - 1e-9


@pytest.mark.parametrize("solver", SOLVERS)
def test_everything_fits_together(solver: str) -> None:
    for seed in range(30):
        rng = np.random.default_rng([32, seed])
        labels = LabelSet(list("ABC"))
        rules = random_rules(rng, labels, 3, depth=1, hard=0.2, length=5)
        lattice = random_lattice(rng, labels=labels, length=5)
        try:
            found = decode(lattice, rules, solver=solver)
        except lawful.InfeasibleError:
            continue
        own = path_score(lattice, found.labels) - penalty(lattice, rules, found.labels)
        assert same_score(found.score, own)
        assert (found.status, found.bound, found.gap) == ("optimal", found.score, 0.0)
        assert dict(found.violations) == {
            rule.name: rule.violations(found.labels, lattice.tokens, lattice.context) for rule in rules
        }
        assert found.plain.rules == lawful.Rules()
        assert found.loss == max(0.0, found.plain.score - found.score)
        assert found.changed == tuple(t for t in range(5) if found.labels[t] != found.plain_labels[t])
        assert found.solver == solver
        assert found.why
        assert found.seconds > 0


def test_violations_are_counted_by_the_rules_themselves() -> None:
    rules = [lawful.at_most(1, "A").soft(0.1, per="violation", name="single A"), lawful.forbid("B").soft(0.1)]
    found = decode(LATTICE, rules)
    assert dict(found.violations) == {"single A": 1, "forbid('B')": 1}
    assert found.broken == ("single A", "forbid('B')")
    assert found.score == pytest.approx(6.0 - 0.2)


def test_a_decoding_prints_its_labels() -> None:
    assert repr(decode(LATTICE)) == "Decoding(['A', 'B', 'A'], score=6, status='optimal')"


def test_changes_of_paths_of_different_lengths() -> None:
    graph = GraphLattice.from_nbest([(["A", "A", "B"], 3.0), (["A", "B"], 2.0)], labels=["A", "B"])
    found = decode(graph, lawful.at_most(1, "A"))
    assert (found.labels, found.plain_labels, found.changed) == (("A", "B"), ("A", "A", "B"), (1, 2))


def test_a_bounded_answer_without_labels_is_empty() -> None:
    rng = np.random.default_rng(0)
    lattice = Lattice(rng.normal(size=(12, 3)), labels=list("ABC"))
    rules = [lawful.exactly(4, label) for label in "ABC"]
    found = decode(lattice, rules, solver="brute_force", max_states=5, on_limit="bounded")
    assert (found.labels, found.score, found.status) == ((), -np.inf, "bounded")
    assert found.gap == np.inf
