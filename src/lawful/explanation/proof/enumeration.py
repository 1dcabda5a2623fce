"""Every label sequence that a trellis scores above some value: the slowest proof, and the most independent one.

Rules only lower scores. So if no sequence that scores more without rules still does with them, by their reference
meaning, nothing beats the answer; no machine, no search and no compiled code takes part in that.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lawful.lattice import Lattice
from lawful.lattice.arrays import Floats

__all__ = ["sequences_above"]


def sequences_above(lattice: Lattice, score: float) -> Iterator[tuple[int, ...]]:
    """Every label sequence, as indices in the label set, to which the lattice alone gives more than a score.

    Examples
    --------
    >>> lattice = Lattice([[2.0, 0.0], [0.0, 1.0]])
    >>> list(sequences_above(lattice, 1.5))
    [(0, 1), (0, 0)]
    """
    length, count = lattice.emissions.shape
    steps = np.zeros((count, count)) if lattice.transitions is None else lattice.transitions
    steps = np.broadcast_to(steps, (length - 1, count, count))
    rest = _completions(lattice, steps)
    first = lattice.emissions[0] + (0.0 if lattice.start is None else lattice.start)
    prefixes: list[tuple[tuple[int, ...], float]] = [
        ((k,), first[k]) for k in range(count) if first[k] + rest[0, k] > score
    ]
    while prefixes:
        prefix, reached = prefixes.pop()
        t = len(prefix)
        if t == length:
            yield prefix
            continue
        further = reached + steps[t - 1, prefix[-1]] + lattice.emissions[t]
        prefixes += [((*prefix, k), further[k]) for k in np.flatnonzero(further + rest[t] > score).tolist()]


def _completions(lattice: Lattice, steps: Floats) -> Floats:
    """The best score (T, K) of everything after a label at a position."""
    rest = np.zeros(lattice.emissions.shape)
    if lattice.end is not None:
        rest[-1] = lattice.end
    for t in range(len(rest) - 2, -1, -1):
        rest[t] = (steps[t] + lattice.emissions[t + 1] + rest[t + 1]).max(axis=1)
    return rest
