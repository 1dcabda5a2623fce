"""Merging the classes that a machine does not distinguish."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lawful.automata.counting import CountingMachine
from lawful.automata.operations.distinct import number_rows

__all__ = ["merge_classes"]


def merge_classes(
    machine: CountingMachine, table: npt.NDArray[np.uint16]
) -> tuple[CountingMachine, npt.NDArray[np.uint16]]:
    """Merge the classes that the machine treats alike in every state.

    Parameters
    ----------
    machine : CountingMachine over C classes
    table : uint16 array of any shape
        Classes, as in `lawful.rules.example.BoundMachine`.

    Returns
    -------
    machine : CountingMachine over D <= C classes
        Classes keep their order. If there is nothing to merge, both results are the arguments themselves.
    table : uint16 array of the same shape
        What used to say `c` now says the class that `c` was merged into.

    Examples
    --------
    >>> machine = CountingMachine.from_lists([[0, 0, 0]], [[0, 1, 0]], [0])
    >>> smaller, table = merge_classes(machine, np.array([[0, 1, 2]], dtype=np.uint16))
    >>> smaller.classes, table.tolist()
    (2, [[0, 1, 0]])
    """
    columns = np.vstack([machine.delta, machine.violations])
    number, kept = number_rows(columns.T)
    if len(kept) == machine.classes:
        return machine, table
    merged = number.astype(table.dtype)
    smaller = CountingMachine(machine.delta[:, kept], machine.violations[:, kept], machine.final)
    return smaller, merged[table]
