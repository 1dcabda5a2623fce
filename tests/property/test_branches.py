"""Branching on rules that are paid once finds what enumeration finds, whatever else binds the sequence.

The test takes a few hundred problems; `LAWFUL_PROBLEMS=20000 pytest tests/property/test_branches.py` as many as one likes.
"""

from __future__ import annotations

import os

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
)

PROBLEMS = int(os.environ.get("LAWFUL_PROBLEMS", "400"))
WAYS = (_core.SearchWay.chosen, _core.SearchWay.branches, _core.SearchWay.rows)


def paid_once(rules: lawful.Rules, rng: np.random.Generator) -> lawful.Rules:
    """The rules, most of them paid once, at prices that tie now and then."""
    prices = rng.choice([0.5, 1.0, 2.0, float(rng.gamma(2.0))], len(rules))
    return lawful.Rules(
        *(
            rule.soft(float(price), per="sequence") if rng.random() < 0.8 else rule
            for rule, price in zip(rules, prices, strict=True)
        )
    )


def answers(decoder: lawful.Decoder, lattice: lawful.Lattice, way: _core.SearchWay) -> _core.Answers:
    """What the core finds on that way alone."""
    problem = decoder.bind(lattice.length, lattice.tokens, lattice.context).problem(lattice)
    return _core.decode(problem, _core.Limits(way=way))


def check_small_problems(problems: int, seed: int) -> int:
    """The number of answers that breaking a rule was worth its price in; every answer is compared."""
    index = compared = broken = 0
    while compared < problems:
        index += 1
        rng = np.random.default_rng([23, seed, index])
        try:
            drawn, lattices = random_problems(rng, "trellis", count=3)
            rules = paid_once(drawn, rng)
            decoder = lawful.Decoder(rules, labels=lattices[0].labels)
            for lattice in lattices:
                assert isinstance(lattice, lawful.Lattice)
                best = enumerate_best(lattice, rules, max_sequences=20_000, max_length=9)
                for way in WAYS:
                    found = answers(decoder, lattice, way)
                    assert found.status(0) == ("infeasible" if best is None else "optimal"), (
                        index,
                        way,
                        rules,
                    )
                    assert best is None or same_score(found.score(0), best.score), (index, way, rules)
                compared += 1
                broken += best is not None and any(
                    rules.violations(best.labels, lattice.tokens, lattice.context).values()
                )
        except (RuleTooLargeError, EnumerationError):
            continue
    return broken


def test_branches_agree_with_enumeration() -> None:
    assert check_small_problems(PROBLEMS, seed=0) > PROBLEMS / 4


@pytest.mark.parametrize("price", [1e-300, 0.3, 1.0, 1e15, 1e300])
def test_prices_that_other_scores_cancel(price: float) -> None:
    """What a branch has paid is added to what it must beat: rounding must not let a better path of it be passed over."""
    rng = np.random.default_rng(5)
    labels = ["A", "B", "C"]
    rules = lawful.Rules(
        lawful.starts_with("A").soft(price, per="sequence"),
        lawful.forbid("B").soft(price, per="sequence"),
        lawful.change_only_after(lawful.token.is_in(["."])).soft(1.0, per="sequence"),
        lawful.ends_with("C").soft(1.5, per="sequence"),
        lawful.at_most_segments(1, "A").soft(price, per="sequence"),
        lawful.at_least(1, "C"),
    )
    decoder = lawful.Decoder(rules, labels=labels)
    for _ in range(20):
        scores = rng.integers(-3, 4, (6, 3)).astype(float) + rng.choice([0.0, 0.0, price, -price], (6, 3))
        tokens = [str(word) for word in rng.choice(["a", "."], 6)]
        lattice = lawful.Lattice(scores, labels=labels, tokens=tokens)
        best = best_exact_score(lattice, rules)
        assert best is not None
        for way in WAYS:
            found = answers(decoder, lattice, way)
            answer = exact_score(lattice, rules, lattice.labels.decode(found.labels(0)))
            assert answer is not None
            assert best.score - answer.score <= rounding_between(best, answer), way


def test_limits_hold_while_it_branches() -> None:
    """A search that may keep one state gives up, or says what is proved."""
    labels = [f"L{k}" for k in range(6)]
    rng = np.random.default_rng(6)
    rules = lawful.Rules(
        *(lawful.at_most(1, label) for label in labels[:4]),
        *(lawful.label_at(position, "L5").soft(1.0, per="sequence") for position in range(8)),
    )
    lattice = lawful.Lattice(rng.normal(0, 2, (12, 6)), labels=labels)
    best = lawful.decode(lattice, rules)
    with pytest.raises(lawful.errors.LimitError):
        lawful.decode(lattice, rules, max_states=1)
    bounded = lawful.decode(lattice, rules, max_states=1, on_limit="bounded")
    assert bounded.score <= best.score <= bounded.bound + 1e-9
