"""Several deterministic machines run side by side as one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lawful.errors import MachineError

__all__ = ["product"]

IntArray = npt.NDArray[np.int32]


def product(deltas: Sequence[IntArray], *, limit: int = 100_000) -> tuple[IntArray, IntArray]:
    """The transition table of machines that read the same symbols together, as far as they can be reached.

    Parameters
    ----------
    deltas : sequence of n int32 arrays (S_i, C)
        Each starts in its state 0.
    limit : int
        More states than this raise `MachineError`.

    Returns
    -------
    delta : int32 array (S, C)
        States are numbered breadth first.
    members : int32 array (S, n)
        The states in which the machines are.

    Examples
    --------
    >>> delta, members = product([np.array([[1], [0]]), np.array([[1], [2], [0]])])
    >>> len(delta), members[1].tolist()
    (6, [1, 1])
    """
    if not deltas:
        raise MachineError("there must be at least one machine to combine, got none")
    widths = {delta.shape[1] for delta in deltas}
    if len(widths) != 1:
        raise MachineError(
            f"machines that are combined must have the same number of classes, got {sorted(widths)}"
        )
    delta = np.zeros((1, widths.pop()), dtype=np.int32)
    members = np.zeros((1, 0), dtype=np.int32)
    for other in deltas:  # two at a time never visits more states than all at once
        delta, left, right = _pair(delta, other, limit)
        members = np.column_stack([members[left], right])
    return delta, members


def _pair(left: IntArray, right: IntArray, limit: int) -> tuple[IntArray, IntArray, IntArray]:
    size = len(right)
    scaled = left.astype(np.int64) * size  # the pair (a, b) is coded as a * size + b
    order = {0: 0}
    queue = [0]
    rows: list[list[int]] = []
    for code in queue:  # grows inside the loop
        a, b = divmod(code, size)
        row = []
        for target in (scaled[a] + right[b]).tolist():
            number = order.setdefault(target, len(order))
            if number == len(queue):
                if number >= limit:
                    raise MachineError(f"the machine has more than {limit} states")
                queue.append(target)
            row.append(number)
        rows.append(row)
    codes = np.asarray(queue, dtype=np.int64)
    delta = np.asarray(rows, dtype=np.int32).reshape(len(queue), left.shape[1])
    return delta, (codes // size).astype(np.int32), (codes % size).astype(np.int32)
