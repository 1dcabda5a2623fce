"""Probabilities at scores of any size: only differences between scores matter to them, so what is common is taken off."""

from __future__ import annotations

import math

import numpy as np

from lawful.lattice.arrays import Floats
from lawful.lattice.trellis import Lattice

__all__ = ["LARGE", "levelled"]

LARGE = 1e6  # scores a token; sums of smaller ones round by too little to matter


def levelled(lattice: Lattice) -> tuple[Lattice, float]:
    """A lattice with the same probabilities whose best scores at each position are 0, and what every path lost by it.

    Examples
    --------
    >>> flat, lost = levelled(Lattice([[1e15 + 2, 1e15], [-1e15, -1e15 + 1]]))
    >>> flat.emissions.tolist(), lost
    ([[0.0, -2.0], [-1.0, 0.0]], 3.0)
    """
    lost: list[float] = []

    def level(scores: Floats | None, axes: tuple[int, ...], times: int = 1) -> Floats | None:
        if scores is None:
            return None
        best = scores.max(axis=axes, keepdims=True)
        best[best == -np.inf] = 0.0
        lost.extend(best.ravel().tolist() * times)
        levels: Floats = scores - best
        return levels

    steps = lattice.transitions
    emissions = level(lattice.emissions, (1,))
    assert emissions is not None  # noqa: S101 -- for the type checker: there are always some
    flat = Lattice(
        emissions,
        None if steps is None else level(steps, (-2, -1), lattice.length - 1 if steps.ndim == 2 else 1),
        labels=lattice.labels,
        start=level(lattice.start, (0,)),
        end=level(lattice.end, (0,)),
        tokens=lattice.tokens,
        context=lattice.context,
    )
    return flat, math.fsum(lost)
