"""Samples follow the constrained distribution exactly."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import lawful
from lawful import Decoder, Lattice, Rules
from lawful.errors import InputError, RuleTooLargeError
from lawful.testing import enumerate_all, random_graph, random_label_set, random_lattice, random_rules

SAMPLES = 4000


def distribution(lattice, rules) -> dict[tuple[str, ...], float]:
    scores = dict(enumerate_all(lattice, rules))
    total = np.logaddexp.reduce(list(scores.values()))
    return {labels: float(np.exp(score - total)) for labels, score in scores.items()}


def surprise(drawn: list[tuple[str, ...]], chances: dict[tuple[str, ...], float]) -> float:
    """The chi-square statistic as a standard normal deviate (Wilson & Hilferty 1931); rare outcomes share a cell."""
    counts = Counter(drawn)
    assert set(counts) <= set(chances), "a sample that is not legal"
    cells: list[list[float]] = [[0.0, 0.0]]
    for labels, chance in chances.items():
        expected = chance * len(drawn)
        if expected < 8:
            cells[0][0] += counts[labels]
            cells[0][1] += expected
        else:
            cells.append([counts[labels], expected])
    if cells[0][1] < 8:
        rest = cells.pop(0)
        cells[0] = [cells[0][0] + rest[0], cells[0][1] + rest[1]]
    free = len(cells) - 1
    if free == 0:
        return 0.0
    statistic = sum((seen - expected) ** 2 / expected for seen, expected in cells)
    return float(((statistic / free) ** (1 / 3) - (1 - 2 / (9 * free))) / np.sqrt(2 / (9 * free)))


def problem(seed: int):
    rng = np.random.default_rng([10, seed])
    labels = random_label_set(rng, size=int(rng.integers(2, 4)))
    if seed % 4 == 3:
        return random_graph(rng, labels=labels), random_rules(rng, labels)
    length = int(rng.integers(2, 5))
    return random_lattice(rng, labels=labels, length=length), random_rules(rng, labels, length=length)


def test_samples_have_the_right_frequencies() -> None:
    deviates = []
    for seed in range(120):
        lattice, rules = problem(seed)
        chances = distribution(lattice, rules)
        if len(chances) < 2:
            continue
        try:
            drawn = Decoder(rules, labels=lattice.labels).sample(lattice, SAMPLES, seed=seed)
        except RuleTooLargeError:
            continue
        deviates.append(surprise(drawn, chances))
    assert len(deviates) > 40
    assert max(deviates) < 4  # once in 30,000 for each of them
    assert abs(float(np.mean(deviates))) < 0.5  # and all together are neither too far off nor too good


def test_the_test_would_notice() -> None:
    lattice = Lattice([[1.0, 0.0], [0.0, 0.5], [0.5, 0.0]], [[0.0, 0.5], [-0.5, 0.0]], labels=["A", "B"])
    rules = Rules(lawful.at_most(2, "A").soft(0.4))
    fair, free = distribution(lattice, rules), distribution(lattice, Rules())
    drawn = lawful.decoding.sample(lattice, rules, SAMPLES, seed=0)
    assert abs(surprise(drawn, fair)) < 3
    assert surprise(drawn, free) > 4


def test_a_seed_gives_the_same_samples() -> None:
    lattice = Lattice(np.zeros((10, 3)), labels=list("ABC"))
    first = lawful.decoding.sample(lattice, n=20, seed=5)
    assert first == lawful.decoding.sample(lattice, n=20, seed=5)
    assert first == lawful.decoding.sample(lattice, n=20, seed=np.random.default_rng(5))
    assert first != lawful.decoding.sample(lattice, n=20, seed=6)
    assert first[:7] == lawful.decoding.sample(lattice, n=7, seed=5)


def test_a_generator_goes_on() -> None:
    lattice = Lattice(np.zeros((10, 3)), labels=list("ABC"))
    rng = np.random.default_rng(5)
    assert lawful.decoding.sample(lattice, n=4, seed=rng) + lawful.decoding.sample(
        lattice, n=3, seed=rng
    ) == lawful.decoding.sample(lattice, n=7, seed=5)


def test_how_many_are_drawn_at_once_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    lattice = Lattice(np.zeros((10, 3)), labels=list("ABC"))
    first = lawful.decoding.sample(lattice, n=20, seed=5)
    monkeypatch.setattr("lawful.decoding.answers.sampling.NUMBERS_AT_ONCE", 30)
    assert first == lawful.decoding.sample(lattice, n=20, seed=5)


def test_none_and_fewer_than_none() -> None:
    lattice = Lattice([[0.0, 0.0]], labels=["A", "B"])
    assert lawful.decoding.sample(lattice, n=0) == []
    with pytest.raises(InputError, match="-1"):
        lawful.decoding.sample(lattice, n=-1)


def test_every_sample_of_a_large_lattice_is_legal() -> None:
    rng = np.random.default_rng(11)
    names = list("ABCDEF")
    rules = Rules(*(lawful.at_most_segments(1, name) for name in "ABC"), lawful.exactly(2, "D"))
    lattice = Lattice(rng.normal(size=(50, 6)) * 3, rng.normal(size=(6, 6)), labels=names)
    for labels in lawful.decoding.sample(lattice, rules, 200, seed=1):
        assert not any(rules.violations(labels, None, {}).values())
