from __future__ import annotations

from itertools import product

import pytest

from lawful.automata import Nfa, any_symbol, epsilon, from_sequences, literal, nothing, symbols
from lawful.errors import MachineError


def language(nfa: Nfa, longest: int = 3) -> set[tuple[int, ...]]:
    words = (word for length in range(longest + 1) for word in product(range(nfa.classes), repeat=length))
    return {word for word in words if nfa.accepts(word)}


def test_the_smallest_machines_accept_just_what_they_say() -> None:
    assert language(nothing(2)) == set()
    assert language(epsilon(2)) == {()}
    assert language(literal(1, 2)) == {(1,)}
    assert language(any_symbol(2)) == {(0,), (1,)}
    assert language(symbols({0, 2}, 3)) == {(0,), (2,)}
    assert language(symbols((), 3)) == set()


def test_from_sequences_accepts_just_these_and_shares_beginnings() -> None:
    words = {(), (0, 1), (0, 1, 1), (1,)}
    nfa = from_sequences(words, 2)
    assert language(nfa) == words
    assert nfa.states == 5
    assert language(from_sequences([], 2)) == set()


def test_symbols_out_of_range_are_refused() -> None:
    with pytest.raises(MachineError, match="symbols are 0 to 1"):
        literal(2, 2)
