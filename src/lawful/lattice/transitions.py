"""Transition scores, laid out once for a whole corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import EmptyLabelSetError, ShapeError
from lawful.lattice.arrays import Floats, float_array, refuse_illegal

__all__ = ["Transitions"]


class Transitions:
    """Transition scores, checked and laid out for the kernels. Frozen; share one among all lattices of a corpus.

    Parameters
    ----------
    scores : array (K, K), or (T-1, K, K) for one matrix per step
        `scores[i, j]` is the score of label `j` after label `i`; -inf forbids it.
    labels : sequence of str, optional
        Names for error messages.

    Examples
    --------
    >>> shared = Transitions([[0.0, -1.0], [-2.0, 0.0]])
    >>> shared.labels, shared.scores[1, 0]
    (2, np.float64(-2.0))
    """

    __slots__ = ("_core",)

    def __init__(self, scores: npt.ArrayLike, *, labels: Sequence[str] | None = None) -> None:
        array = float_array(scores, "transitions")
        shape = array.shape
        if len(shape) == 2:
            array = array[None]
        elif len(shape) != 3:
            raise ShapeError("transitions", "(K, K) or (T-1, K, K)", shape)
        if shape[-1] != shape[-2]:
            raise ShapeError("transitions", "(K, K) or (T-1, K, K)", shape)
        if shape[-1] == 0:
            raise EmptyLabelSetError
        try:
            self._core = _core.Transitions(array)
        except ValueError:
            names = labels if labels is not None else [str(k) for k in range(shape[-1])]
            refuse_illegal(array.reshape(shape), "transitions", names)
            raise

    @property
    def core(self) -> _core.Transitions:
        """What the kernels use."""
        return self._core

    @property
    def labels(self) -> int:
        """The number of labels K."""
        return self._core.labels

    @property
    def scores(self) -> Floats:
        """The scores, read-only: (K, K), or (M, K, K) if there is one matrix per step."""
        scores: Floats = np.asarray(self._core.scores)
        return scores[0] if len(scores) == 1 else scores

    def __reduce__(self) -> tuple[Any, ...]:
        """As data; lattices that share it still do after they were pickled together."""
        return Transitions, (np.array(self.scores),)

    def __repr__(self) -> str:
        return f"Transitions({self._core.matrices} x {self.labels} x {self.labels})"
