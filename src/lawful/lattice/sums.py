"""Sums of scores, and what rounding can hide in them: a matter of the terms themselves, however large others are."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["UNIT", "PathSum", "add_up", "in_whole_units"]

UNIT = sys.float_info.epsilon
DIGITS = sys.float_info.mant_dig
AGREEMENT = 1e-9  # by which two ways to compute one score may differ, relative to the terms


class PathSum(NamedTuple):
    """What a label sequence scores.

    Attributes
    ----------
    score : float
        The sum of its terms, correctly rounded; -inf if one of them is.
    size : float
        The same with all signs ignored.
    rounding : float
        Sums of these terms in another order differ from the score by no more than this.

    Examples
    --------
    >>> add_up([1e30, 2.0, -1e30]).score
    2.0
    >>> add_up([2.0, 1.0]).beats(add_up([2.0, 0.5])), add_up([0.1, 0.2]).beats(add_up([0.3]))
    (True, False)
    """

    score: float
    size: float
    rounding: float

    def lead(self, other: PathSum) -> float:
        """How much more than another this is: 0 if that is no more than the rounding of the two."""
        ahead = self.score - other.score
        return ahead if ahead > self.rounding + other.rounding else 0.0

    def beats(self, other: PathSum) -> bool:
        """Whether this is more than another, by more than the rounding of the two."""
        return self.lead(other) > 0

    def agrees(self, claimed: float) -> bool:
        """Whether a solver that claims this score has computed the same.

        Examples
        --------
        >>> add_up([2.0, 1.0]).agrees(3.0 + 1e-12), add_up([2.0, 1.0]).agrees(3.001)
        (True, False)
        """
        return claimed == self.score or abs(claimed - self.score) <= AGREEMENT * self.size < math.inf


def add_up(terms: Iterable[float]) -> PathSum:
    """Add up the terms of one label sequence: scores, and prices with a minus.

    Examples
    --------
    >>> add_up([1.0, -0.25])[:2]
    (0.75, 1.25)
    """
    terms = list(terms)
    if -math.inf in terms:
        return PathSum(-math.inf, math.inf, 0.0)
    size = math.fsum(map(abs, terms))
    return PathSum(math.fsum(terms), size, UNIT * (2 * len(terms) + 4) * size)


def in_whole_units(*groups: Iterable[float]) -> tuple[int, list[list[int]]]:
    """Finite numbers as whole multiples of one unit, so that they add up without rounding; and units in 1.

    Examples
    --------
    >>> in_whole_units([0.5, 2.0], [-0.25])
    (4, [[2, 8], [-1]])
    """
    parts = [_wholes(np.fromiter(group, dtype=np.float64)) for group in groups]
    lowest = min((int(exponents.min()) for _, exponents in parts if len(exponents)), default=0)
    digits = max(0, -lowest)  # of the unit, behind the binary point
    return 1 << digits, [
        [
            whole << exponent
            for whole, exponent in zip(wholes.tolist(), (exponents + digits).tolist(), strict=True)
        ]
        for wholes, exponents in parts
    ]


def _wholes(numbers: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Each number as a whole number times a power of two, which is the largest that there is; 0 as 0 times 1."""
    mantissas, exponents = np.frexp(numbers)
    wholes = (mantissas * 2.0**DIGITS).astype(np.int64)
    zeros = np.frexp((wholes & -wholes).astype(np.float64))[1] - 1  # at the end of each whole number
    zeros[wholes == 0] = 0
    exponents = np.where(wholes == 0, 0, exponents.astype(np.int64) - DIGITS + zeros)
    return wholes >> zeros, exponents
