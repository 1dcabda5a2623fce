"""The tokens that the rules changed, grouped by reason."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from lawful.explanation.reasons import find_reasons
from lawful.explanation.subset_answers import SubsetAnswers

__all__ = ["Change", "find_changes"]


@dataclass(frozen=True, slots=True)
class Change:
    """Neighbouring tokens that the rules changed for the same reasons.

    Attributes
    ----------
    start, end : int
        The tokens `start` to `end - 1`.
    before, after : tuple of str
        Their labels without and with the rules. (In a graph whose paths differ in length, one may be shorter.)
    because : tuple of tuples of str
        The smallest sets of rules, by name, each of which is enough to give every one of these tokens another label
        than without rules. Several sets are alternatives. Empty: an equally good answer leaves these tokens
        unchanged.
    smallest : bool
        Whether it is proved that no smaller set is enough. See `max_sets` of `explain`.

    Examples
    --------
    >>> Change(3, 4, ("date",), ("title",), (("one date",), ("a title", "date last"))).positions
    (3,)
    """

    start: int
    end: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    because: tuple[tuple[str, ...], ...]
    smallest: bool = True

    @property
    def positions(self) -> tuple[int, ...]:
        """The positions of the tokens."""
        return tuple(range(self.start, self.end))

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule among the reasons, once."""
        return tuple(dict.fromkeys(rule for rules in self.because for rule in rules))

    def to_dict(self) -> dict[str, Any]:
        """The change as a dict, ready for JSON."""
        return {
            "start": self.start,
            "end": self.end,
            "before": list(self.before),
            "after": list(self.after),
            "because": [list(rules) for rules in self.because],
            "smallest": self.smallest,
        }


def find_changes(answers: SubsetAnswers, *, max_sets: int) -> tuple[Change, ...]:
    """Find what the rules changed compared with the rule-free answer, from left to right.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [2.0, 1.0]], labels=["A", "B"])
    >>> find_changes(SubsetAnswers(lawful.decode(lattice, lawful.starts_with("B"))), max_sets=10)
    (Change(start=0, end=1, before=('A',), after=('B',), because=(("starts_with('B')",),), smallest=True),)
    """
    decoding = answers.decoding
    reasons = find_reasons(answers, decoding.changed, max_sets=max_sets)
    names = decoding.rules.names
    changes = []
    # Neighbours have the same difference between their position and their index.
    for _, numbered in groupby(
        enumerate(sorted(reasons)), key=lambda numbered: (numbered[1] - numbered[0], reasons[numbered[1]])
    ):
        positions = [t for _, t in numbered]
        start, end = positions[0], positions[-1] + 1
        sets, smallest = reasons[start]
        because = tuple(tuple(names[rule] for rule in sorted(subset)) for subset in sets)
        before, after = decoding.plain_labels[start:end], decoding.labels[start:end]
        changes.append(Change(start, end, before, after, because, smallest))
    return tuple(changes)
