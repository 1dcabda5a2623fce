"""Thousands of small random problems: n-best lists, sums, marginals and counts are those of the enumeration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from lawful import Decoder
from lawful.decoding import Marginals, Scored
from lawful.errors import InfeasibleError, RuleTooLargeError
from lawful.lattice import AnyLattice
from lawful.rules import Rules
from lawful.testing import enumerate_all, random_graph, random_label_set, random_lattice, random_rules

CHUNKS, PROBLEMS = 10, 300
SHAPES = ["trellis", "trellis", "trellis", "levelled", "acyclic"]
CLOSE = 1e-9

Probabilities = dict[tuple[str, ...], float]


def close(a: float, b: float) -> bool:
    return bool(abs(a - b) <= CLOSE * max(1.0, abs(b)))


def problems(chunk: int) -> Iterator[tuple[AnyLattice, Rules]]:
    for place in range(PROBLEMS):
        rng = np.random.default_rng([7, chunk, place])
        labels = random_label_set(rng, size=int(rng.integers(1, 5)))
        shape = SHAPES[place % len(SHAPES)]
        if shape == "trellis":
            longest = 5 if len(labels) < 3 else 4
            length = int(rng.integers(1, longest + 1))
            lattice = random_lattice(rng, labels=labels, length=length, forbid=float(rng.choice([0.0, 0.1])))
            yield lattice, random_rules(rng, labels, length=length)
        else:
            yield (
                random_graph(rng, labels=labels, shape=shape),
                random_rules(rng, labels, sees=shape == "levelled"),
            )


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_everything_agrees_with_enumeration(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for lattice, rules in problems(chunk):
        scores = dict(enumerate_all(lattice, rules))
        try:
            decoder = Decoder(rules, labels=lattice.labels)
            best = list(decoder.iterate_best(lattice))
        except RuleTooLargeError:
            seen["too large a rule"] += 1
            continue
        assert_ranks(best, scores)
        assert decoder.count_legal(lattice) == len(scores)
        if not scores:
            seen["infeasible"] += 1
            assert decoder.log_partition(lattice) == -np.inf
            with pytest.raises(InfeasibleError):
                decoder.marginals(lattice)
            continue
        seen["feasible"] += 1
        log_partition = np.logaddexp.reduce(list(scores.values()))
        assert close(decoder.log_partition(lattice), log_partition)
        chances = {labels: float(np.exp(score - log_partition)) for labels, score in scores.items()}
        assert_marginals(decoder.marginals(lattice), chances)
        assert_prefixes(decoder, lattice, best)
    assert seen["feasible"] > 0.5 * PROBLEMS, seen
    assert seen["too large a rule"] < 0.03 * PROBLEMS, seen


def assert_ranks(best: list[Scored], scores: Probabilities) -> None:
    """All of them, each once, with its own score, none before a better one."""
    assert len(best) == len(scores)
    assert {one.labels for one in best} == set(scores)
    for one in best:
        assert close(one.score, scores[one.labels])
    for better, worse in pairwise(best):
        assert worse.score <= better.score + CLOSE


def assert_prefixes(decoder: Decoder, lattice: AnyLattice, best: list[Scored]) -> None:
    """A list of n is the start of every longer one."""
    for n in {0, 1, 2, len(best) // 2, len(best), len(best) + 3}:
        assert decoder.nbest(lattice, n) == best[:n]


def assert_marginals(found: Marginals, chances: Probabilities) -> None:
    names = found.label_set
    length = max(map(len, chances))
    assert found.length == length
    table = np.zeros((length, len(names)))
    for labels, chance in chances.items():
        assert close(found.confidence(labels), chance)
        table[range(len(labels)), names.encode(labels)] += chance
    np.testing.assert_allclose(found.labels, table, rtol=0, atol=CLOSE)
    for start in range(length):
        for end in range(start + 1, length + 1):
            for label in names:
                run = [y for y in chances if len(y) >= end and set(y[start:end]) == {label}]
                longest = [
                    y for y in run if (not start or y[start - 1] != label) and y[end : end + 1] != (label,)
                ]
                span, segment = (sum(chances[y] for y in several) for several in (run, longest))
                assert close(found.span(start, end, label), span)
                assert close(found.segment(start, end, label), segment)


@pytest.mark.parametrize("chunk", range(3))
def test_windows_agree_with_enumeration(chunk: int) -> None:
    checked = 0
    for place, (lattice, rules) in enumerate(problems(100 + chunk)):
        scores = dict(enumerate_all(lattice, rules))
        if not scores or place % 3:
            continue
        rng = np.random.default_rng([8, chunk, place])
        found = Decoder(rules, labels=lattice.labels).marginals(lattice)
        total = sum(np.exp(list(scores.values())))
        or_end = bool(rng.random() < 0.5)
        start = int(rng.integers(found.length + 1))
        count = int(rng.integers(found.length - start + or_end + 1))
        choices = [
            [label for label in lattice.labels if rng.random() < 0.7]
            if rng.random() < 0.7
            else rng.choice(lattice.labels)
            for _ in range(count)
        ]

        def fits(labels: tuple[str, ...]) -> bool:
            there = labels[start : start + count]  # noqa: B023
            wanted = [{one} if isinstance(one, str) else set(one) for one in choices]  # noqa: B023
            least = max(count - 1, 0) if or_end else count  # noqa: B023
            return len(labels) >= start + least and all(a in b for a, b in zip(there, wanted, strict=False))  # noqa: B023

        expected = sum(np.exp(score) for labels, score in scores.items() if fits(labels)) / total
        assert close(found.window(start, choices, or_end=or_end), expected)
        checked += 1
    assert checked > 50


@pytest.mark.parametrize("seed", range(20))
def test_equal_scores_come_in_label_order(seed: int) -> None:
    rng = np.random.default_rng([9, seed])
    labels = random_label_set(rng, size=3)
    lattice = random_lattice(rng, labels=labels, length=5, ties=True)
    rules = Rules(rule for rule in random_rules(rng, labels, length=5) if rule.price == "hard")
    scores = dict(enumerate_all(lattice, rules))
    expected = sorted(scores, key=lambda names: (-scores[names], labels.encode(names)))
    assert [one.labels for one in Decoder(rules, labels=labels).iterate_best(lattice)] == expected
