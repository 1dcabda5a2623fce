from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from lawful.automata import (
    Dfa,
    combine,
    complement,
    difference,
    intersection,
    symmetric_difference,
    union_dfa,
)
from lawful.errors import MachineError

WORDS = [word for length in range(7) for word in product(range(2), repeat=length)]


def random_dfa(rng: np.random.Generator, states: int = 5) -> Dfa:
    return Dfa(rng.integers(0, states, (states, 2)), rng.random(states) < 0.5)


@pytest.mark.parametrize("seed", range(10))
def test_each_operation_is_its_truth_table(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b, c = (random_dfa(rng) for _ in range(3))
    both, either = intersection(a, b), union_dfa(a, b)
    only, one, neither = difference(a, b), symmetric_difference(a, b), complement(union_dfa(a, b))
    most = combine([a, b, c], lambda answers: sum(answers) >= 2)
    for word in WORDS:
        x, y, z = a.accepts(word), b.accepts(word), c.accepts(word)
        assert both.accepts(word) == (x and y)
        assert either.accepts(word) == (x or y)
        assert only.accepts(word) == (x and not y)
        assert one.accepts(word) == (x != y)
        assert neither.accepts(word) == (not x and not y)
        assert most.accepts(word) == (x + y + z >= 2)


def test_products_hold_reachable_states_only() -> None:
    cycle = Dfa([[1], [2], [3], [0]], [True, False, False, False])
    assert intersection(cycle, cycle, cycle).states == 4


def test_one_machine_combines_with_itself_alone() -> None:
    rng = np.random.default_rng(0)
    dfa = random_dfa(rng)
    assert [intersection(dfa).accepts(word) for word in WORDS] == [dfa.accepts(word) for word in WORDS]


def test_what_cannot_be_combined() -> None:
    with pytest.raises(MachineError, match="same number of classes"):
        intersection(Dfa([[0]], [True]), Dfa([[0, 0]], [True]))
    with pytest.raises(MachineError, match="at least one machine"):
        combine([], all)
    three, five = (Dfa((np.arange(n)[:, None] + 1) % n, np.arange(n) == 0) for n in (3, 5))
    assert intersection(three, five, limit=15).states == 15
    with pytest.raises(MachineError, match="more than 14 states"):
        intersection(three, five, limit=14)
