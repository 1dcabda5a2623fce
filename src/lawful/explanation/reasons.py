"""Which rules forced a change: the smallest sets of rules that force it without any others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lawful.explanation.leaving_out import Held, LeavingOut

__all__ = ["Reasons", "find_reasons"]


class Reasons(NamedTuple):
    """Why one token changed.

    Attributes
    ----------
    sets : tuple of frozenset
        The smallest sets of rules under which alone the token already gets another label than without rules.
        Empty if an equally good answer leaves the token as it was.
    smallest : bool
        Whether it is proved that there are no smaller ones, and no others of the same size. If the search was
        cut short there is one set, from which no rule can be left out.
    """

    sets: tuple[Held, ...]
    smallest: bool = True


def find_reasons(left: LeavingOut, changed: Iterable[int], *, max_sets: int) -> dict[int, Reasons]:
    """The reasons for the change at each position.

    A set that forces a change grows, one rule at a time, from the empty set: as long as the answer under fewer
    rules does not have the change, one of the other rules of the set must be broken by that answer, or the two
    answers would be the same. So only rules that get broken are ever tried, level by level, and the first sets
    that force a change are the smallest.

    Parameters
    ----------
    left : LeavingOut
    changed : positions at which the answer differs from the rule-free one
    max_sets : int
        How many sets to try before leaving it at one that is minimal, but maybe not the smallest.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [2.0, 1.0]], labels=["A", "B"])
    >>> left = LeavingOut(lawful.decode(lattice, [lawful.at_most(1, "A"), lawful.starts_with("B")]))
    >>> find_reasons(left, [0], max_sets=100)
    {0: Reasons(sets=(frozenset({1}),), smallest=True)}
    """
    plain = left.answer(frozenset())
    waiting = set(changed)
    found: dict[int, Reasons] = {}
    level: list[Held] = [frozenset()]
    tried = 0
    while waiting and level:
        level = _larger(left, level)
        tried += len(level)
        if tried > max_sets:
            return found | {t: Reasons((_cut_down(left, t),), smallest=False) for t in sorted(waiting)}
        for t in sorted(waiting):
            sets = tuple(held for held in level if left.answer(held).differs(plain, t))
            if sets:
                found[t] = Reasons(sets)
                waiting.remove(t)
    # Every chain of sets has ended in an answer that breaks no rule at all and keeps these tokens as they were.
    return found | {t: Reasons(()) for t in sorted(waiting)}


def _larger(left: LeavingOut, level: Iterable[Held]) -> list[Held]:
    """The sets with one more rule, which the answer so far breaks."""
    grown = (held | {rule} for held in level for rule in sorted(left.answer(held).broken - held))
    return sorted(set(grown), key=sorted)


def _cut_down(left: LeavingOut, position: int) -> Held:
    """A set that forces the change there, and does not without any one of its rules."""
    plain = left.answer(frozenset())
    held = left.everything
    shrinking = True
    while shrinking:
        shrinking = False
        for rule in sorted(held):
            if left.answer(held - {rule}).differs(plain, position):
                held -= {rule}
                shrinking = True
    return held
