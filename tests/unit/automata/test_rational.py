from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from lawful.automata import (
    Nfa,
    concatenate,
    epsilon,
    from_sequences,
    literal,
    nothing,
    optional,
    plus,
    repeat,
    star,
    union,
)
from lawful.errors import MachineError

LONGEST = 5
Words = set[tuple[int, ...]]

SAMPLES: list[Words] = [set(), {()}, {(0,)}, {(), (1,)}, {(0, 1), (0,)}, {(1, 1), (0, 0, 1), ()}]


def language(nfa: Nfa) -> Words:
    words = (word for length in range(LONGEST + 1) for word in product(range(2), repeat=length))
    return {word for word in words if nfa.accepts(word)}


def times(left: Words, right: Words) -> Words:
    return {a + b for a in left for b in right if len(a + b) <= LONGEST}


def power(words: Words, minimum: int, maximum: int) -> Words:
    found: Words = set()
    current: Words = {()}
    for count in range(maximum + 1):
        if count >= minimum:
            found |= current
        current = times(current, words)
    return found


@pytest.mark.parametrize("left", SAMPLES)
@pytest.mark.parametrize("right", SAMPLES)
def test_union_and_concatenation_are_those_of_sets_of_words(left: Words, right: Words) -> None:
    machines = from_sequences(left, 2), from_sequences(right, 2)
    assert language(union(*machines)) == left | right
    assert language(concatenate(*machines)) == times(left, right)


@pytest.mark.parametrize("words", SAMPLES)
@pytest.mark.parametrize(
    ("operation", "minimum", "maximum"),
    [
        (star, 0, LONGEST),
        (plus, 1, LONGEST),
        (optional, 0, 1),
        (lambda nfa: repeat(nfa, 0, 0), 0, 0),
        (lambda nfa: repeat(nfa, 1, 3), 1, 3),
        (lambda nfa: repeat(nfa, 2, 2), 2, 2),
        (lambda nfa: repeat(nfa, 3), 3, 3 + LONGEST),
    ],
)
def test_repetition_is_that_of_sets_of_words(
    words: Words, operation: Callable[[Nfa], Nfa], minimum: int, maximum: int
) -> None:
    assert language(operation(from_sequences(words, 2))) == power(words, minimum, maximum)


def test_operations_nest() -> None:
    loops = star(union(concatenate(literal(0, 2), plus(literal(1, 2))), literal(0, 2)))
    starts_with_zero = {
        word for word in language(star(union(literal(0, 2), literal(1, 2)))) if word[:1] != (1,)
    }
    assert language(loops) == starts_with_zero


def test_one_machine_is_itself_and_many_share_their_classes() -> None:
    assert language(union(literal(1, 2))) == language(concatenate(literal(1, 2))) == {(1,)}
    for operation in (union, concatenate):
        with pytest.raises(MachineError, match="same number of classes"):
            operation(epsilon(2), nothing(3))
        with pytest.raises(MachineError, match="at least one machine"):
            operation()


@pytest.mark.parametrize(("minimum", "maximum"), [(-1, 2), (3, 2), (-1, None)])
def test_repetitions_that_cannot_be_are_refused(minimum: int, maximum: int | None) -> None:
    with pytest.raises(MachineError, match="0 <= minimum <= maximum"):
        repeat(literal(0, 2), minimum, maximum)
