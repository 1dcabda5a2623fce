from __future__ import annotations

import numpy as np
import pytest

from lawful.automata import EPSILON, Dfa, Nfa
from lawful.errors import MachineError


def test_nfa_follows_epsilon_arcs_before_between_and_after_symbols() -> None:
    nfa = Nfa(2, [0], [4], [(0, EPSILON, 1), (1, 0, 2), (2, EPSILON, 3), (3, 1, 0), (3, EPSILON, 4)])
    assert nfa.accepts([0])
    assert nfa.accepts([0, 1, 0])
    assert not nfa.accepts([])
    assert not nfa.accepts([0, 1])


def test_nfa_is_normalised() -> None:
    nfa = Nfa(2, [3, 0, 3], [1], [(1, 1, 2), (0, 0, 1), (1, 1, 2)])
    assert nfa.starts == (0, 3)
    assert nfa.arcs == ((0, 0, 1), (1, 1, 2))
    assert nfa.states == 4
    assert Nfa(2, [], [], []).states == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, [], [], []), "number of classes"),
        ((2, [-1], [], []), "numbered from 0"),
        ((2, [], [-2], []), "numbered from 0"),
        ((2, [0], [0], [(0, 1, -1)]), "numbered from 0"),
        ((2, [0], [0], [(0, 2, 0)]), "symbols are 0 to 1"),
        ((2, [0], [0], [(0, -2, 0)]), "symbols are 0 to 1"),
    ],
)
def test_nfa_refuses_what_does_not_fit(arguments: tuple[int, list, list, list], message: str) -> None:
    with pytest.raises(MachineError, match=message):
        Nfa(*arguments)


def test_dfa_is_frozen_and_copies_what_it_is_given() -> None:
    delta = np.zeros((1, 2), dtype=np.int32)
    dfa = Dfa(delta, np.array([True]))
    delta[:] = 7
    assert dfa.delta.tolist() == [[0, 0]]
    assert dfa.delta.dtype == np.int32
    with pytest.raises(ValueError, match="read-only"):
        dfa.delta[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        dfa.accepting[0] = False


def test_machines_are_compared_by_identity() -> None:
    one, other = (Dfa([[0]], [True]) for _ in range(2))
    assert one != other
    assert len({one, other}) == 2


@pytest.mark.parametrize(
    ("delta", "accepting", "message"),
    [
        ([0, 1], [True], "shape"),
        (np.zeros((0, 2)), [], "shape"),
        ([[0]], [True, False], "one flag per state"),
        ([[1]], [True], "complete"),
        ([[-1]], [True], "complete"),
    ],
)
def test_dfa_refuses_what_does_not_fit(delta: object, accepting: object, message: str) -> None:
    with pytest.raises(MachineError, match=message):
        Dfa(delta, accepting)


@pytest.mark.parametrize("symbol", [-1, 2])
def test_unknown_symbols_are_refused(symbol: int) -> None:
    with pytest.raises(MachineError, match=f"symbol {symbol} is not one of 0 to 1"):
        Dfa([[0, 0]], [True]).accepts([symbol])
    with pytest.raises(MachineError, match=f"symbol {symbol} is not one of 0 to 1"):
        Nfa(2, [0], [0], [(0, EPSILON, 0)]).accepts([symbol])


def test_to_nfa_keeps_the_language() -> None:
    even = Dfa([[0, 1], [1, 0]], [True, False])
    for word in ([], [1], [1, 0, 1], [0, 1]):
        assert even.to_nfa().accepts(word) == even.accepts(word)
