"""Counting machines as acceptors and back, counting once, and sums. All results are minimal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lawful.automata.acceptor import Dfa
from lawful.automata.counting import CountingMachine
from lawful.automata.operations.minimization import minimize, minimize_counting
from lawful.automata.operations.product import product

__all__ = ["add", "count_once", "from_dfa", "obeyed"]


def count_once(machine: CountingMachine) -> CountingMachine:
    """Count only the first violation, and only as 1.

    Examples
    --------
    >>> each = CountingMachine.from_lists([[0, 0]], [[0, 2]], [0])
    >>> each.count([1, 0, 1]), count_once(each).count([1, 0, 1])
    (4, 1)
    """
    sink = np.zeros(1, dtype=np.int32)
    violations = np.vstack([machine.violations > 0, np.zeros(machine.classes, dtype=np.bool_)])
    final = np.concatenate([machine.final > 0, sink])
    return minimize_counting(CountingMachine(machine.until_violation(), violations.astype(np.int32), final))


def obeyed(machine: CountingMachine) -> Dfa:
    """Accept exactly the sequences without a violation.

    Examples
    --------
    >>> never_one = obeyed(CountingMachine.from_lists([[0, 0]], [[0, 1]], [0]))
    >>> never_one.accepts([0, 0]), never_one.accepts([0, 1])
    (True, False)
    """
    return minimize(Dfa(machine.until_violation(), np.append(machine.final == 0, np.False_)))


def from_dfa(dfa: Dfa) -> CountingMachine:
    """Count 1 at the end of a sequence that the machine does not accept.

    Examples
    --------
    >>> even = from_dfa(Dfa([[0, 1], [1, 0]], [True, False]))
    >>> even.count([1, 1]), even.count([1, 0])
    (0, 1)
    """
    return minimize_counting(
        CountingMachine(dfa.delta, np.zeros_like(dfa.delta), (~dfa.accepting).astype(np.int32))
    )


def add(machines: Sequence[CountingMachine], *, limit: int = 100_000) -> CountingMachine:
    """Count the violations of all machines together, each at its own step.

    Parameters
    ----------
    machines : sequence of CountingMachine over the same classes
    limit : int
        More states than this before minimization raise `MachineError`.

    Examples
    --------
    >>> ones, twos = (CountingMachine.from_lists([[0, 0, 0]], [[0, c == 1, c == 2]], [0]) for c in (1, 2))
    >>> add([ones, twos]).count([0, 1, 2, 2])
    3
    """
    delta, members = product([machine.delta for machine in machines], limit=limit)
    violations = np.zeros_like(delta)
    final = np.zeros(len(delta), dtype=np.int32)
    for i, machine in enumerate(machines):
        violations += machine.violations[members[:, i]]
        final += machine.final[members[:, i]]
    return minimize_counting(CountingMachine(delta, violations, final))
