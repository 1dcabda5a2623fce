"""Sums of the terms of paths: exact, and compared by nothing but their own rounding."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from lawful.lattice.sums import UNIT, PathSum, add_up, in_whole_units

ROUNDING = UNIT * 8 * 3.0  # of two terms that add up to 3 without their signs


def test_terms_are_added_without_rounding_on_the_way() -> None:
    assert add_up([1e30, 2.0, -1e30]).score == 2.0
    assert add_up([0.1] * 10).score == 1.0
    assert add_up([]) == PathSum(0.0, 0.0, 0.0)
    assert add_up([2.0, -1.0]) == PathSum(1.0, 3.0, ROUNDING)
    assert add_up([1.0, -math.inf, 2.0]) == PathSum(-math.inf, math.inf, 0.0)


def test_a_lead_is_more_than_rounding() -> None:
    one, other = add_up([2.0, 1.0]), add_up([2.0, 0.5])
    assert one.lead(other) == 0.5 and other.lead(one) == 0.0
    assert one.beats(other) and not other.beats(one) and not one.beats(one)
    forbidden = add_up([-math.inf])
    assert one.lead(forbidden) == math.inf and one.beats(forbidden)
    assert not forbidden.beats(one) and not forbidden.beats(forbidden)


@pytest.mark.parametrize("unit", [2.0**-996, 2.0**-30, 1.0, 2.0**30, 2.0**996])
def test_the_rounding_of_both_is_what_counts(unit: float) -> None:
    one, other = PathSum(3 * unit, 3 * unit, 0.25 * unit), PathSum(2.5 * unit, 9 * unit, 0.25 * unit)
    assert not one.beats(other)  # ahead by just as much as the two may be wrong
    assert one._replace(rounding=0.24 * unit).beats(other)
    assert one.beats(other._replace(rounding=0.24 * unit))
    assert not one.beats(other._replace(rounding=1e300))


@pytest.mark.parametrize(
    ("claimed", "agrees"),
    [
        (1.0, True),
        (1.0 + 2e-9, True),
        (1.0 - 2e-9, True),
        (1.0 + 4e-9, False),
        (1.0 - 4e-9, False),
        (math.nan, False),
        (math.inf, False),
        (-math.inf, False),
    ],
)
def test_agreement_is_relative_to_the_terms(claimed: float, agrees: bool) -> None:
    assert add_up([2.0, -1.0]).agrees(claimed) is agrees


def test_what_is_forbidden_agrees_with_nothing_else() -> None:
    forbidden = add_up([-math.inf])
    assert forbidden.agrees(-math.inf)
    assert not forbidden.agrees(1.0) and not forbidden.agrees(math.nan)
    assert not PathSum(1.0, math.inf, 0.0).agrees(2.0)


def test_whole_units_are_exact() -> None:
    rng = np.random.default_rng(1)
    numbers = [rng.normal(size=5) * 10.0 ** rng.integers(-300, 300, size=5) for _ in range(3)]
    unit, groups = in_whole_units(*(group.tolist() for group in numbers))
    for group, whole in zip(numbers, groups, strict=True):
        assert [Fraction(above, unit) for above in whole] == [Fraction(number) for number in group.tolist()]
    assert in_whole_units() == (1, []) and in_whole_units([], [3.0]) == (1, [[], [3]])
