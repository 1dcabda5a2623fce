from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from lawful.automata import (
    CountingMachine,
    Dfa,
    add,
    count_once,
    from_dfa,
    minimize,
    minimize_counting,
    obeyed,
)
from lawful.errors import MachineError

WORDS = [word for length in range(7) for word in product(range(2), repeat=length)]


def random_machine(rng: np.random.Generator, states: int = 4) -> CountingMachine:
    violations = rng.integers(0, 3, (states, 2)) * (rng.random((states, 2)) < 0.3)
    final = rng.integers(0, 3, states) * (rng.random(states) < 0.3)
    return CountingMachine(rng.integers(0, states, (states, 2)), violations, final)


@pytest.mark.parametrize("seed", range(15))
def test_modes_count_what_they_say(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b, c = (random_machine(rng) for _ in range(3))
    once, dfa, total = count_once(a), obeyed(a), add([a, b, c])
    back = from_dfa(dfa)
    for word in WORDS:
        assert once.count(word) == min(a.count(word), 1)
        assert dfa.accepts(word) == (a.count(word) == 0)
        assert back.count(word) == min(a.count(word), 1)
        assert total.count(word) == a.count(word) + b.count(word) + c.count(word)


@pytest.mark.parametrize("seed", range(15))
def test_results_are_minimal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = random_machine(rng), random_machine(rng)
    for machine in (count_once(a), add([a, b]), from_dfa(obeyed(a))):
        assert minimize_counting(machine).states == machine.states
    assert minimize(obeyed(a)).states == obeyed(a).states


def test_once_counts_at_the_step_of_the_first_violation() -> None:
    machine = count_once(CountingMachine.from_lists([[0, 0]], [[0, 3]], [5]))
    assert machine.violations.tolist() == [[0, 1], [0, 0]]
    assert machine.final.tolist() == [1, 0]


def test_a_rule_that_cannot_be_broken_needs_no_sink() -> None:
    free = CountingMachine.from_lists([[0, 1], [1, 0]], [[0, 0], [0, 0]], [0, 0])
    assert obeyed(free).delta.tolist() == [[0, 0]]
    assert count_once(free).states == 1


def test_a_rule_that_cannot_be_obeyed() -> None:
    assert obeyed(CountingMachine.from_lists([[0]], [[0]], [1])).accepting.tolist() == [False]


def test_from_dfa_counts_at_the_end_only() -> None:
    machine = from_dfa(Dfa([[0, 1], [1, 0]], [True, False]))
    assert not machine.violations.any()
    assert machine.final.tolist() == [0, 1]


def test_what_cannot_be_added() -> None:
    with pytest.raises(MachineError, match="at least one machine"):
        add([])
    three, five = (from_dfa(Dfa((np.arange(n)[:, None] + 1) % n, np.arange(n) == 0)) for n in (3, 5))
    with pytest.raises(MachineError, match="more than 14 states"):
        add([three, five], limit=14)
