"""Every label sequence that a trellis scores above some value: the slowest proof, and the most independent one.

Rules only lower scores. So if no sequence that scores more without rules still does with them, by their reference
meaning, nothing beats the answer; no machine, no search and no compiled code takes part in that. Nor does rounding:
scores are added as whole numbers of the smallest unit that any of them needs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.lattice import Lattice
from lawful.lattice.arrays import Floats
from lawful.lattice.sums import in_whole_units

__all__ = ["sequences_above"]

Exact = npt.NDArray[Any]  # of Python's whole numbers


class _ExactTrellis(NamedTuple):
    """A trellis in whole units."""

    first: Exact  # (K,)
    emissions: Exact  # (T, K)
    steps: Exact  # (T - 1, K, K), or one (K, K) for all
    last: Exact  # (K,)
    unit: int  # so many units are a score of 1
    total: int  # no allowed sequence scores more, nor less than minus this; what is forbidden scores less

    def step(self, t: int) -> Exact:
        """From token t to the next."""
        return self.steps if self.steps.ndim == 2 else self.steps[t]


def sequences_above(lattice: Lattice, score: float) -> Iterator[tuple[int, ...]]:
    """Every label sequence, as indices in the label set, to which the lattice alone gives more than a score.

    Examples
    --------
    >>> lattice = Lattice([[2.0, 0.0], [0.0, 1.0]])
    >>> list(sequences_above(lattice, 1.5))
    [(0, 1), (0, 0)]
    """
    trellis = _exactly(lattice)
    least = -trellis.total - 1
    if score == math.inf:
        return
    if score > -math.inf:
        least = max(least, math.floor(Fraction(score) * trellis.unit))
    length, count = trellis.emissions.shape
    rest = _completions(trellis)
    first = trellis.first + trellis.emissions[0]
    prefixes: list[tuple[tuple[int, ...], int]] = [
        ((k,), first[k]) for k in range(count) if first[k] + rest[0, k] > least
    ]
    while prefixes:
        prefix, reached = prefixes.pop()
        t = len(prefix)
        if t == length:
            yield prefix
            continue
        further = reached + trellis.step(t - 1)[prefix[-1]] + trellis.emissions[t]
        prefixes += [((*prefix, k), further[k]) for k in range(count) if further[k] + rest[t, k] > least]


def _exactly(lattice: Lattice) -> _ExactTrellis:
    length, count = lattice.emissions.shape
    arrays: list[Floats] = [
        np.zeros(count) if lattice.start is None else lattice.start,
        lattice.emissions,
        np.zeros((count, count)) if lattice.transitions is None else lattice.transitions,
        np.zeros(count) if lattice.end is None else lattice.end,
    ]
    unit, numbers = in_whole_units(*(array[np.isfinite(array)].tolist() for array in arrays))
    most = [max(map(abs, group), default=0) for group in numbers]
    total = most[0] + length * (most[1] + most[2]) + most[3]
    exact: list[Exact] = []
    for array, group in zip(arrays, numbers, strict=True):
        whole: Exact = np.full(array.shape, -2 * total - 2, dtype=object)
        whole[np.isfinite(array)] = np.array(group, dtype=object)
        exact.append(whole)
    first, emissions, steps, last = exact
    return _ExactTrellis(first, emissions, steps, last, unit, total)


def _completions(trellis: _ExactTrellis) -> Exact:
    """The best score (T, K) of everything after a label at a position."""
    rest = np.zeros(trellis.emissions.shape, dtype=object)
    rest[-1] = trellis.last
    for t in range(len(rest) - 2, -1, -1):
        rest[t] = (trellis.step(t) + trellis.emissions[t + 1] + rest[t + 1]).max(axis=1)
    return rest
