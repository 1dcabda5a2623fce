"""Which rules forced a change: the smallest sets of rules that are enough to force it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lawful.explanation.subset_answers import Answer, RuleIndices, SubsetAnswers

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

    A set of rules forces a change if every labelling that keeps the rule-free label scores less than the best under
    these rules. If all rules together do not, nothing forced it. If they do, sets grow, one rule at a time, from the
    empty set: as long as a best answer under fewer rules keeps the label, one of the other rules of a set that forces
    the change must be broken by that answer, or it would be a best answer under the whole set. So only rules that get
    broken are ever tried, level by level, and the first sets that force a change are the smallest.

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
    changed = sorted(changed)
    nothing: RuleIndices = frozenset()
    reasons = {t: Reasons(()) for t in answers.keeping(answers.everything, changed)}
    waiting = [t for t in changed if t not in reasons]
    # For each set of this level, the positions that wait for it, each with a best answer that keeps its label.
    level: dict[RuleIndices, dict[int, Answer]] = {nothing: answers.keeping(nothing, waiting)}
    tried = 0
    while waiting:
        larger: dict[RuleIndices, list[int]] = {}
        for subset, keeping in level.items():
            for t, answer in keeping.items():
                for rule in answer.broken - subset:
                    larger.setdefault(subset | {rule}, []).append(t)
        tried += len(larger)
        if tried > max_sets:
            return reasons | {t: _cut_down(answers, t) for t in waiting}
        level = {subset: answers.keeping(subset, larger[subset]) for subset in sorted(larger, key=sorted)}
        for t in waiting:
            sets = tuple(subset for subset in level if t in larger[subset] and t not in level[subset])
            if sets or not any(t in keeping for keeping in level.values()):
                reasons[t] = Reasons(sets)
        waiting = [t for t in waiting if t not in reasons]
        level = {subset: {t: kept[t] for t in kept if t not in reasons} for subset, kept in level.items()}
    return reasons


def _cut_down(answers: SubsetAnswers, position: int) -> Reasons:
    """A set that forces the change at a position, but no longer does without any one of its rules."""
    subset = answers.everything
    shrinking = True
    while shrinking:  # a rule that is needed may no longer be when others have gone
        shrinking = False
        for rule in sorted(subset):
            if not answers.keeping(subset - {rule}, [position]):
                subset -= {rule}
                shrinking = True
    return Reasons((subset,), smallest=False)
