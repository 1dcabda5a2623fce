"""The smallest machines, from which `lawful.automata.operations.rational` builds all others."""

from __future__ import annotations

from collections.abc import Iterable

from lawful.automata.acceptor import Arc, Nfa

__all__ = ["any_symbol", "epsilon", "from_sequences", "literal", "nothing", "symbols"]


def nothing(classes: int) -> Nfa:
    """Accept no sequence at all.

    Examples
    --------
    >>> nothing(2).accepts([])
    False
    """
    return Nfa(classes, (), (), ())


def epsilon(classes: int) -> Nfa:
    """Accept the empty sequence only.

    Examples
    --------
    >>> epsilon(2).accepts([]), epsilon(2).accepts([0])
    (True, False)
    """
    return Nfa(classes, (0,), (0,), ())


def symbols(members: Iterable[int], classes: int) -> Nfa:
    """Accept one symbol, which must be one of `members`.

    Examples
    --------
    >>> pair = symbols({0, 2}, classes=3)
    >>> [pair.accepts([symbol]) for symbol in range(3)]
    [True, False, True]
    """
    return Nfa(classes, (0,), (1,), [(0, symbol, 1) for symbol in members])


def literal(symbol: int, classes: int) -> Nfa:
    """Accept this one symbol.

    Examples
    --------
    >>> literal(1, classes=2).accepts([1])
    True
    """
    return symbols((symbol,), classes)


def any_symbol(classes: int) -> Nfa:
    """Accept any one symbol.

    Examples
    --------
    >>> any_symbol(2).accepts([0]), any_symbol(2).accepts([0, 1])
    (True, False)
    """
    return symbols(range(classes), classes)


def from_sequences(sequences: Iterable[Iterable[int]], classes: int) -> Nfa:
    """Accept exactly these sequences. Common beginnings share their states.

    Examples
    --------
    >>> words = from_sequences([[0, 1], [0, 1, 1], []], classes=2)
    >>> words.accepts([0, 1, 1]), words.accepts([]), words.accepts([0]), words.states
    (True, True, False, 4)
    """
    children: list[dict[int, int]] = [{}]
    ends = set()
    for sequence in sequences:
        state = 0
        for symbol in sequence:
            if symbol not in children[state]:
                children[state][symbol] = len(children)
                children.append({})
            state = children[state][symbol]
        ends.add(state)
    arcs: list[Arc] = [(s, c, t) for s, row in enumerate(children) for c, t in row.items()]
    return Nfa(classes, (0,), tuple(ends), arcs)
