"""Which states are on a path from the start to acceptance; the others are useless."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from lawful.automata.acceptor import Dfa, Nfa

__all__ = ["live", "trim"]


def trim(nfa: Nfa) -> Nfa:
    """The same language without the states that no start reaches or that reach no final. The rest is renumbered.

    Examples
    --------
    >>> nfa = Nfa(2, [0], [1], [(0, 0, 1), (0, 1, 2), (3, 0, 1)])
    >>> trim(nfa).states, trim(nfa).arcs
    (2, ((0, 0, 1),))
    """
    forward: list[list[int]] = [[] for _ in range(nfa.states)]
    backward: list[list[int]] = [[] for _ in range(nfa.states)]
    for source, _, target in nfa.arcs:
        forward[source].append(target)
        backward[target].append(source)
    useful = _reach(nfa.starts, forward) & _reach(nfa.finals, backward)
    number = {state: i for i, state in enumerate(sorted(useful))}
    return Nfa(
        nfa.classes,
        [number[state] for state in nfa.starts if state in useful],
        [number[state] for state in nfa.finals if state in useful],
        [(number[s], symbol, number[t]) for s, symbol, t in nfa.arcs if s in useful and t in useful],
    )


def live(dfa: Dfa) -> npt.NDArray[np.bool_]:
    """The states from which the machine can still accept: bool array (S,).

    Examples
    --------
    >>> live(Dfa([[0, 1], [1, 1]], [True, False])).tolist()
    [True, False]
    """
    backward: list[list[int]] = [[] for _ in range(dfa.states)]
    for source, row in enumerate(dfa.delta.tolist()):
        for target in set(row):
            backward[target].append(source)
    alive = np.zeros(dfa.states, dtype=np.bool_)
    alive[list(_reach(np.flatnonzero(dfa.accepting).tolist(), backward))] = True
    return alive


def _reach(starts: Iterable[int], following: list[list[int]]) -> set[int]:
    reached = set(starts)
    stack = list(reached)
    while stack:
        for target in following[stack.pop()]:
            if target not in reached:
                reached.add(target)
                stack.append(target)
    return reached
