"""The operations of regular expressions, on nondeterministic machines."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.automata.acceptor import EPSILON, Arc, Nfa
from lawful.errors import MachineError

__all__ = ["concatenate", "optional", "plus", "repeat", "star", "union"]


def union(*machines: Nfa) -> Nfa:
    """Accept what any of the machines accepts.

    Examples
    --------
    >>> from lawful.automata.operations.build import literal
    >>> either = union(literal(0, 3), literal(2, 3))
    >>> [either.accepts([symbol]) for symbol in range(3)]
    [True, False, True]
    """
    classes = _common_classes(machines)
    starts: list[int] = []
    finals: list[int] = []
    arcs: list[Arc] = []
    offset = 0
    for machine in machines:
        starts += [offset + state for state in machine.starts]
        finals += [offset + state for state in machine.finals]
        arcs += [(offset + source, symbol, offset + target) for source, symbol, target in machine.arcs]
        offset += machine.states
    return Nfa(classes, starts, finals, arcs)


def concatenate(*machines: Nfa) -> Nfa:
    """Accept a sequence of each machine, one after the other.

    Examples
    --------
    >>> from lawful.automata.operations.build import literal
    >>> concatenate(literal(0, 2), literal(1, 2)).accepts([0, 1])
    True
    """
    return Nfa(_common_classes(machines), (0,), (len(machines),), _chain(machines))


def repeat(machine: Nfa, minimum: int, maximum: int | None = None) -> Nfa:
    """Accept `minimum` to `maximum` sequences of the machine in a row; without a maximum, any number from `minimum` on.

    Examples
    --------
    >>> from lawful.automata.operations.build import literal
    >>> few = repeat(literal(0, 1), 1, 2)
    >>> [few.accepts([0] * times) for times in range(4)]
    [False, True, True, False]
    """
    if minimum < 0 or (maximum is not None and maximum < minimum):
        raise MachineError(f"a repetition needs 0 <= minimum <= maximum, got {minimum} and {maximum}")
    if maximum is None:
        last = max(minimum, 1)
        arcs = [*_chain([machine] * last), (last, EPSILON, last - 1)]  # go around the last copy again
    else:
        last = maximum
        arcs = _chain([machine] * last)
    return Nfa(machine.classes, (0,), range(minimum, last + 1), arcs)


def star(machine: Nfa) -> Nfa:
    """Accept any number of sequences of the machine in a row, none included.

    Examples
    --------
    >>> from lawful.automata.operations.build import literal
    >>> star(literal(1, 2)).accepts([]), star(literal(1, 2)).accepts([1, 1, 1])
    (True, True)
    """
    return repeat(machine, 0)


def plus(machine: Nfa) -> Nfa:
    """Accept one or more sequences of the machine in a row.

    Examples
    --------
    >>> from lawful.automata.operations.build import literal
    >>> plus(literal(1, 2)).accepts([]), plus(literal(1, 2)).accepts([1, 1, 1])
    (False, True)
    """
    return repeat(machine, 1)


def optional(machine: Nfa) -> Nfa:
    """Accept what the machine accepts, or nothing at all.

    Examples
    --------
    >>> from lawful.automata.operations.build import literal
    >>> optional(literal(1, 2)).accepts([]), optional(literal(1, 2)).accepts([1, 1])
    (True, False)
    """
    return repeat(machine, 0, 1)


def _chain(machines: Sequence[Nfa]) -> list[Arc]:
    """Machine `i` between the fresh states `i` and `i + 1`.

    One state between two machines, rather than an arc from every final to every start, keeps the number of arcs
    linear and gives `repeat` the states at which to stop and to turn back.
    """
    arcs: list[Arc] = []
    offset = len(machines) + 1
    for before, machine in enumerate(machines):
        arcs += [(before, EPSILON, offset + state) for state in machine.starts]
        arcs += [(offset + source, symbol, offset + target) for source, symbol, target in machine.arcs]
        arcs += [(offset + state, EPSILON, before + 1) for state in machine.finals]
        offset += machine.states
    return arcs


def _common_classes(machines: Sequence[Nfa]) -> int:
    if not machines:
        raise MachineError("there must be at least one machine to combine, got none")
    widths = {machine.classes for machine in machines}
    if len(widths) != 1:
        raise MachineError(
            f"machines that are combined must have the same number of classes, got {sorted(widths)}"
        )
    return widths.pop()
