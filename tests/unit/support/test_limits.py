"""What is left of limits for the further searches of one call."""

from __future__ import annotations

import time

import pytest

from lawful.errors import LimitError
from lawful.support.limits import Limits


def test_a_search_of_its_own_has_all_of_them() -> None:
    limits = Limits(max_states=5, timeout=2.0)
    assert (limits.states_left, limits.seconds_left) == (5, 2.0)
    assert (Limits().states_left, Limits().seconds_left) == (None, None)
    Limits().started().after(10).require_rest()


def test_the_clock_is_started_once() -> None:
    began = time.perf_counter() - 5.0
    limits = Limits(timeout=8.0).started(began)
    left = limits.started().seconds_left
    assert left is not None
    assert 2.5 < left <= 3.0
    assert limits.timeout == 8.0  # what errors name


def test_states_are_spent() -> None:
    limits = Limits(max_states=10).after(3).after(4)
    assert (limits.states_left, limits.max_states) == (3, 10)
    assert limits.after(9).states_left == 0


@pytest.mark.parametrize(("max_states", "expected"), [(None, 50), (100, 50), (30, 20)])
def test_a_smaller_search_inside(max_states: int | None, expected: int) -> None:
    assert Limits(max_states=max_states).after(10).within(50).states_left == expected


def test_nothing_is_left() -> None:
    with pytest.raises(LimitError, match="max_states=10") as caught:
        Limits(max_states=10, timeout=60.0).started().after(10).require_rest()
    assert (caught.value.limit, caught.value.value) == ("max_states", 10)
    with pytest.raises(LimitError, match=r"timeout=0\.5"):
        Limits(timeout=0.5).started(time.perf_counter() - 1).require_rest()


def test_half_of_what_is_left() -> None:
    limits = Limits(max_states=100, timeout=100.0).started().after(20)
    half = limits.half()
    assert half.states_left == 40
    assert half.seconds_left is not None
    assert 45 < half.seconds_left <= 50
    assert Limits().half() == Limits()
