"""The independent judge of scores: a path is added up by the definition, which shares nothing with the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import numpy.typing as npt

from lawful.errors import UnknownLabelError
from lawful.labels import LabelSet
from lawful.lattice.base import AnyLattice
from lawful.lattice.sums import add_up

__all__ = ["path_score", "path_terms"]


def path_score(lattice: AnyLattice, labels: Sequence[str] | Sequence[int]) -> float:
    """The score that a lattice gives to one label sequence; -inf if it forbids it. No rules.

    Parameters
    ----------
    lattice : Lattice or GraphLattice
        In a graph, the best of the paths that spell the labels counts.
    labels : sequence of str, or of int
        Label names, or their positions in `lattice.labels`.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> lattice = Lattice([[1.0, 0.0], [0.0, 2.0]], [[0.0, -0.5], [0.0, 0.0]], labels=["O", "Name"])
    >>> path_score(lattice, ["O", "Name"])
    2.5
    """
    return add_up(path_terms(lattice, labels)).score


def path_terms(lattice: AnyLattice, labels: Sequence[str] | Sequence[int]) -> list[float]:
    """What `path_score` adds up; -inf is among it if the lattice forbids the labels.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> path_terms(Lattice([[1.0, 0.0], [0.0, 2.0]], [[0.0, -0.5], [0.0, 0.0]]), [0, 1])
    [1.0, 2.0, -0.5]
    """
    return lattice.terms(_indices(labels, lattice.labels))


def _indices(labels: Sequence[str] | Sequence[int], known: LabelSet) -> npt.NDArray[np.intp]:
    if len(labels) and isinstance(labels[0], str):  # nearly always
        return np.array(known.encode(cast("Sequence[str]", labels)), dtype=np.intp)
    path = [known.index(label) if isinstance(label, str) else int(label) for label in labels]
    for label in path:
        if not 0 <= label < len(known):
            raise UnknownLabelError(str(label), tuple(known))
    return np.array(path, dtype=np.intp)
