"""The smallest set of hard rules that contradict each other on one sequence."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

__all__ = ["smallest_contradiction"]


def smallest_contradiction(
    rules: Iterable[int], feasible: Callable[[frozenset[int]], bool]
) -> tuple[int, ...]:
    """The fewest rules that cannot all hold.

    Any set of rules that can hold together must leave out at least one rule of every contradiction. So each
    maximal feasible set tells, by what it leaves out, a set that every contradiction must touch; the smallest
    set that touches all of them is tried next, until one is infeasible.

    Parameters
    ----------
    rules : iterable of int
        Together they are infeasible.
    feasible : function of a frozenset of rules
        Whether they can all hold.

    Returns
    -------
    tuple of int
        Empty if nothing is feasible even without rules.

    Examples
    --------
    >>> smallest_contradiction(range(5), lambda rules: not {1, 3} <= rules and not {0, 2, 4} <= rules)
    (1, 3)
    """
    everything = frozenset(rules)
    to_touch: list[frozenset[int]] = []
    while True:
        candidate = _smallest_touching(to_touch, everything)
        if not feasible(candidate):
            return tuple(sorted(candidate))
        feasible_set = candidate
        for rule in sorted(everything - candidate):
            if feasible(feasible_set | {rule}):
                feasible_set |= {rule}
        to_touch.append(everything - feasible_set)


def _smallest_touching(sets: list[frozenset[int]], everything: frozenset[int]) -> frozenset[int]:
    """The smallest set that has a member in common with every one of the sets; the first of equals."""
    useful = sorted(frozenset().union(*sets) if sets else frozenset())
    for size in range(len(everything) + 1):
        for members in combinations(useful, size):
            chosen = frozenset(members)
            if all(chosen & members_of for members_of in sets):
                return chosen
    return everything
