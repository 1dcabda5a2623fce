"""Problems too large to enumerate: solvers that share little code find the same score, and limits are honest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from lawful import Decoder, Decoding
from lawful.errors import InfeasibleError, LimitError, RuleTooLargeError
from lawful.lattice import Lattice, path_score
from lawful.rules import Rules
from lawful.testing import penalty, random_label_set, random_lattice, random_rules, same_score

CHUNKS, RULE_SETS, SEQUENCES = 10, 12, 3
LIMITS: list[dict[str, Any]] = [
    {"max_states": 1},
    {"max_states": 500},
    {"max_states": 5000},
    {"timeout": 1e-7},
    {"timeout": 1e-4},
    {"max_memory": 1},
    {"max_memory": 20_000},
    {"max_memory": 1_000_000},
]
OTHERS: list[dict[str, Any]] = [
    {"solver": "brute_force", "max_states": 300_000},
    {"solver": "relaxation", "max_states": 300_000},
    {"solver": "relaxation", "order": "most_violated", "at_once": True, "max_states": 300_000},
    {"solver": "branch_and_bound", "max_states": 300_000},
    {"solver": "branch_and_bound", "prune": "edges", "max_states": 300_000},
]


def large_problems(
    kind: int, chunk: int, *, longest: int = 120, sequences: int = SEQUENCES, depth: int = 2
) -> Iterator[tuple[Rules, list[Lattice]]]:
    for place in range(RULE_SETS):
        rng = np.random.default_rng([3, kind, chunk, place])
        labels = random_label_set(rng, size=int(rng.integers(3, 13)))
        hard = float(rng.choice([0.0, 0.2, 0.6]))
        rules = random_rules(rng, labels, int(rng.integers(3, 9)), hard=hard, length=20, depth=depth)
        lattices = [
            random_lattice(
                rng,
                labels=labels,
                length=int(rng.integers(30, longest + 1)),
                forbid=float(rng.choice([0.0, 0.02])),
                masked=False,
            )
            for _ in range(sequences)
        ]
        yield rules, lattices


def decode(decoder: Decoder, lattice: Lattice) -> Decoding | None:
    """The answer, which has the score that it claims; None if there is none."""
    try:
        found = decoder.decode(lattice)
    except InfeasibleError:
        return None
    if found.labels:
        own = path_score(lattice, found.labels) - penalty(lattice, decoder.rules, found.labels)
        assert same_score(found.score, own), (found, own, decoder.rules)
    return found


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_solvers_agree(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for rules, lattices in large_problems(0, chunk):
        labels = lattices[0].labels
        try:
            auto = Decoder(rules, labels=labels)
            others = [Decoder(rules, labels=labels, **options) for options in OTHERS]
            for lattice in lattices:
                best = decode(auto, lattice)
                assert best is None or best.status == "optimal", (best, rules)
                for other in others:
                    try:
                        found = decode(other, lattice)
                    except LimitError:
                        seen["limit"] += 1
                        continue
                    seen["infeasible" if found is None else "found"] += 1
                    assert (found is None) == (best is None), (other.solver, found, best, rules)
                    if found is not None and best is not None:
                        assert same_score(found.score, best.score), (other.solver, found, best, rules)
        except RuleTooLargeError:
            seen["too large a rule"] += 1
    assert seen["found"] > 0.4 * RULE_SETS * SEQUENCES * len(OTHERS), seen
    assert seen["limit"] < 0.1 * RULE_SETS * SEQUENCES * len(OTHERS), seen
    assert seen["too large a rule"] < 0.2 * RULE_SETS, seen


@pytest.mark.parametrize("chunk", range(2))
def test_a_batch_is_its_sequences_one_by_one(chunk: int) -> None:
    compared = 0
    # Threads take sixteen sequences at a time: fewer than that would not be shared.
    for rules, lattices in large_problems(1, chunk, longest=50, sequences=50, depth=0):
        try:
            decoder = Decoder(rules, labels=lattices[0].labels)
            alone = [decode(decoder, lattice) for lattice in lattices]
        except RuleTooLargeError:
            continue
        feasible = [found for found in alone if found is not None]
        chosen = [lattice for lattice, found in zip(lattices, alone, strict=True) if found is not None]
        for jobs in (1, 2):
            together = decoder.decode_batch(chosen, jobs=jobs)
            assert [found.labels for found in together] == [found.labels for found in feasible]
            assert [found.score for found in together] == [found.score for found in feasible]
            assert all(found.status == "optimal" for found in together)
            compared += len(chosen)
        if len(chosen) < len(lattices):
            first = alone.index(None)
            with pytest.raises(InfeasibleError) as caught:
                decoder.decode_batch(lattices, jobs=2)
            assert caught.value.sequence == first
    assert compared > 50 * RULE_SETS


@pytest.mark.parametrize("solver", ["auto", "brute_force", "relaxation", "branch_and_bound"])
@pytest.mark.parametrize("chunk", range(2))
def test_bounded_answers_are_honest(chunk: int, solver: str) -> None:
    seen: Counter[str] = Counter()
    for rules, lattices in large_problems(2, chunk, longest=40, depth=0):
        labels = lattices[0].labels
        try:
            best = [decode(Decoder(rules, labels=labels), lattice) for lattice in lattices]
        except RuleTooLargeError:
            continue
        for options in LIMITS:
            decoder = Decoder(rules, labels=labels, solver=solver, on_limit="bounded", **options)
            for lattice, true in zip(lattices, best, strict=True):
                found = decode(decoder, lattice)
                told = (options, found, found and found.bound, true, rules)
                if true is None:
                    assert found is None or (found.status == "bounded" and not found.labels), told
                    continue
                assert found is not None, told
                seen[found.status] += 1
                assert at_most(found.score, true.score), told
                assert at_most(true.score, found.bound), told
                if found.status == "optimal":
                    assert same_score(found.score, true.score), told
                    assert found.gap == 0, told
                else:
                    assert found.status == "bounded", told
                    assert found.gap >= 0, told
    assert min(seen["bounded"], seen["optimal"]) > 20, seen


@pytest.mark.parametrize("solver", ["auto", "brute_force", "relaxation", "branch_and_bound"])
def test_at_a_limit_there_is_an_error_or_the_right_answer(solver: str) -> None:
    seen: Counter[str] = Counter()
    for rules, lattices in large_problems(3, 0, longest=40, depth=0):
        labels = lattices[0].labels
        try:
            best = [decode(Decoder(rules, labels=labels), lattice) for lattice in lattices]
        except RuleTooLargeError:
            continue
        for options in LIMITS:
            decoder = Decoder(rules, labels=labels, solver=solver, **options)
            for lattice, true in zip(lattices, best, strict=True):
                try:
                    found = decode(decoder, lattice)
                except LimitError as error:
                    seen["limit"] += 1
                    assert {error.limit: error.value} == options
                    continue
                seen["found"] += 1
                assert (found is None) == (true is None), (options, found, true, rules)
                if found is not None and true is not None:
                    assert same_score(found.score, true.score), (options, found, true, rules)
    assert min(seen["limit"], seen["found"]) > 20, seen


def at_most(lower: float, upper: float) -> bool:
    return lower <= upper or same_score(lower, upper)
