"""Labellings drawn from a trellis without rules: what `Marginals` does by a graph, without one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.decoding.answers.sampling import draw_array
from lawful.lattice import AnyLattice, Lattice

__all__ = ["Draws", "PlainDraws", "draws_without_graph"]


class Draws(Protocol):
    """What can be drawn from, and knows how probable a labelling is."""

    def confidence(self, labels: Sequence[str]) -> float:
        """The probability of a whole labelling."""
        ...

    def sample_array(self, n: int, *, seed: int | np.random.Generator | None = None) -> npt.NDArray[np.int32]:
        """Random labellings as numbers of labels (n, T)."""
        ...


class PlainDraws:
    """The labellings of a trellis, which a seed draws as `Marginals` would.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[0.0, 1.0], [0.0, 0.0]], labels=["A", "B"])
    >>> draws, marginals = draws_without_graph(lattice), lawful.marginals(lattice)
    >>> bool((draws.sample_array(9, seed=1) == marginals.sample_array(9, seed=1)).all())
    True
    >>> round(draws.confidence(["B", "A"]), 6) == round(marginals.confidence(["B", "A"]), 6)
    True
    """

    def __init__(self, lattice: Lattice, sampler: _core.ChainSampler) -> None:
        self._lattice, self._sampler = lattice, sampler

    def confidence(self, labels: Sequence[str]) -> float:
        """The probability of a whole labelling; 0 if the lattice forbids it."""
        path = np.array(self._lattice.labels.encode(labels), dtype=np.int32)
        return math.exp(min(0.0, self._sampler.log_probability(self._lattice.core, path)))

    def sample_array(self, n: int, *, seed: int | np.random.Generator | None = None) -> npt.NDArray[np.int32]:
        """Random labellings as numbers of labels (n, T), each drawn with exactly its probability."""
        return draw_array(self._sampler, n, seed)


def draws_without_graph(lattice: AnyLattice) -> PlainDraws | None:
    """None for a lattice that needs a graph: its steps differ, or its scores spread far."""
    sampler = _core.ChainSampler.of(lattice.core) if type(lattice) is Lattice else None
    return None if sampler is None or not isinstance(lattice, Lattice) else PlainDraws(lattice, sampler)
