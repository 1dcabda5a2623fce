from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from lawful.automata import (
    Dfa,
    counterexample,
    equivalent,
    includes,
    intersection,
    is_empty,
    shortest_accepted,
)
from lawful.errors import MachineError

# Two machines of 3 states have 9 pairs of states: what no word of up to 8 symbols shows, no word does.
WORDS = [word for length in range(9) for word in product(range(2), repeat=length)]


def random_dfa(rng: np.random.Generator) -> Dfa:
    return Dfa(rng.integers(0, 3, (3, 2)), rng.random(3) < 0.4)


@pytest.mark.parametrize("seed", range(40))
def test_comparisons_agree_with_reading_every_word(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = random_dfa(rng), random_dfa(rng)
    accepted = [word for word in WORDS if a.accepts(word)]
    differing = [word for word in WORDS if a.accepts(word) != b.accepts(word)]
    assert shortest_accepted(a) == next(iter(accepted), None)
    assert is_empty(a) == (not accepted)
    assert counterexample(a, b) == next(iter(differing), None)
    assert equivalent(a, b) == (not differing)
    assert includes(b, a) == all(b.accepts(word) for word in accepted)
    assert includes(a, intersection(a, b))


def test_shortest_is_first_in_symbol_order() -> None:
    assert shortest_accepted(Dfa([[1, 1, 2], [2, 2, 2], [2, 2, 2]], [False, False, True])) == (2,)
    assert shortest_accepted(Dfa([[1, 1], [1, 1]], [False, True])) == (0,)
    assert shortest_accepted(Dfa([[1], [0]], [True, True])) == ()
    assert shortest_accepted(Dfa([[0]], [False])) is None


def test_a_difference_that_only_a_long_word_shows() -> None:
    length = 2000
    step = np.minimum(np.arange(length)[:, None] + 1, length - 1)
    never, late = Dfa([[0]], [False]), Dfa(step, np.arange(length) == length - 1)
    assert counterexample(never, late) == (0,) * (length - 1)
    assert not equivalent(never, late)
    assert includes(late, never)
    assert not includes(never, late)


def test_equivalence_needs_no_product() -> None:
    long, longer = (Dfa((np.arange(n)[:, None] + 1) % n, np.ones(n, dtype=bool)) for n in (997, 1009))
    assert equivalent(long, longer)  # their product has a million states, over the limit
    with pytest.raises(MachineError, match="more than 100000 states"):
        counterexample(long, longer)


def test_other_classes_do_not_compare() -> None:
    with pytest.raises(MachineError, match="same classes"):
        equivalent(Dfa([[0]], [True]), Dfa([[0, 0]], [True]))
