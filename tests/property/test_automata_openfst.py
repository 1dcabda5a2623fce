"""OpenFst is the judge: our automata beside its own, on random machines."""

from __future__ import annotations

import numpy as np
import pynini
import pytest
import pywrapfst
from hypothesis import given, settings, strategies as st

from lawful.automata import (
    EPSILON,
    CountingMachine,
    Dfa,
    Nfa,
    add,
    combine,
    complement,
    concatenate,
    count_once,
    counterexample,
    determinize,
    difference,
    equivalent,
    includes,
    intersection,
    is_empty,
    live,
    minimize,
    minimize_counting,
    obeyed,
    optional,
    plus,
    repeat,
    shortest_accepted,
    star,
    symmetric_difference,
    trim,
    union,
    union_dfa,
)

CLASSES = 3
SEEDS = st.integers(0, 2**32 - 1)
many = settings(max_examples=150, deadline=None)


@st.composite
def nfas(draw: st.DrawFn, states: int = 6) -> Nfa:
    state = st.integers(0, states - 1)
    arcs = draw(st.lists(st.tuples(state, st.integers(EPSILON, CLASSES - 1), state), max_size=3 * states))
    some = st.lists(state, min_size=1, max_size=2)
    return Nfa(CLASSES, draw(some), draw(some), arcs)


@st.composite
def dfas(draw: st.DrawFn, states: int = 6) -> Dfa:
    size = draw(st.integers(1, states))
    row = st.lists(st.integers(0, size - 1), min_size=CLASSES, max_size=CLASSES)
    delta = draw(st.lists(row, min_size=size, max_size=size))
    return Dfa(delta, draw(st.lists(st.booleans(), min_size=size, max_size=size)))


def random_counting(seed: int, states: int = 6) -> CountingMachine:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, states + 1))
    violations = rng.integers(0, 4, (size, CLASSES)) * (rng.random((size, CLASSES)) < 0.3)
    final = rng.integers(0, 4, size) * (rng.random(size) < 0.3)
    return CountingMachine(rng.integers(0, size, (size, CLASSES)), violations, final)


def to_fst(machine: Nfa | Dfa | CountingMachine) -> pynini.Fst:
    """As an OpenFst acceptor: symbol `c` is label `c + 1`, epsilon is 0, a count is a tropical weight."""
    if isinstance(machine, CountingMachine):
        cells = np.ndindex(machine.delta.shape)
        arcs = [(s, c, int(machine.delta[s, c]), int(machine.violations[s, c])) for s, c in cells]
        finals = dict(enumerate(machine.final.tolist()))
        starts: tuple[int, ...] = (0,)
    else:
        nfa = machine.to_nfa() if isinstance(machine, Dfa) else machine
        arcs = [(*arc, 0) for arc in nfa.arcs]
        finals = dict.fromkeys(nfa.finals, 0)
        starts = tuple(nfa.starts)
    fst = pynini.Fst()
    fst.add_states(machine.states + (len(starts) != 1))
    for source, symbol, target, weight in arcs:
        fst.add_arc(source, pynini.Arc(symbol + 1, symbol + 1, weight, target))
    for state, weight in finals.items():
        fst.set_final(state, weight)
    fst.set_start(starts[0] if len(starts) == 1 else machine.states)
    if len(starts) != 1:
        for state in starts:
            fst.add_arc(fst.start(), pynini.Arc(0, 0, 0, state))
    return fst


def deterministic(fst: pynini.Fst) -> pynini.Fst:
    return pynini.determinize(fst.copy().rmepsilon()).connect()


def same(ours: Nfa | Dfa, theirs: pynini.Fst) -> bool:
    """Whether OpenFst says that the languages are equal."""
    own = to_fst(ours)
    return pynini.equivalent(own if isinstance(ours, Dfa) else deterministic(own), deterministic(theirs))


def everything() -> pynini.Fst:
    return to_fst(Dfa([[0] * CLASSES], [True]))


def useful_states(dfa: Dfa) -> int:
    """What OpenFst would keep: states that are reached and can still accept. Minimal machines are all reached."""
    return int(live(dfa).sum())


@many
@given(nfas())
def test_determinize_minimize_and_trim(nfa: Nfa) -> None:
    fst = to_fst(nfa)
    dfa = determinize(nfa)
    assert same(dfa, fst)
    assert same(trim(nfa), fst)
    smallest = minimize(dfa)
    assert same(smallest, fst)
    assert useful_states(smallest) == deterministic(fst).minimize().num_states()
    assert trim(nfa).states == fst.copy().connect().num_states() - (len(nfa.starts) > 1) * bool(
        trim(nfa).states
    )


@many
@given(nfas(), nfas())
def test_rational_operations(a: Nfa, b: Nfa) -> None:
    f, g = to_fst(a), to_fst(b)
    assert same(determinize(union(a, b)), pynini.union(f, g))
    assert same(determinize(concatenate(a, b, a)), pynini.concat(pynini.concat(f, g), f))
    assert same(determinize(star(a)), pynini.closure(f))
    assert same(determinize(plus(a)), pynini.closure(f, 1))
    assert same(determinize(optional(a)), pynini.closure(f, 0, 1))


