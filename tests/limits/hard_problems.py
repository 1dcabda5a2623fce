"""Small to write, hard to solve: problems whose exact answer takes far longer, or far more memory, than a test has."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import lawful
from lawful.automata import Dfa

Problem = tuple[lawful.Lattice, list[lawful.Rule]]


def crossing_pairs() -> Problem:
    """Thirty pairs of tokens that agree, all open at once in the middle of the sequence."""
    random, pairs = np.random.default_rng(0), 30
    groups = [(t, t + pairs) for t in range(pairs)]
    return lattice(random, 2 * pairs, 4), [lawful.same_label([group]) for group in groups]


def two_counts() -> Problem:
    random = np.random.default_rng(1)
    return lattice(random, 1000, 4), [lawful.exactly(125, "L0"), lawful.exactly(125, "L1")]


def permutation(count: int = 18) -> Problem:
    """Each label once: the travelling salesman."""
    random = np.random.default_rng(2)
    return lattice(random, count, count, 3.0), [lawful.exactly(1, f"L{k}") for k in range(count)]


def soft_segments() -> Problem:
    random, count = np.random.default_rng(3), 16
    rules = [lawful.at_most_segments(1, f"L{k}").soft(4.0 + k / 10) for k in range(count)]
    return lattice(random, 300, count, 0.2), rules


def many_rows() -> Problem:
    """25 labels, 1,000 tokens: wide rows, many of them. No prices tell whether a label comes rarely or often."""
    random = np.random.default_rng(4)
    rules = [lawful.exactly(20, f"L{k}") | lawful.exactly(60, f"L{k}") for k in range(5)]
    return lattice(random, 1000, 25), rules


def satisfiability() -> Problem:
    """Max-2-SAT: each clause a soft rule about two far tokens."""
    random, variables = np.random.default_rng(5), 40
    rules = []
    for number in range(120):
        a, b = random.choice(variables, 2, replace=False).tolist()
        first, second = random.choice(["L0", "L1"], 2).tolist()
        clause = lawful.label_at(a, first) | lawful.label_at(b, second)
        rules.append(clause.soft(1.0 + number / 1000))
    return lattice(random, variables, 2, 0.01), rules


def large_automata() -> Problem:
    """Two machines of 10,000 states whose transitions look random."""
    random, states = np.random.default_rng(6), 10_000
    rules = []
    for number in range(2):
        targets = random.integers(0, states, (states, 5))
        accepting = random.random(states) < 0.002
        machine = Dfa(targets.tolist(), accepting.tolist())
        classes = {f"L{k}": k % 5 for k in range(10)}
        rules.append(lawful.automaton(machine, classes=classes).named(f"machine {number}"))
    return lattice(random, 200, 10), rules


def lattice(random: np.random.Generator, length: int, count: int, spread: float = 1.0) -> lawful.Lattice:
    return lawful.Lattice(
        random.normal(0, 1, (length, count)),
        random.normal(0, spread, (count, count)),
        labels=[f"L{k}" for k in range(count)],
    )


HARD: dict[str, Callable[[], Problem]] = {
    maker.__name__: maker
    for maker in (
        crossing_pairs,
        two_counts,
        permutation,
        soft_segments,
        many_rows,
        satisfiability,
        large_automata,
    )
}
