"""Explanations of random problems, held against decoding every subset of the rules and against enumeration."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

import lawful
from lawful.errors import EnumerationError, InfeasibleError, RuleError
from lawful.explanation import Explanation
from lawful.lattice import AnyLattice, Lattice
from lawful.rules import Rules
from lawful.testing import (
    enumerate_all,
    enumerate_best,
    random_graph,
    random_label_set,
    random_lattice,
    random_rules,
    same_score,
)
from lawful.testing.strategies import problems

CHUNKS, PROBLEMS = 6, 30
RUNNERS_UP = 5

Case = tuple[AnyLattice, Rules]


def cases(chunk: int) -> Iterator[Case]:
    """Small problems that have an answer; without ties, except between the paths of a graph."""
    for place in range(PROBLEMS):
        rng = np.random.default_rng([7, chunk, place])
        labels = random_label_set(rng, size=int(rng.integers(2, 4)))
        if place % 5 == 4:
            shape = ("levelled", "acyclic")[place % 2]
            lattice: AnyLattice = random_graph(rng, labels=labels, shape=shape, size=3, ties=False)
        else:
            shape = "levelled"
            lattice = random_lattice(
                rng, labels=labels, length=int(rng.integers(3, 7)), forbid=0.02, ties=False
            )
        length = lattice.length or 1
        rules = random_rules(
            rng, labels, int(rng.integers(2, 7)), hard=0.15, length=length, sees=shape == "levelled"
        )
        yield lattice, rules


def explained(lattice: AnyLattice, rules: Rules) -> Explanation | None:
    try:
        return lawful.explain(lattice, rules, runners_up=RUNNERS_UP)
    except InfeasibleError:
        return None


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_explanations_hold(chunk: int) -> None:
    changes = 0
    for lattice, rules in cases(chunk):
        why = explained(lattice, rules)
        if why is not None:
            changes += len(why.changes)
            check_everything(why)
    assert changes > PROBLEMS / 4


GLOBAL_RULES = [
    *(lawful.at_most_segments(1, label) for label in "ABC"),
    *(lawful.at_least(2, label) for label in "AB"),
    *(lawful.at_most(2, label) for label in "BC"),
    *(lawful.before(*pair) for pair in ("AB", "BC", "CA")),
    lawful.requires("A", "C"),
    lawful.starts_with("A", "B"),
    lawful.excludes("B", "C").soft(1.0),
]


@pytest.mark.parametrize("chunk", range(2))
def test_changes_that_take_several_rules(chunk: int) -> None:
    sizes = []
    for place in range(PROBLEMS):
        rng = np.random.default_rng([8, chunk, place])
        lattice = lawful.Lattice(rng.normal(size=(5, 3)), rng.normal(size=(3, 3)), labels=["A", "B", "C"])
        chosen = rng.choice(len(GLOBAL_RULES), size=5, replace=False)
        why = explained(lattice, Rules(GLOBAL_RULES[rule] for rule in chosen))
        if why is not None:
            sizes += [len(change.because[0]) for change in why.changes]
            check_everything(why)
    assert sum(size > 1 for size in sizes) > 10 and max(sizes) > 2


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(problems(max_length=4, max_rules=3))
def test_explanations_hold_with_ties_and_forbidden_labels(problem: Case) -> None:
    lattice, rules = problem
    try:
        why = explained(lattice, rules)
    except RuleError:
        assume(False)
    assume(why is not None)
    check_changes(why)
    check_prices(why)
    check_runners_up(why)
    # A change without a reason is a tie: a best answer keeps the label.
    for change in why.changes:
        if not change.because:
            best = why.decoding.score
            plain = why.decoding.plain_labels
            assert all(
                any(
                    labels[t] == plain[t] and same_score(score, best)
                    for labels, score in enumerate_all(lattice, rules)
                )
                for t in change.positions
            )


@pytest.mark.parametrize("chunk", range(4))
def test_with_ties_a_reason_is_one_that_forces(chunk: int) -> None:
    reasons = ties = 0
    for place in range(60):
        rng = np.random.default_rng([9, chunk, place])
        scores = rng.integers(0, 3, size=(int(rng.integers(2, 5)), 3)).astype(float)
        lattice: AnyLattice = lawful.Lattice(scores, labels=["A", "B", "C"])
        if place % 3 == 2:
            lattice = random_graph(rng, labels=lattice.labels, shape="acyclic", size=3, ties=True)
        chosen = rng.choice(len(GLOBAL_RULES), size=int(rng.integers(2, 5)), replace=False)
        rules = Rules(GLOBAL_RULES[rule] for rule in chosen)
        for max_sets in (500, 1):
            try:
                why = lawful.explain(lattice, rules, runners_up=0, max_sets=max_sets)
            except InfeasibleError:
                continue
            check_forcing(why)
            reasons += sum(bool(change.because) for change in why.changes)
            ties += sum(not change.because for change in why.changes)
    assert reasons > 20 and ties > 3


def check_forcing(why: Explanation) -> None:
    """Reasons are the smallest sets of rules under which every labelling that keeps the label scores less.

    There are none if under all rules together a labelling that keeps it is as good as the answer.
    """
    lattice, rules, plain = why.decoding.lattice, why.decoding.rules, why.decoding.plain_labels

    def forces(held: tuple[str, ...], t: int) -> bool:
        every = list(enumerate_all(lattice, [rules[name] for name in held]))
        best = max(score for _, score in every)
        return not any(
            labels[t : t + 1] == plain[t : t + 1] and same_score(score, best) for labels, score in every
        )

    for change in why.changes:
        for t in change.positions:
            enough: set[tuple[str, ...]] = set()
            for size in range(len(rules) + 1) if forces(rules.names, t) else ():
                enough = {held for held in combinations(rules.names, size) if forces(held, t)}
                if enough:
                    break
            if change.smallest:
                assert set(change.because) == enough
            else:
                (held,) = change.because
                assert forces(held, t)
                assert not any(forces(tuple(name for name in held if name != left), t) for left in held)


def check_everything(why: Explanation) -> None:
    check_changes(why)
    check_prices(why)
    check_reasons(why)
    check_runners_up(why)
    assert lawful.verify(why.decoding).holds
    if isinstance(why.decoding.lattice, Lattice):
        assert lawful.verify(why.decoding, solver="enumeration").holds


def check_changes(why: Explanation) -> None:
    """Changes are those of the decoding, each once, from left to right."""
    positions = [t for change in why.changes for t in change.positions]
    assert tuple(positions) == why.decoding.changed
    for change in why.changes:
        assert change.before == why.decoding.plain_labels[change.start : change.end]
        assert change.after == why.decoding.labels[change.start : change.end]


def check_prices(why: Explanation) -> None:
    """A price is the score without the rule less the score with it, and never negative."""
    decoding = why.decoding
    assert [one.rule for one in why.prices] == list(decoding.rules.names)
    for one in why.prices:
        assert one.price >= 0 and one.active == (one.price > 0)
        without = enumerate_best(decoding.lattice, decoding.rules.without(one.rule))
        assert without is not None and same_score(without.score - one.price, decoding.score)


def check_reasons(why: Explanation) -> None:
    """Every change has reasons; they are all the smallest sets of rules that force it, and no others."""
    decoding = why.decoding
    lattice, rules = decoding.lattice, decoding.rules
    plain = decoding.plain_labels
    answers: dict[tuple[str, ...], tuple[str, ...]] = {(): plain}

    def answer(held: tuple[str, ...]) -> tuple[str, ...]:
        if held not in answers:
            best = enumerate_best(lattice, [rules[name] for name in held])
            assert best is not None
            answers[held] = best.labels
        return answers[held]

    for change in why.changes:
        assert change.smallest
        for t in change.positions:
            for size in range(len(rules) + 1):
                subsets = combinations(rules.names, size)
                enough = {held for held in subsets if answer(held)[t : t + 1] != plain[t : t + 1]}
                if enough:
                    break
            assert set(change.because) == enough


def check_runners_up(why: Explanation) -> None:
    """Runners-up are the second to the sixth best of enumeration."""
    decoding = why.decoding
    try:
        every = sorted((score for _, score in enumerate_all(decoding.lattice, decoding.rules)), reverse=True)
    except EnumerationError:
        return
    expected = every[1 : RUNNERS_UP + 1]
    assert len(why.runners_up) == len(expected)
    seen = {decoding.labels}
    for one, score in zip(why.runners_up, expected, strict=True):
        assert same_score(one.score, score) and same_score(one.behind, decoding.score - score)
        assert one.labels not in seen and one.differs
        assert lawful.why_not(decoding.lattice, decoding.rules, one.labels).verdict in ("tie", "worse")
        seen.add(one.labels)
