from __future__ import annotations

import numpy as np
import pytest

from lawful.automata import CountingMachine, Dfa, equivalent, minimize, minimize_counting


def moore(delta: np.ndarray, signature: np.ndarray) -> int:
    """The number of states of the minimal machine, by the slow and obvious algorithm."""
    reached = {0}
    while (more := reached | {int(t) for s in reached for t in delta[s]}) != reached:
        reached = more
    classes = {s: tuple(signature[s]) for s in reached}
    while True:
        finer = {s: (classes[s], *(classes[int(t)] for t in delta[s])) for s in reached}
        names = {value: i for i, value in enumerate(dict.fromkeys(finer.values()))}
        if len(names) == len(set(classes.values())):
            return len(names)
        classes = {s: (names[finer[s]],) for s in reached}


@pytest.mark.parametrize("seed", range(60))
def test_as_small_as_moores_algorithm_makes_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    states, classes = int(rng.integers(1, 25)), int(rng.integers(1, 4))
    delta = rng.integers(0, states, (states, classes))
    if seed % 2:  # mostly forward, so that there is something to merge
        delta = np.minimum(np.arange(states)[:, None] + rng.integers(0, 3, (states, classes)), states - 1)
    dfa = Dfa(delta, rng.random(states) < 0.3)
    smallest = minimize(dfa)
    assert smallest.states == moore(dfa.delta, dfa.accepting[:, None])
    assert equivalent(smallest, dfa)

    machine = CountingMachine(delta, rng.random(delta.shape) < 0.1, rng.random(states) < 0.2)
    counting = minimize_counting(machine)
    assert counting.states == moore(delta, np.column_stack([machine.violations, machine.final]))


@pytest.mark.parametrize("seed", range(20))
def test_blocks_that_wait_while_they_are_split_lose_no_half(seed: int) -> None:
    rng = np.random.default_rng(seed)
    delta = np.minimum(np.arange(60)[:, None] + rng.integers(0, 3, (60, 3)), 59)
    machine = CountingMachine(delta, np.zeros_like(delta), rng.integers(0, 2, 60))
    assert minimize_counting(machine).states == moore(delta, machine.final[:, None])


@pytest.mark.parametrize("seed", range(20))
def test_equal_languages_give_equal_tables(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dfa = Dfa(rng.integers(0, 12, (12, 2)), rng.random(12) < 0.4)
    shuffle = np.concatenate([[0], 1 + rng.permutation(11)])
    twice = np.concatenate(
        [shuffle, 12 + rng.permutation(12)]
    )  # old state s becomes twice[s] and twice[12 + s]
    delta, accepting = np.empty((24, 2), dtype=int), np.empty(24, dtype=bool)
    for copy in range(2):
        own = twice[12 * copy : 12 * copy + 12]
        other = np.where(rng.random((12, 2)) < 0.5, 0, 12)
        delta[own] = twice[dfa.delta + other]
        accepting[own] = dfa.accepting
    one, other_way = minimize(dfa), minimize(Dfa(delta, accepting))
    assert one.delta.tolist() == other_way.delta.tolist()
    assert one.accepting.tolist() == other_way.accepting.tolist()


def test_a_long_chain_cannot_be_shortened() -> None:
    states = 3000
    delta = np.minimum(np.arange(states)[:, None] + [[0, 1]], states - 1)
    assert minimize(Dfa(delta, np.arange(states) == states - 1)).states == states


def test_unreachable_states_go() -> None:
    dfa = Dfa([[0], [2], [1]], [True, False, True])
    assert minimize(dfa).states == 1


def test_counts_stay_at_their_steps() -> None:
    late = CountingMachine.from_lists([[1, 2], [1, 1], [2, 2]], [[0, 0], [0, 0], [0, 0]], [0, 0, 1])
    early = CountingMachine.from_lists([[1, 2], [1, 1], [2, 2]], [[0, 1], [0, 0], [0, 0]], [0, 0, 0])
    assert minimize_counting(late).states == 3
    assert minimize_counting(early).states == 2
    assert minimize_counting(early).violations.tolist() == [[0, 1], [0, 0]]


def test_machines_without_symbols() -> None:
    empty = np.zeros((2, 0), dtype=np.int32)
    assert minimize(Dfa(empty, [True, False])).accepting.tolist() == [True]
    assert minimize_counting(CountingMachine(empty, empty, np.array([2, 1]))).final.tolist() == [2]
