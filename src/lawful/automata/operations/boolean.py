"""And, or, not: the languages of deterministic machines as sets.

Results hold reachable states only, but are not minimal; see `minimize`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lawful.automata.acceptor import Dfa
from lawful.automata.operations.product import product

__all__ = ["combine", "complement", "difference", "intersection", "symmetric_difference", "union_dfa"]


def combine(
    machines: Sequence[Dfa], keep: Callable[[tuple[bool, ...]], bool], *, limit: int = 100_000
) -> Dfa:
    """Accept the sequences for which `keep` is true of the machines' answers.

    Parameters
    ----------
    machines : sequence of Dfa over the same classes
    keep : function of a tuple of bool
        Given whether each machine accepts; `all` and `any` do.
    limit : int
        More states than this raise `MachineError`.

    Examples
    --------
    At least two of three:

    >>> ends_in = [Dfa([[c == 0, c == 1], [c == 0, c == 1]], [False, True]) for c in (0, 1)]
    >>> anything = Dfa([[0, 0]], [True])
    >>> combine([*ends_in, anything], lambda answers: sum(answers) >= 2).accepts([0, 1])
    True
    """
    delta, members = product([machine.delta for machine in machines], limit=limit)
    answers = np.column_stack([machine.accepting[members[:, i]] for i, machine in enumerate(machines)])
    patterns, pattern_of = np.unique(answers, axis=0, return_inverse=True)
    kept = np.asarray([bool(keep(tuple(pattern))) for pattern in patterns.tolist()])
    return Dfa(delta, kept[pattern_of.reshape(-1)])


def intersection(*machines: Dfa, limit: int = 100_000) -> Dfa:
    """Accept what all machines accept.

    Examples
    --------
    >>> even, short = Dfa([[1], [0]], [True, False]), Dfa([[1], [2], [2]], [True, True, False])
    >>> both = intersection(even, short)
    >>> [both.accepts([0] * times) for times in range(3)]
    [True, False, False]
    """
    return combine(machines, all, limit=limit)


def union_dfa(*machines: Dfa, limit: int = 100_000) -> Dfa:
    """Accept what any of the machines accepts.

    Examples
    --------
    >>> even, short = Dfa([[1], [0]], [True, False]), Dfa([[1], [2], [2]], [True, True, False])
    >>> either = union_dfa(even, short)
    >>> [either.accepts([0] * times) for times in range(4)]
    [True, True, True, False]
    """
    return combine(machines, any, limit=limit)


def difference(left: Dfa, right: Dfa, *, limit: int = 100_000) -> Dfa:
    """Accept what `left` accepts and `right` does not.

    Examples
    --------
    >>> even, short = Dfa([[1], [0]], [True, False]), Dfa([[1], [2], [2]], [True, True, False])
    >>> rest = difference(even, short)
    >>> [rest.accepts([0] * times) for times in range(4)]
    [False, False, True, False]
    """
    return combine((left, right), lambda answers: answers[0] and not answers[1], limit=limit)


def symmetric_difference(left: Dfa, right: Dfa, *, limit: int = 100_000) -> Dfa:
    """Accept what exactly one of the two accepts.

    Examples
    --------
    >>> even, short = Dfa([[1], [0]], [True, False]), Dfa([[1], [2], [2]], [True, True, False])
    >>> one = symmetric_difference(even, short)
    >>> [one.accepts([0] * times) for times in range(4)]
    [False, True, True, False]
    """
    return combine((left, right), lambda answers: answers[0] != answers[1], limit=limit)


def complement(dfa: Dfa) -> Dfa:
    """Accept what the machine rejects.

    Examples
    --------
    >>> even = Dfa([[1], [0]], [True, False])
    >>> complement(even).accepts([0])
    True
    """
    return Dfa(dfa.delta, ~dfa.accepting)
