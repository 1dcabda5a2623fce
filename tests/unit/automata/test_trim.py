from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from lawful.automata import EPSILON, Dfa, Nfa, live, nothing, trim


def test_useless_states_go_and_the_rest_is_renumbered() -> None:
    arcs = [(1, 0, 3), (3, EPSILON, 5), (1, 1, 2), (0, 0, 5), (4, 0, 4)]
    trimmed = trim(Nfa(2, [1, 2], [5, 4], arcs))
    assert trimmed.states == 3
    assert trimmed.starts == (0,)
    assert trimmed.finals == (2,)
    assert trimmed.arcs == ((0, 0, 1), (1, EPSILON, 2))


def test_nothing_useful_leaves_nothing() -> None:
    assert trim(nothing(2)).states == 0
    assert trim(Nfa(1, [0], [1], [(1, 0, 0)])).states == 0


@pytest.mark.parametrize("seed", range(20))
def test_the_language_stays(seed: int) -> None:
    rng = np.random.default_rng(seed)
    arcs = list(zip(rng.integers(0, 8, 10), rng.integers(-1, 2, 10), rng.integers(0, 8, 10), strict=True))
    nfa = Nfa(2, rng.integers(0, 8, 2).tolist(), rng.integers(0, 8, 2).tolist(), arcs)
    trimmed = trim(nfa)
    assert trimmed.states <= nfa.states
    for length in range(6):
        for word in product(range(2), repeat=length):
            assert trimmed.accepts(word) == nfa.accepts(word)


@pytest.mark.parametrize("seed", range(20))
def test_live_states_are_those_that_some_word_takes_to_acceptance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dfa = Dfa(rng.integers(0, 6, (6, 2)), rng.random(6) < 0.2)
    alive = dfa.accepting.copy()
    for _ in range(6):
        alive |= alive[dfa.delta].any(axis=1)
    assert live(dfa).tolist() == alive.tolist()
