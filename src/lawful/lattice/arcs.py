"""Reads arcs one by one into arrays, and names the one that is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import index as as_index
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.errors import DtypeError, GraphError, ScoreError
from lawful.labels import LabelSet

__all__ = ["ArcReader", "legal_score"]


class ArcReader:
    """Collects arcs. States get numbers from 0 in the order in which they are met.

    Examples
    --------
    >>> reader = ArcReader(LabelSet(["O"]))
    >>> reader.add(0, (5, 9, "O", 1.0))
    >>> (source, target, label, weight), final = reader.finish(5, [9])
    >>> source, final
    (array([0], dtype=int32), array([-inf,   0.]))
    """

    def __init__(self, labels: LabelSet) -> None:
        self.labels = labels
        self.number: dict[int, int] = {}
        self._source: list[int] = []
        self._target: list[int] = []
        self._label: list[int] = []
        self._weight: list[float] = []

    def add(self, index: int, arc: Any) -> None:
        """Check one arc (source, target, label or None, weight) and keep it."""
        try:
            source, target, name, weight = arc
        except (TypeError, ValueError):
            raise GraphError(
                f"arc {index} must be (source, target, label, weight), got {arc!r}", arc=index
            ) from None
        label = -1 if name is None else self.labels.index(name, where=f"arc {index}")
        self._source.append(self._state(source, index))
        self._target.append(self._state(target, index))
        self._label.append(label)
        self._weight.append(legal_score(weight, "arcs", index, name))

    def finish(
        self, start: int, finals: Mapping[int, float] | Iterable[int]
    ) -> tuple[tuple[npt.NDArray[Any], ...], npt.NDArray[np.float64]]:
        """The arcs as arrays (source, target, label, weight), and the score of ending in each state."""
        ends = dict(finals) if isinstance(finals, Mapping) else dict.fromkeys(finals, 0.0)
        if not ends:
            raise GraphError("a graph needs at least one final state, got none")
        if start not in self.number:
            if self._source or start not in ends:
                raise GraphError(f"no arc leaves the start, state {start!r}", state=start)
            self._state(start, None)
        final = np.full(len(self.number), -np.inf)
        for state, weight in ends.items():
            if state not in self.number:
                raise GraphError(f"no arc reaches the final state {state!r}", state=state)
            final[self.number[state]] = legal_score(weight, "finals", state, None)
        ints = (np.array(column, dtype=np.int32) for column in (self._source, self._target, self._label))
        return (*ints, np.array(self._weight, dtype=np.float64)), final

    def _state(self, state: Any, arc: int | None) -> int:
        try:
            key = as_index(state)
        except TypeError:
            key = -1
        if not 0 <= key < 1 << 63 or isinstance(state, bool):
            where = "the start" if arc is None else f"arc {arc}"
            raise GraphError(f"{where}: a state is a number 0, 1, 2, ..., got {state!r}", arc=arc)
        return self.number.setdefault(key, len(self.number))


def legal_score(weight: Any, array: str, index: int, label: str | None) -> float:
    """A finite number or -inf; anything else is refused with its place."""
    try:
        score = float(weight)
    except (TypeError, ValueError):
        raise DtypeError(f"{array}[{index}]", "a number", repr(weight)) from None
    if not score < float("inf"):
        raise ScoreError(array, (index,), score, label)
    return score
