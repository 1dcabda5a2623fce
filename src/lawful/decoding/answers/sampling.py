"""Exact samples: each label sequence comes with its own probability, no burn-in, no rejections."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.solvers.engine import core_limits
from lawful.solvers.problem import Limits
from lawful.support.numbers import check_count, check_seed

__all__ = ["NO_LIMITS", "draw", "draw_array"]

NUMBERS_AT_ONCE = 1_000_000
NO_LIMITS = Limits()


def draw(
    distribution: _core.Distribution,
    n: int,
    seed: int | np.random.Generator | None,
    limits: Limits = NO_LIMITS,
) -> Iterator[list[int]]:
    """Label sequences as positions in the label set.

    The random numbers are numpy's, so a seed gives the same samples on every machine.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> graph = _core.Graph.from_trellis(Lattice([[0.0, -1e9], [-1e9, 0.0]]).core)
    >>> list(draw(_core.Distribution(graph), 2, seed=0))
    [[0, 1], [0, 1]]
    """
    for numbers in _uniform(distribution, n, seed):
        try:
            samples = distribution.sample(numbers, core_limits(limits))
        except _core.LimitReached as reached:
            raise limits.reached(str(reached)) from None
        yield from samples


def draw_array(
    distribution: _core.Distribution | _core.ChainSampler, n: int, seed: int | np.random.Generator | None
) -> npt.NDArray[np.int32]:
    """The same without limits as one array (n, T), where all label sequences have the same length.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> graph = _core.Graph.from_trellis(Lattice([[0.0, -1e9], [-1e9, 0.0]]).core)
    >>> draw_array(_core.Distribution(graph), 2, seed=0).tolist()
    [[0, 1], [0, 1]]
    """
    length = distribution.length
    blocks = [
        distribution.sample_array(numbers).reshape(-1, length) for numbers in _uniform(distribution, n, seed)
    ]
    return np.concatenate(blocks) if blocks else np.zeros((0, length), dtype=np.int32)


def _uniform(
    distribution: _core.Distribution | _core.ChainSampler, n: int, seed: int | np.random.Generator | None
) -> Iterator[npt.NDArray[np.float64]]:
    """Random numbers for n label sequences, a row for each."""
    n = check_count("n", n)
    rng = np.random.default_rng(check_seed("seed", seed))
    width = distribution.length + 1
    at_once = max(1, NUMBERS_AT_ONCE // width)
    for done in range(0, n, at_once):
        yield rng.random((min(at_once, n - done), width))
