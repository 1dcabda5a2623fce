"""The engine's searches, over rows, over single states, with dominance and without, and by branching, find equally good answers."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful import _core
from lawful.errors import EnumerationError, RuleTooLargeError
from lawful.testing import (
    best_exact_score,
    enumerate_best,
    exact_score,
    random_problems,
    rounding_between,
    same_score,
    wide_problem,
)

WAYS = (
    _core.SearchWay.rows,
    _core.SearchWay.states,
    _core.SearchWay.states_without_dominance,
    _core.SearchWay.branches,
)


def _answers(decoder: lawful.Decoder, lattice: lawful.Lattice, way: _core.SearchWay) -> _core.Answers:
    problem = decoder.bind(lattice.length, lattice.tokens, lattice.context).problem(lattice)
    return _core.decode(problem, _core.Limits(way=way))


@pytest.mark.parametrize("seed", range(2))
def test_all_ways_agree_with_enumeration(seed: int) -> None:
    compared = 0
    for index in range(30):
        rng = np.random.default_rng([17, seed, index])
        try:
            rules, lattices = random_problems(rng, "trellis", count=3, largest=250)
            decoder = lawful.Decoder(rules, labels=lattices[0].labels)
            for lattice in lattices:
                assert isinstance(lattice, lawful.Lattice)
                best = enumerate_best(lattice, rules, max_sequences=20_000, max_length=9)
                for way in WAYS:
                    answers = _answers(decoder, lattice, way)
                    assert answers.status(0) == ("infeasible" if best is None else "optimal"), (way, rules)
                    assert best is None or same_score(answers.score(0), best.score), (way, rules)
                    compared += 1
        except (RuleTooLargeError, EnumerationError):
            continue
    assert compared > 150


@pytest.mark.parametrize("way", WAYS)
def test_all_ways_are_right_at_any_magnitude(way: _core.SearchWay) -> None:
    rng = np.random.default_rng(WAYS.index(way))
    for _ in range(80):
        lattice, rules = wide_problem(rng)
        best = best_exact_score(lattice, rules)
        answers = _answers(lawful.Decoder(rules, labels=lattice.labels), lattice, way)
        assert answers.status(0) == ("infeasible" if best is None else "optimal")
        if best is not None:
            answer = exact_score(lattice, rules, lattice.labels.decode(answers.labels(0)))
            assert answer is not None
            assert best.score - answer.score <= rounding_between(best, answer)


@pytest.mark.parametrize("price", [1e-300, 0.3, 1.0, 1e15, 1e300])
def test_prices_that_other_scores_cancel(price: float) -> None:
    """A node ahead by exactly what it may still have to pay more: rounding must not let it win by less than that."""
    rng = np.random.default_rng(4)
    rules = lawful.Rules(
        *(lawful.at_most_segments(1, label).soft(price, per="sequence") for label in "ABC"),
        lawful.at_most(1, "A").soft(price, per="violation"),
        lawful.before("B", "C").soft(1.5, per="sequence"),
    )
    decoder = lawful.Decoder(rules, labels=list("ABC"))
    for _ in range(5):
        scores = rng.integers(-3, 4, (6, 3)).astype(float) + rng.choice([0.0, 0.0, price, -price], (6, 3))
        lattice = lawful.Lattice(scores, labels=list("ABC"))
        best = best_exact_score(lattice, rules)
        assert best is not None
        for way in WAYS:
            answers = _answers(decoder, lattice, way)
            answer = exact_score(lattice, rules, lattice.labels.decode(answers.labels(0)))
            assert answer is not None
            assert best.score - answer.score <= rounding_between(best, answer), way


def test_ties_fall_the_same_way_alone_and_in_a_batch() -> None:
    """Whole numbers make ties; fifteen rules send the problem to the search over single states."""
    rng = np.random.default_rng(9)
    labels = [f"L{k}" for k in range(8)]
    rules = lawful.Rules(
        *(lawful.at_most_segments(1, label).soft(1.0, per="sequence") for label in labels),
        *(lawful.at_most(2, label).soft(1.0, per="sequence") for label in labels[:7]),
    )
    lattices = [lawful.Lattice(rng.integers(0, 3, (12, 8)).astype(float), labels=labels) for _ in range(12)]
    decoder = lawful.Decoder(rules, labels=labels)
    alone = [decoder.decode(lattice).labels for lattice in lattices]
    assert [answer.labels for answer in decoder.decode_batch(lattices, jobs=2)] == alone
    assert [answer.labels for answer in decoder.decode_batch(lattices[::-1], jobs=1)] == alone[::-1]
    for lattice, found in zip(lattices, alone, strict=True):
        by_rows = _answers(decoder, lattice, _core.SearchWay.rows).score(0)
        by_states = _answers(decoder, lattice, _core.SearchWay.states)
        assert lattice.labels.decode(by_states.labels(0)) == found
        assert by_states.score(0) == pytest.approx(by_rows)
