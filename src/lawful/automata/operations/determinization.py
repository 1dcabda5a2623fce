"""From nondeterministic to deterministic, by the subset construction."""

from __future__ import annotations

import numpy as np

from lawful.automata.acceptor import EPSILON, Dfa, Nfa
from lawful.errors import MachineError

__all__ = ["determinize"]


def determinize(nfa: Nfa, *, limit: int = 100_000) -> Dfa:
    """The complete deterministic machine of the same language.

    Its states are the sets of states that `nfa` can be in, numbered breadth first. It is not minimal; see
    `minimize`.

    Parameters
    ----------
    nfa : Nfa
    limit : int
        More states than this raise `MachineError`: there may be as many as 2 to the number of states of `nfa`.

    Examples
    --------
    The symbol before the last is a `1`:

    >>> nfa = Nfa(2, [0], [2], [(0, 0, 0), (0, 1, 0), (0, 1, 1), (1, 0, 2), (1, 1, 2)])
    >>> dfa = determinize(nfa)
    >>> dfa.states, dfa.accepts([0, 1, 0]), dfa.accepts([1, 0, 0])
    (4, True, False)
    """
    closures = [nfa.closure((state,)) for state in range(nfa.states)]
    steps = [
        {
            symbol: frozenset().union(*(closures[target] for target in targets))
            for symbol, targets in row.items()
            if symbol != EPSILON
        }
        for row in nfa.steps
    ]
    start = nfa.closure(nfa.starts)
    order = {start: 0}
    queue = [start]
    delta: list[list[int]] = []
    for members in queue:  # grows inside the loop
        reached: list[set[int]] = [set() for _ in range(nfa.classes)]
        for state in members:
            for symbol, targets in steps[state].items():
                reached[symbol] |= targets
        row = []
        for target in map(frozenset, reached):
            number = order.setdefault(target, len(order))
            if number == len(queue):
                if number >= limit:
                    raise MachineError(f"the machine has more than {limit} states")
                queue.append(target)
            row.append(number)
        delta.append(row)
    accepting = [not members.isdisjoint(nfa.finals) for members in queue]
    return Dfa(np.asarray(delta, dtype=np.int32).reshape(len(queue), nfa.classes), np.asarray(accepting))
