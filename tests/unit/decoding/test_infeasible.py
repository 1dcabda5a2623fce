"""Contradictions: which rules, where; or the answer that breaks the fewest."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import lawful
from lawful import Decoder, GraphLattice, LabelSet, Lattice, decode
from lawful.errors import InfeasibleError
from lawful.lattice import AnyLattice
from lawful.testing import (
    enumerate_all,
    enumerate_best,
    penalty,
    random_graph,
    random_lattice,
    random_rules,
    same_score,
)

LATTICE = Lattice(np.zeros((4, 3)), labels=list("ABC"))


def contradiction(lattice: AnyLattice, *rules: lawful.Rule, **options: object) -> InfeasibleError:
    with pytest.raises(InfeasibleError) as caught:
        decode(lattice, rules, **options)
    return caught.value


# --- the error ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["auto", "relaxation", "brute_force", "branch_and_bound"])
def test_the_smallest_contradiction_is_named(solver: str) -> None:
    found = contradiction(
        LATTICE,
        lawful.at_least(2, "A").named("two A"),
        lawful.at_least(2, "B").named("two B"),
        lawful.at_least(1, "C").named("a C"),
        lawful.starts_with("A").named("A first"),
        lawful.at_most(1, "A").named("one A"),
        solver=solver,
    )
    assert (found.rules, found.position) == (("two A", "one A"), None)


def test_three_rules_that_agree_two_by_two() -> None:
    rules = [lawful.at_least(2, label).named(f"two {label}") for label in "ABC"]
    found = contradiction(LATTICE, lawful.forbid("A").soft(1.0), *rules, lawful.at_most(4, "A"))
    assert (found.rules, found.position) == (("two A", "two B", "two C"), None)


@pytest.mark.parametrize("place", range(4))
def test_the_place_of_a_collision_is_the_first_token_that_cannot_be_labelled(place: int) -> None:
    found = contradiction(
        LATTICE,
        lawful.forbid("A").named("no A"),
        lawful.label_at(place, "A").named("A"),
        lawful.at_most(3, "B"),
    )
    assert (found.rules, found.position) == (("no A", "A"), place)


def test_what_is_missing_at_the_end_has_no_place() -> None:
    found = contradiction(LATTICE, lawful.requires("A", "B"), lawful.forbid("B"), lawful.starts_with("A"))
    assert found.position is None
    assert "by the end of the sequence" in str(found)


def test_one_rule_may_contradict_the_lattice() -> None:
    lattice = Lattice([[0.0, -np.inf], [0.0, 0.0]], labels=["A", "B"])
    found = contradiction(lattice, lawful.at_most(5, "A"), lawful.starts_with("B").named("B first"))
    assert (found.rules, found.position) == (("B first",), 0)
    assert "obeys rule 'B first' at token 0" in str(found)


@pytest.mark.parametrize("on_infeasible", ["raise", "least_bad"])
def test_a_lattice_may_have_no_path_of_its_own(on_infeasible: str) -> None:
    lattice = Lattice([[0.0, 0.0], [-np.inf, -np.inf]], labels=["A", "B"])
    found = contradiction(lattice, lawful.forbid("A"), on_infeasible=on_infeasible)
    assert found.rules == ()
    assert "its -inf scores forbid every label sequence" in str(found)


def test_a_graph_may_have_no_path_under_rules() -> None:
    graph = GraphLattice.from_nbest([(["A", "B"], 1.0), (["B"], 0.0)], labels=["A", "B"])
    assert contradiction(graph, lawful.at_most(0, "B").named("no B")).rules == ("no B",)


def test_soft_rules_never_contradict() -> None:
    rules = [lawful.forbid("A").soft(5.0), lawful.forbid("B").soft(1.0), lawful.forbid("C").soft(9.0)]
    assert decode(LATTICE, rules).status == "optimal"


def feasible(lattice: Lattice, rules: tuple[lawful.Rule, ...]) -> bool:
    return enumerate_best(lattice, rules) is not None


def test_the_named_rules_contradict_each_other_and_no_fewer_do() -> None:
    sizes = []
    for seed in range(150):
        rng = np.random.default_rng([23, seed])
        labels = LabelSet(list("ABC")[: rng.integers(2, 4)])
        rules = random_rules(rng, labels, 5, depth=1, hard=0.9, length=4)
        lattice = random_lattice(rng, labels=labels, length=4, forbid=0.05)
        try:
            decode(lattice, rules)
        except InfeasibleError as error:
            hard = [rule for rule in rules if rule.price == "hard"]
            named = tuple(rule for rule in hard if rule.name in error.rules)
            assert len(named) == len(error.rules)
            assert not feasible(lattice, named)
            if error.rules:
                assert all(feasible(lattice, some) for some in combinations(hard, len(named) - 1))
            sizes.append(len(named))
    assert min(sizes.count(size) for size in (1, 2)) > 10
    assert max(sizes) >= 3


# --- the least bad answer ------------------------------------------------------------------------------------


def hard_violations(lattice: AnyLattice, rules: lawful.Rules, labels: tuple[str, ...]) -> int:
    return sum(
        rule.violations(labels, lattice.tokens, lattice.context) for rule in rules if rule.price == "hard"
    )


def least_bad(lattice: AnyLattice, rules: lawful.Rules) -> tuple[int, float]:
    """By the definition: the fewest violations of hard rules, and the best score among those."""
    soft = lawful.Rules(rule for rule in rules if rule.price != "hard")
    found = [
        (hard_violations(lattice, rules, labels), -(score - penalty(lattice, soft, labels)))
        for labels, score in enumerate_all(lattice)
    ]
    fewest, loss = min(found)
    return fewest, -loss


def check_least_bad(lattice: AnyLattice, rules: lawful.Rules) -> bool:
    """Whether the rules contradicted each other; the answer is checked if they did."""
    try:
        decode(lattice, rules)
    except InfeasibleError as error:
        if not error.rules:
            return False
    else:
        return False
    found = decode(lattice, rules, on_infeasible="least_bad")
    fewest, score = least_bad(lattice, rules)
    assert found.status == "infeasible"
    assert hard_violations(lattice, rules, found.labels) == fewest, (rules, found)
    assert same_score(found.score, score), (rules, found, score)
    assert set(found.broken) == {name for name, count in found.violations.items() if count}
    assert "no answer obeys all hard rules" in found.why
    return True


def test_the_least_bad_answer_of_a_trellis() -> None:
    checked = 0
    for seed in range(150):
        rng = np.random.default_rng([21, seed])
        labels = LabelSet(list("ABC")[: rng.integers(2, 4)])
        rules = random_rules(rng, labels, 4, depth=1, hard=0.8, length=4)
        checked += check_least_bad(random_lattice(rng, labels=labels, length=4), rules)
    assert checked > 40


def test_the_least_bad_answer_of_a_graph() -> None:
    checked = 0
    for seed in range(100):
        rng = np.random.default_rng([22, seed])
        labels = LabelSet(list("AB"))
        levelled = seed % 2 == 0
        graph = random_graph(rng, labels=labels, shape="levelled" if levelled else "acyclic", size=4)
        checked += check_least_bad(
            graph, random_rules(rng, labels, 4, depth=0, hard=0.8, length=4, sees=levelled)
        )
    assert checked > 20


def test_a_feasible_sequence_is_not_touched_by_the_option() -> None:
    decoder = Decoder(lawful.at_most(1, "A"), labels=list("ABC"), on_infeasible="least_bad")
    assert decoder.decode(LATTICE).status == "optimal"


def test_a_batch_mixes_feasible_and_infeasible() -> None:
    lattices = [LATTICE, Lattice([[5.0, 0.0, -np.inf]], labels=list("ABC")), LATTICE]
    results = Decoder(lawful.forbid("A", "B"), labels=list("ABC"), on_infeasible="least_bad").decode_batch(
        lattices
    )
    assert [one.status for one in results] == ["optimal", "infeasible", "optimal"]
    assert (results[1].labels, results[1].score, results[1].broken) == (("A",), 5.0, ("forbid('A', 'B')",))
    assert results.scores.tolist() == [0.0, 5.0, 0.0]
