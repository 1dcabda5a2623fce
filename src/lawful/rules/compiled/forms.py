"""The forms that rules compile to, and the steps that all compilations share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.automata.counting import CountingMachine, explore
from lawful.automata.operations.minimization import merge_classes, minimize_counting
from lawful.errors import MachineError, RuleTooLargeError
from lawful.labels import LabelSet
from lawful.rules.example import BoundMachine, Example

__all__ = [
    "MAX_STATES",
    "StaticRule",
    "Table",
    "build",
    "count_ones",
    "frozen",
    "membership",
    "tighten",
]

Table = npt.NDArray[np.uint16]

MAX_STATES = 10_000


@dataclass(frozen=True, eq=False)
class StaticRule:
    """A rule that looks at labels only: one machine for every sequence.

    Examples
    --------
    >>> machine = CountingMachine.from_lists([[0, 0]], [[0, 1]], [0])
    >>> rule = StaticRule(BoundMachine(machine, frozen(np.array([[0, 1]]))))
    >>> rule.static, len(rule.bind(Example(3)))
    (True, 1)
    """

    bound: BoundMachine
    static = True

    def bind(self, example: Example) -> Sequence[BoundMachine]:
        """The one machine, whatever the example."""
        return (self.bound,)


def build(
    rule: str,
    start: Hashable,
    classes: int,
    step: Callable[[Any, int], tuple[Hashable, int]],
    end: Callable[[Any], int],
) -> CountingMachine:
    """`explore`, but a machine that outgrows `MAX_STATES` is the rule's fault.

    Examples
    --------
    >>> build("once", 0, 2, lambda seen, c: (seen | c, seen & c), lambda seen: 0).states
    2
    """
    try:
        return explore(start, classes, step, end, limit=MAX_STATES)
    except MachineError:
        raise RuleTooLargeError(rule, MAX_STATES + 1, MAX_STATES) from None


def count_ones() -> CountingMachine:
    """The machine with one state, over the classes 0 (allowed) and 1 (a violation).

    Examples
    --------
    >>> count_ones().count([0, 1, 1])
    2
    """
    return CountingMachine.from_lists([[0, 0]], [[0, 1]], [0])


def membership(labels: LabelSet, *sets: Sequence[str], where: str) -> Table:
    """The table (1, K) that reads a label as a class whose bit i says whether it is in the i-th set.

    Examples
    --------
    >>> membership(LabelSet(["A", "B", "C"]), ["B", "C"], ["C"], where="a rule").tolist()
    [[0, 1, 3]]
    """
    table = np.zeros((1, len(labels)), dtype=np.uint16)
    for bit, names in enumerate(sets):
        table[0, list(labels.present(names, where=where))] |= np.uint16(1 << bit)
    return table


def tighten(machine: CountingMachine, table: Table) -> tuple[CountingMachine, Table]:
    """The smallest machine that counts the same, over as few classes as possible.

    Examples
    --------
    >>> machine = CountingMachine.from_lists([[0, 0, 0]], [[0, 1, 0]], [0])
    >>> machine, table = tighten(machine, np.array([[0, 2]], dtype=np.uint16))
    >>> machine.classes, table.tolist()
    (1, [[0, 0]])
    """
    used, inverse = np.unique(table, return_inverse=True)
    machine = CountingMachine(machine.delta[:, used], machine.violations[:, used], machine.final)
    machine, table = merge_classes(minimize_counting(machine), frozen(inverse.reshape(table.shape)))
    return machine, frozen(table)


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[np.uint16]:
    """The array as read-only uint16.

    Examples
    --------
    >>> frozen(np.array([1, 2])).flags.writeable
    False
    """
    array = np.array(array, dtype=np.uint16, order="C")
    array.setflags(write=False)
    return array
