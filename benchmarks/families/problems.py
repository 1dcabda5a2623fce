"""Families of problems that differ in what makes them hard; each is made from a seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import lawful
from lawful.automata import Dfa
from lawful.rules import Rule

__all__ = ["FAMILIES", "Family"]

Maker = Callable[[np.random.Generator], "lawful.Lattice | lawful.GraphLattice"]


@dataclass(frozen=True)
class Family:
    """What to decode, under which rules."""

    name: str
    make: Maker
    rules: lawful.Rules
    graph: bool = False


def _names(count: int) -> list[str]:
    return [f"L{k}" for k in range(count)]


def _trellis(length: int, size: int, *, signal: float = 0.0, stay: float = 0.0, scale: float = 1.0) -> Maker:
    """Normal noise; one label a position may be favoured, in runs, and staying with a label too."""

    def make(rng: np.random.Generator) -> lawful.Lattice:
        scores = rng.normal(size=(length, size))
        gold = np.repeat(rng.integers(0, size, length), rng.geometric(0.25, length))[:length]
        scores[np.arange(length), gold] += signal
        steps = rng.normal(0, 0.5, (size, size)) + stay * np.eye(size)
        return lawful.Lattice(scale * scores, scale * steps, labels=_names(size))

    return make


def _big_machine(states: int, size: int) -> Rule:
    """A random complete automaton; one in twenty of its states accepts."""
    rng = np.random.default_rng(states)
    return lawful.automaton(
        Dfa(rng.integers(0, states, (states, size), dtype=np.int32), rng.random(states) < 0.05)
    )


def _nbest(rng: np.random.Generator) -> lawful.GraphLattice:
    lists = [([str(x) for x in rng.choice(_names(6), 20)], float(rng.normal())) for _ in range(200)]
    return lawful.GraphLattice.from_nbest(lists, labels=_names(6))


def _lattice_of_segments(rng: np.random.Generator) -> lawful.GraphLattice:
    """States 0 to 60; arcs skip up to three: paths differ in length."""
    arcs = [
        (t, t + step, label, float(rng.normal()) * step)
        for t in range(60)
        for step in (1, 2, 3)
        if t + step <= 60
        for label in _names(6)
    ]
    return lawful.GraphLattice.from_arcs(arcs, labels=_names(6), finals=[60])


def _cyclic(rng: np.random.Generator) -> lawful.GraphLattice:
    arcs = [
        (int(a), int(b), str(rng.choice(_names(6))), float(-abs(rng.normal()) - 0.1))
        for a, b in rng.integers(0, 40, (400, 2))
    ]
    return lawful.GraphLattice.from_arcs(arcs, labels=_names(6), start=0, finals=[39])


def _once(count: int) -> list[Rule]:
    return [lawful.at_most_segments(1, label) for label in _names(count)]


def _counts(count: int, n: int) -> list[Rule]:
    return [lawful.exactly(n, label) for label in _names(count)]


def _crossing(pairs: int) -> list[Rule]:
    """Pairs of tokens that agree, all open at once in the middle of the sequence."""
    return [lawful.same_label([(t, t + pairs)]) for t in range(pairs)]


def _clauses(variables: int, count: int) -> list[Rule]:
    """Max-2-SAT: each clause is a soft rule about two tokens, anywhere."""
    rng = np.random.default_rng(variables)
    rules = []
    for number in range(count):
        a, b = rng.choice(variables, 2, replace=False).tolist()
        first, second = rng.choice(_names(2), 2).tolist()
        rules.append((lawful.label_at(a, first) | lawful.label_at(b, second)).soft(1.0 + number / 1000))
    return rules


ON_GRAPHS = lawful.Rules(
    lawful.at_most_segments(1, "L0"),
    lawful.before("L1", "L2"),
    lawful.requires("L3", "L4").soft(1.0),
    lawful.at_most(2, "L5").soft(0.5, per="violation"),
)

FAMILIES = (
    Family("no rules", _trellis(50, 10), lawful.Rules()),
    Family("local rules only", _trellis(50, 10), lawful.Rules(lawful.forbid("L1"), lawful.starts_with("L2", "L3"))),
    Family("once each, a good tagger", _trellis(60, 13, signal=3, stay=2), lawful.Rules(*_once(13))),
    Family("once each, noise", _trellis(30, 8), lawful.Rules(*_once(8))),
    Family("once each, noise, longer", _trellis(60, 10), lawful.Rules(*_once(10))),
    Family("five counts, short", _trellis(12, 6), lawful.Rules(*_counts(5, 2))),
    Family("a permutation of 9", _trellis(9, 9), lawful.Rules(*_counts(9, 1))),
    Family("a permutation of 12", _trellis(12, 12), lawful.Rules(*_counts(12, 1))),
    Family("a permutation of 16", _trellis(16, 16), lawful.Rules(*_counts(16, 1))),
    Family("a permutation of 20", _trellis(20, 20), lawful.Rules(*_counts(20, 1))),
    Family("three large counts", _trellis(60, 6), lawful.Rules(*_counts(3, 10))),
    Family("one count of 300", _trellis(1000, 6), lawful.Rules(*_counts(1, 300))),
    Family("two counts of 125", _trellis(1000, 4), lawful.Rules(*_counts(2, 125))),
    Family("two counts, joined by or", _trellis(50, 6), lawful.Rules(lawful.exactly(20, "L0") | lawful.exactly(20, "L1"))),
    Family("two counts, joined by xor", _trellis(30, 6), lawful.Rules(lawful.exactly(12, "L0") ^ lawful.at_least(9, "L1"))),
    Family("large counts, joined by or", _trellis(100, 6), lawful.Rules(lawful.exactly(40, "L0") | lawful.exactly(40, "L1"))),
    Family("one automaton of 100 states", _trellis(20, 6), lawful.Rules(_big_machine(100, 6))),
    Family("one automaton of 400 states", _trellis(100, 6), lawful.Rules(_big_machine(400, 6))),
    Family("one automaton of 3,000 states", _trellis(30, 6), lawful.Rules(_big_machine(3000, 6))),
    Family("two automata of 300 states", _trellis(30, 6), lawful.Rules(_big_machine(300, 6), _big_machine(299, 6))),
    Family("three automata of 50 states", _trellis(30, 6), lawful.Rules(*(_big_machine(n, 6) for n in (48, 49, 50)))),
    Family(
        "ten soft rules, paid once",
        _trellis(30, 10),
        lawful.Rules(*(rule.soft(1.5) for rule in _once(10))),
    ),
    Family("2,000 tokens, three rules", _trellis(2000, 12, signal=2, stay=1), lawful.Rules(*_once(3))),
    Family("100 labels, five rules", _trellis(40, 100, signal=3), lawful.Rules(*_once(5))),
    Family(
        "order and company",
        _trellis(40, 8),
        lawful.Rules(
            lawful.before("L0", "L1"), lawful.before("L1", "L2"), lawful.requires("L3", "L4"),
            lawful.excludes("L5", "L6"), lawful.at_least_segments(2, "L7"),
        ),
    ),
    Family("12 crossing pairs", _trellis(24, 4), lawful.Rules(*_crossing(12))),
    Family("30 crossing pairs", _trellis(60, 4), lawful.Rules(*_crossing(30))),
    Family("max-2-SAT, 40 variables", _trellis(40, 2), lawful.Rules(*_clauses(40, 120))),
    Family("max-2-SAT, hardly any scores", _trellis(40, 2, scale=0.01), lawful.Rules(*_clauses(40, 120))),
    Family("graph: 200 best of 20 tokens", _nbest, ON_GRAPHS, graph=True),
    Family("graph: segments, 60 states", _lattice_of_segments, ON_GRAPHS, graph=True),
    Family("graph: cyclic, 40 states", _cyclic, ON_GRAPHS, graph=True),
)  # fmt: skip
