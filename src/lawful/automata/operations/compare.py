"""Whether two machines accept the same sequences, and if not, a shortest one that only one accepts."""

from __future__ import annotations

from lawful.automata.acceptor import Dfa
from lawful.automata.operations.boolean import difference, symmetric_difference
from lawful.errors import MachineError

__all__ = ["counterexample", "equivalent", "includes", "is_empty", "shortest_accepted"]


def shortest_accepted(dfa: Dfa) -> tuple[int, ...] | None:
    """A shortest sequence that the machine accepts, the first of them in symbol order; None if there is none.

    Examples
    --------
    >>> shortest_accepted(Dfa([[0, 1], [0, 2], [2, 2]], [False, False, True]))
    (1, 1)
    """
    rows, accepting = dfa.delta.tolist(), dfa.accepting.tolist()
    came_from: dict[int, tuple[int, int]] = {0: (0, 0)}
    queue = [0]
    for state in queue:  # grows inside the loop
        if accepting[state]:
            word = []
            while state != 0:
                state, symbol = came_from[state]
                word.append(symbol)
            return tuple(reversed(word))
        for symbol, target in enumerate(rows[state]):
            if target not in came_from:
                came_from[target] = (state, symbol)
                queue.append(target)
    return None


def is_empty(dfa: Dfa) -> bool:
    """Whether the machine accepts nothing.

    Examples
    --------
    >>> is_empty(Dfa([[0], [1]], [False, True]))  # state 1 is out of reach
    True
    """
    return shortest_accepted(dfa) is None


def counterexample(left: Dfa, right: Dfa, *, limit: int = 100_000) -> tuple[int, ...] | None:
    """A shortest sequence that one machine accepts and the other does not; None if they are equivalent.

    Examples
    --------
    >>> counterexample(Dfa([[1], [0]], [True, False]), Dfa([[0]], [True]))
    (0,)
    """
    return shortest_accepted(symmetric_difference(left, right, limit=limit))


def includes(larger: Dfa, smaller: Dfa, *, limit: int = 100_000) -> bool:
    """Whether `larger` accepts everything that `smaller` accepts.

    Examples
    --------
    >>> everything, even = Dfa([[0]], [True]), Dfa([[1], [0]], [True, False])
    >>> includes(everything, even), includes(even, everything)
    (True, False)
    """
    return is_empty(difference(smaller, larger, limit=limit))


def equivalent(left: Dfa, right: Dfa) -> bool:
    """Whether the machines accept exactly the same sequences.

    The algorithm is that of Hopcroft and Karp: assume that the starts are the same, draw the conclusions, and look
    for a contradiction. It takes no more steps than there are states in both, where a product could take as many
    as there are pairs.

    Examples
    --------
    >>> equivalent(Dfa([[1], [0]], [True, True]), Dfa([[0]], [True]))
    True
    """
    if left.classes != right.classes:
        raise MachineError(
            f"only machines over the same classes compare, got {left.classes} and {right.classes}"
        )
    shift = left.states
    rows = left.delta.tolist() + (right.delta + shift).tolist()
    accepting = left.accepting.tolist() + right.accepting.tolist()
    leader = list(range(len(rows)))

    def find(state: int) -> int:
        while leader[state] != state:
            leader[state] = leader[leader[state]]
            state = leader[state]
        return state

    pending = [(0, shift)]
    while pending:
        a, b = (find(state) for state in pending.pop())
        if a == b:
            continue
        if accepting[a] != accepting[b]:
            return False
        leader[a] = b
        pending.extend(zip(rows[a], rows[b], strict=True))
    return True
