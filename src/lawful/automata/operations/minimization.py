"""The smallest machine that does the same, by Hopcroft's partition refinement.

The result is canonical: its states are numbered breadth first from the start, so two machines do the same if and
only if their minimal tables are equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.automata.acceptor import Dfa
from lawful.automata.counting import CountingMachine

__all__ = ["merge_classes", "merge_states", "minimize", "minimize_counting", "number_rows"]

IntArray = npt.NDArray[np.int32]


def minimize(dfa: Dfa) -> Dfa:
    """The smallest complete deterministic machine of the same language.

    Examples
    --------
    >>> dfa = Dfa([[1, 2], [1, 2], [2, 1]], [True, True, False])
    >>> smallest = minimize(dfa)
    >>> smallest.delta.tolist(), smallest.accepting.tolist()
    ([[0, 1], [1, 0]], [True, False])
    """
    delta, kept = merge_states(dfa.delta, dfa.accepting.astype(np.int32)[:, None])
    return Dfa(delta, dfa.accepting[kept])


def minimize_counting(machine: CountingMachine) -> CountingMachine:
    """The smallest machine that counts the same violations at the same steps.

    A count is never moved to an earlier or later step, even where that would save a state: the step is the token
    that a violation is reported at.

    Examples
    --------
    >>> machine = CountingMachine.from_lists([[1, 2], [2, 1], [1, 1]], [[0, 1], [0, 1], [0, 1]], [0, 0, 0])
    >>> minimize_counting(machine).states
    1
    """
    delta, kept = merge_states(machine.delta, np.column_stack([machine.violations, machine.final]))
    return CountingMachine(delta, machine.violations[kept], machine.final[kept])


def merge_states(delta: IntArray, signature: IntArray) -> tuple[IntArray, npt.NDArray[np.intp]]:
    """Merge the states that no sequence can distinguish by the signatures (S, n) on its way.

    Returns
    -------
    delta : int32 array (M, C)
    kept : int array (M,)
        One of the merged states for each state of the result.

    Examples
    --------
    >>> delta, kept = merge_states(np.array([[1, 2], [1, 2], [2, 1]]), np.array([[1], [1], [0]]))
    >>> delta.tolist(), kept.tolist()
    ([[0, 1], [1, 0]], [0, 2])
    """
    reached = _breadth_first(delta)
    number = np.zeros(len(delta), dtype=np.int32)
    number[reached] = np.arange(len(reached), dtype=np.int32)
    delta = number[delta[reached]]
    initial, _ = number_rows(signature[reached])
    _, unlike = number_rows(delta.T)
    block, member = number_rows(_refine(delta[:, unlike], initial.tolist())[:, None])
    merged = block[delta[member]].astype(np.int32)
    order = _breadth_first(merged, start=int(block[0]))
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank[merged[order]], reached[member[order]]


def _breadth_first(delta: IntArray, start: int = 0) -> npt.NDArray[np.intp]:
    """The states that can be reached, in the order in which they are met."""
    rows = delta.tolist()
    order = {start: None}
    queue = [start]
    for state in queue:  # grows inside the loop
        for target in rows[state]:
            if target not in order:
                order[target] = None
                queue.append(target)
    return np.asarray(queue, dtype=np.intp)


def _refine(delta: IntArray, initial: list[int]) -> IntArray:
    """Hopcroft: the coarsest partition, finer than `initial`, that every symbol maps block into block.

    Each popped block splits the others by which of their members step into it. Of a block's two halves only the
    smaller has to split again (the larger follows from it and from their union, which has split already), so
    a state is looked at no more than log S times for each symbol.
    """
    block_of = initial
    blocks: list[set[int]] = [set() for _ in range(max(block_of) + 1)]
    for state, block in enumerate(block_of):
        blocks[block].add(state)
    sources: list[list[list[int]]] = [[[] for _ in block_of] for _ in range(delta.shape[1])]
    for column, of_symbol in zip(delta.T.tolist(), sources, strict=True):
        for state, target in enumerate(column):
            of_symbol[target].append(state)
    largest = max(range(len(blocks)), key=lambda block: len(blocks[block]))
    waiting = {block for block in range(len(blocks)) if block != largest}
    while waiting:
        splitter = list(blocks[waiting.pop()])  # a copy: the block itself may be split below
        for of_symbol in sources:
            stepping: dict[int, list[int]] = {}
            for target in splitter:
                for state in of_symbol[target]:
                    stepping.setdefault(block_of[state], []).append(state)
            for block, members in stepping.items():
                if len(members) == len(blocks[block]):
                    continue
                fresh = len(blocks)
                blocks[block].difference_update(members)
                blocks.append(set(members))
                for state in members:
                    block_of[state] = fresh
                smaller = fresh if len(members) <= len(blocks[block]) else block
                waiting.add(fresh if block in waiting else smaller)
    return np.asarray(block_of, dtype=np.int32)


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


def number_rows(table: npt.NDArray[Any]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Number the different rows (R, n) in the order of their first appearance.

    By the rows' bytes: for the small tables of most rules `np.unique` along an axis takes many times as long.

    Returns
    -------
    number : int array (R,)
    first : int array (different rows,)
        The index at which each of them first appears.

    Examples
    --------
    >>> number, first = number_rows(np.array([[1, 2], [0, 0], [1, 2]]))
    >>> number.tolist(), first.tolist()
    ([0, 1, 0], [0, 1])
    """
    rows = np.ascontiguousarray(table)
    width = rows.itemsize * rows.shape[1]
    data = rows.tobytes()
    known: dict[bytes, int] = {}
    first: list[int] = []
    number = []
    for index in range(len(rows)):
        row = data[index * width : (index + 1) * width]
        group = known.get(row)
        if group is None:
            group = known[row] = len(first)
            first.append(index)
        number.append(group)
    return np.array(number, dtype=np.intp), np.array(first, dtype=np.intp)
