"""Which rules forced a change: the smallest sets of rules that are enough to force it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lawful.explanation.subset_answers import RuleIndices, SubsetAnswers

__all__ = ["Reasons", "find_reasons"]


class Reasons(NamedTuple):
    """Why one token changed.

    Attributes
    ----------
    sets : tuple of frozenset
        The smallest sets of rules each of which is enough to give the token another label than without rules.
        Empty if an equally good answer leaves the token unchanged.
    smallest : bool
        Whether it is proved that there are no smaller ones, and no others of the same size. If the search was
        cut short there is one set, from which no rule can be left out.
    """

    sets: tuple[RuleIndices, ...]
    smallest: bool = True


def find_reasons(answers: SubsetAnswers, changed: Iterable[int], *, max_sets: int) -> dict[int, Reasons]:
    """Find the reasons for the change at each position.

    A set that forces a change grows, one rule at a time, from the empty set: as long as the answer under fewer
    rules does not have the change, one of the other rules of the set must be broken by that answer, or the two
    answers would be the same. So only rules that get broken are ever tried, level by level, and the first sets
    that force a change are the smallest.

    Parameters
    ----------
    answers : SubsetAnswers
    changed : iterable of int
        The positions at which the answer differs from the rule-free one.
    max_sets : int
        Maximum number of sets to try; beyond it, the reason is a minimal set that may not be the smallest.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [2.0, 1.0]], labels=["A", "B"])
    >>> answers = SubsetAnswers(lawful.decode(lattice, [lawful.at_most(1, "A"), lawful.starts_with("B")]))
    >>> find_reasons(answers, [0], max_sets=100)
    {0: Reasons(sets=(frozenset({1}),), smallest=True)}
    """
    plain = answers.answer(frozenset())
    waiting = set(changed)
    reasons: dict[int, Reasons] = {}
    level: list[RuleIndices] = [frozenset()]
    tried = 0
    while waiting and level:
        level = _larger(answers, level)
        tried += len(level)
        if tried > max_sets:
            return reasons | {t: Reasons((_cut_down(answers, t),), smallest=False) for t in sorted(waiting)}
        for t in sorted(waiting):
            sets = tuple(subset for subset in level if answers.answer(subset).differs(plain, t))
            if sets:
                reasons[t] = Reasons(sets)
                waiting.remove(t)
    # Every chain of sets has ended in an answer that breaks no rule and leaves these tokens unchanged.
    return reasons | {t: Reasons(()) for t in sorted(waiting)}


def _larger(answers: SubsetAnswers, level: Iterable[RuleIndices]) -> list[RuleIndices]:
    """The sets with one more rule, one that the answer under the smaller set breaks."""
    grown = (subset | {rule} for subset in level for rule in sorted(answers.answer(subset).broken - subset))
    return sorted(set(grown), key=sorted)


def _cut_down(answers: SubsetAnswers, position: int) -> RuleIndices:
    """A set that forces the change at a position, but no longer does without any one of its rules."""
    plain = answers.answer(frozenset())
    subset = answers.everything
    shrinking = True
    while shrinking:
        shrinking = False
        for rule in sorted(subset):
            if answers.answer(subset - {rule}).differs(plain, position):
                subset -= {rule}
                shrinking = True
    return subset
