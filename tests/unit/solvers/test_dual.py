"""Dual decomposition: agreement is a proof, iterations tighten the bound, branching ends the argument."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful import Decoder, GraphLattice, Lattice, Rules
from lawful.errors import GraphError, InputError, LimitError
from lawful.solvers.problem import Problem
from lawful.solvers.published.dual import dual
from lawful.testing import same_score

LABELS = list("ABCDEF")


def counts(seed: int, length: int = 15) -> tuple[Lattice, Rules]:
    rng = np.random.default_rng(seed)
    lattice = Lattice(rng.normal(size=(length, 6)), rng.normal(size=(6, 6)), labels=LABELS)
    return lattice, Rules(lawful.exactly(3, "A"), lawful.exactly_segments(2, "B"), lawful.at_most(3, "C"))


def decode(lattice: Lattice, rules: Rules, **options: object) -> lawful.Decoding:
    return Decoder(rules, labels=lattice.labels, solver="dual", **options).decode(lattice)  # type: ignore[arg-type]


def test_a_plain_answer_that_obeys_is_proved_at_once() -> None:
    lattice, _ = counts(0)
    found = decode(lattice, Rules(lawful.at_most(15, "A"), lawful.at_most_segments(15, "B").soft(1.0)))
    assert found.status == "optimal"
    assert found.why == "1 iterations: the bound met a legal path"


def test_agreement_is_a_proof_without_branching() -> None:
    # Independent labels and one rule: the relaxation is tight.
    rng = np.random.default_rng(1)
    lattice = Lattice(rng.normal([1.0, 0, 0, 0], size=(30, 4)), labels=list("ABCD"))
    rules = Rules(lawful.at_most(5, "A"))
    found = decode(lattice, rules, finish=False)
    assert found.status == "optimal"
    assert same_score(found.score, lawful.decode(lattice, rules).score)
    assert "branches" not in found.why


def test_more_iterations_tighten_the_bound() -> None:
    for seed in range(5):
        lattice, rules = counts(seed)
        best = lawful.decode(lattice, rules).score
        found = [decode(lattice, rules, iterations=n, finish=False) for n in (1, 20, 300)]
        bounds = [one.bound for one in found]
        assert bounds == sorted(bounds, reverse=True)
        assert all(one.score <= best + 1e-9 <= one.bound + 2e-9 for one in found)
        assert bounds[-1] - best < 0.5 * (bounds[0] - best)


def test_counts_on_a_long_sequence_are_priced_in_a_few_iterations() -> None:
    # What a count lacks, it lacks everywhere: one price for all tokens, not one after another for a thousand of them.
    for seed in range(4):
        rng = np.random.default_rng([5, seed])
        lattice = Lattice(rng.normal(size=(400, 4)), rng.normal(0, 0.5, (4, 4)), labels=list("ABCD"))
        rules = Rules(lawful.exactly(50, "A"), lawful.exactly(50, "B"))
        plain = lawful.decode(lattice).score
        found = decode(lattice, rules, iterations=40, finish=False)
        best = lawful.decode(lattice, rules).score
        assert found.bound - best < 0.005 * (plain - best)
        assert best - found.score < 0.005 * (plain - best)


def test_branching_finishes() -> None:
    branched = 0
    for seed in range(8):
        lattice, rules = counts(seed)
        found = decode(lattice, rules, iterations=5)
        assert found.status == "optimal"
        assert same_score(found.score, lawful.decode(lattice, rules).score)
        branched += "branches" in found.why
    assert branched > 0


def test_contradictions_are_proved_by_a_falling_bound() -> None:
    # Far too many labellings to branch through.
    rng = np.random.default_rng(2)
    lattice = Lattice(rng.normal(size=(60, 6)), labels=LABELS)
    with pytest.raises(lawful.InfeasibleError) as caught:
        decode(lattice, Rules(lawful.at_least(31, "A"), lawful.at_least(31, "B"), lawful.at_most(40, "C")))
    assert len(caught.value.rules) == 2


def test_a_first_step_that_rounding_hides() -> None:
    # Prices so large that nothing is seen under their rounding are set back before any step has an aim.
    labels = ["A", "B"]
    lattice = Lattice([[-21225912.6, -3.4e38], [-1e15, 33545169.1]], labels=labels)
    rules = Rules(
        lawful.requires("A", "B").soft(3.5),
        lawful.ends_with("A").soft(1.1, per="violation"),
        lawful.excludes("A", "B"),
    )
    assert decode(lattice, rules).labels == lawful.decode(lattice, rules, solver="brute_force").labels


def test_a_lattice_without_a_path() -> None:
    lattice = Lattice(np.full((2, 2), -np.inf), labels=["A", "B"])
    with pytest.raises(lawful.InfeasibleError):
        decode(lattice, Rules(lawful.at_most(1, "A")))


@pytest.mark.parametrize("limit", [{"max_states": 500}, {"max_memory": 10}, {"timeout": 1e-9}], ids=str)
def test_limits(limit: dict[str, float]) -> None:
    lattice, rules = counts(1, length=40)
    with pytest.raises(LimitError) as caught:
        decode(lattice, rules, **limit)
    assert caught.value.limit == next(iter(limit))
    found = decode(lattice, rules, on_limit="bounded", **limit)
    assert found.status == "bounded"
    assert next(iter(limit)) in found.why
    assert found.bound >= lawful.decode(lattice, rules).score - 1e-9


def test_unfinished_work_is_bounded_even_if_limits_would_raise() -> None:
    lattice, rules = counts(4, length=40)
    found = decode(lattice, rules, iterations=1, finish=False)
    assert found.status == "bounded"
    assert found.why == "1 iterations: the trellis and the rules do not agree yet"


def test_senseless_options_and_graphs_are_refused() -> None:
    with pytest.raises(InputError, match="iterations must be a whole number of 1 or more, got 0"):
        dual(Problem(Lattice([[0.0]])), iterations=0)
    with pytest.raises(GraphError, match="solver='dual'"):
        dual(Problem(GraphLattice.from_nbest([(["A"], 0.0)])))
