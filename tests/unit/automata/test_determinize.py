from __future__ import annotations

from itertools import product

import pytest

from lawful.automata import Nfa, any_symbol, concatenate, determinize, literal, nothing, repeat, star
from lawful.errors import MachineError


def one_from_the_end(distance: int) -> Nfa:
    return concatenate(star(any_symbol(2)), literal(1, 2), repeat(any_symbol(2), distance, distance))


def test_same_words_as_before() -> None:
    nfa = one_from_the_end(2)
    dfa = determinize(nfa)
    for length in range(7):
        for word in product(range(2), repeat=length):
            assert dfa.accepts(word) == nfa.accepts(word) == (length > 2 and word[-3] == 1)


def test_states_are_numbered_breadth_first() -> None:
    dfa = determinize(one_from_the_end(3))
    met = [0, *dict.fromkeys(target for target in dfa.delta.ravel().tolist() if target != 0)]
    assert met == list(range(dfa.states))


def test_the_order_in_which_arcs_are_given_does_not_matter() -> None:
    arcs = [(0, 0, 0), (0, 0, 1), (1, 1, 2), (2, -1, 0), (1, 0, 2)]
    one, other = determinize(Nfa(2, [0], [2], arcs)), determinize(Nfa(2, [0], [2], arcs[::-1]))
    assert one.delta.tolist() == other.delta.tolist()


def test_no_start_means_one_state_that_rejects() -> None:
    dfa = determinize(nothing(3))
    assert dfa.delta.tolist() == [[0, 0, 0]]
    assert not dfa.accepts([])


def test_the_limit_is_exact() -> None:
    nfa = one_from_the_end(4)
    states = determinize(nfa).states
    assert determinize(nfa, limit=states).states == states
    with pytest.raises(MachineError, match=f"more than {states - 1} states"):
        determinize(nfa, limit=states - 1)