@many
@given(nfas(states=4), st.integers(0, 3), st.integers(1, 2))
def test_repetition(a: Nfa, minimum: int, more: int) -> None:  # an upper bound of 0 means infinity to pynini
    ours = determinize(repeat(a, minimum, minimum + more))
    assert same(ours, pynini.closure(to_fst(a), minimum, minimum + more))
    assert same(determinize(repeat(a, minimum)), pynini.closure(to_fst(a), minimum))


@many
@given(dfas(), dfas(), dfas(states=3))
def test_boolean_operations(a: Dfa, b: Dfa, c: Dfa) -> None:
    f, g, h = to_fst(a), to_fst(b), to_fst(c)
    assert same(intersection(a, b, c), pynini.intersect(pynini.intersect(f, g), h))
    assert same(union_dfa(a, b, c), pynini.union(f, g, h))
    assert same(difference(a, b), pynini.difference(f, g))
    assert same(complement(a), pynini.difference(everything(), f))
    either = pynini.union(pynini.difference(f, g), pynini.difference(g, f))
    assert same(symmetric_difference(a, b), either)
    pairs = [pynini.intersect(one, other) for one, other in ((f, g), (f, h), (g, h))]
    assert same(combine([a, b, c], lambda answers: sum(answers) >= 2), pynini.union(*pairs))


@many
@given(dfas(), dfas())
def test_comparisons(a: Dfa, b: Dfa) -> None:
    f, g = to_fst(a).connect(), to_fst(b).connect()
    assert equivalent(a, b) == pynini.equivalent(f, g)
    assert equivalent(a, minimize(a))
    assert includes(a, b) == (pynini.difference(g, f).connect().num_states() == 0)
    assert is_empty(a) == (f.num_states() == 0)
    word = counterexample(a, b)
    if word is None:
        assert equivalent(a, b)
    else:
        assert a.accepts(word) != b.accepts(word)


@many
@given(dfas(states=8))
def test_shortest_accepted_is_as_short_as_openfst_finds(dfa: Dfa) -> None:
    word = shortest_accepted(dfa)
    unit = pynini.Fst()
    unit.add_states(1)
    unit.set_start(0)
    unit.set_final(0)
    for symbol in range(CLASSES):
        unit.add_arc(0, pynini.Arc(symbol + 1, symbol + 1, 1, 0))
    path = pynini.shortestpath(pynini.intersect(to_fst(dfa), unit))
    assert (word is None) == (path.num_states() == 0)
    if word is not None:
        assert dfa.accepts(word)
        assert len(word) == float(pynini.shortestdistance(path, reverse=True)[path.start()])


@many
@given(SEEDS, SEEDS)
def test_counting_machines_as_weighted_acceptors(one: int, other: int) -> None:
    a, b = random_counting(one), random_counting(other)
    assert pynini.equivalent(to_fst(minimize_counting(a)), to_fst(a))
    assert pynini.equivalent(to_fst(add([a, b])), pynini.intersect(to_fst(a), to_fst(b)))
    fewest = float(pynini.shortestdistance(to_fst(a), reverse=True)[0])
    if fewest > 0:
        assert is_empty(obeyed(a))
    else:  # no path is pruned that counts as little as the best, and no other stays
        assert same(obeyed(a), pynini.prune(to_fst(a), weight=0))


@many
@given(SEEDS)
def test_counting_machines_are_minimal_when_counts_may_not_move(seed: int) -> None:
    machine = random_counting(seed, states=10)
    encoder = pywrapfst.EncodeMapper("standard", encode_labels=True, encode_weights=True)
    theirs = to_fst(machine).connect().encode(encoder).minimize()
    ours = to_fst(minimize_counting(machine)).encode(encoder)
    assert ours.num_states() == theirs.num_states()


@pytest.mark.parametrize("seed", range(5))
def test_counts_of_thousands_of_random_sequences(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = random_counting(2 * seed, states=30), random_counting(2 * seed + 1, states=30)
    smallest, once, total, free = minimize_counting(a), count_once(a), add([a, b]), obeyed(a)
    for _ in range(2000):
        word = rng.integers(0, CLASSES, rng.integers(0, 12)).tolist()
        state, expected = 0, 0
        for symbol in word:
            expected += int(a.violations[state, symbol])
            state = int(a.delta[state, symbol])
        expected += int(a.final[state])
        assert smallest.count(word) == expected
        assert once.count(word) == min(expected, 1)
        assert total.count(word) == expected + b.count(word)
        assert free.accepts(word) == (expected == 0)


def test_the_judge_can_say_no() -> None:
    even, odd = (Dfa([[1, 0, 0], [0, 1, 1]], [flag, not flag]) for flag in (True, False))
    assert same(even, to_fst(even))
    assert not same(even, to_fst(odd))
    machine = CountingMachine.from_lists([[0, 0, 0]], [[0, 1, 0]], [0])
    assert not pynini.equivalent(to_fst(machine), to_fst(count_once(machine)))
