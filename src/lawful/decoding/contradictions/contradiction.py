"""Few hard rules that contradict each other on one sequence, found with few questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

__all__ = ["Contradiction", "ContradictionSearch", "RuleIndices", "Trial"]

RuleIndices = frozenset[int]

MAX_SETS = 500  # that are looked at to prove that no fewer rules contradict each other


class Trial(NamedTuple):
    """Whether some rules can all hold, and what else the answer shows.

    Attributes
    ----------
    feasible : bool
    rules : frozenset of int
        If they can: all rules that one and the same labelling obeys, these among them. If not: some of these that
        already cannot.
    """

    feasible: bool
    rules: RuleIndices


class Contradiction(NamedTuple):
    """Rules that cannot all hold.

    Attributes
    ----------
    rules : tuple of int
        Empty if nothing is feasible even without rules.
    minimal : bool
        Whether it is proved that each of them is needed: without any one, the others can hold.
    smallest : bool
        Whether it is proved that no fewer rules contradict each other.
    """

    rules: tuple[int, ...]
    minimal: bool
    smallest: bool


class ContradictionSearch:
    """Looks for few rules that cannot all hold. Whenever a limit ends it, what it has found is a contradiction.

    A set of rules that could not be decided passes for feasible, which is safe: rules stay in that might have gone.

    Parameters
    ----------
    rules : iterable of int
        Together they are infeasible.
    attempt : function of a frozenset of rules
        Whether they can all hold; None if a limit was reached before that was known.
    known : iterable of int, optional
        Some of the rules that are known to be infeasible.

    Examples
    --------
    >>> def attempt(rules):
    ...     clash = {1, 3} <= rules or {0, 2, 4} <= rules
    ...     return Trial(not clash, rules)
    >>> ContradictionSearch(range(5), attempt).from_below()
    Contradiction(rules=(1, 3), minimal=True, smallest=True)
    >>> ContradictionSearch(range(5), attempt).from_above()
    Contradiction(rules=(1, 3), minimal=True, smallest=False)
    >>> ContradictionSearch(range(5), lambda rules: None, known=[0, 2, 4]).from_above()
    Contradiction(rules=(0, 2, 4), minimal=False, smallest=False)
    """

    def __init__(
        self,
        rules: Iterable[int],
        attempt: Callable[[RuleIndices], Trial | None],
        *,
        known: Iterable[int] | None = None,
    ) -> None:
        self._rules, self._attempt = frozenset(rules), attempt
        self._infeasible = self._rules if known is None else frozenset(known)  # the smallest that is known
        self._obeyed: list[RuleIndices] = []  # by the labellings that were found
        self._undecided = False
        self._possible_size = -1  # so many rules can always hold together

    def from_below(self, *, max_sets: int = MAX_SETS) -> Contradiction | None:
        """The fewest rules that cannot all hold; None if that takes too much.

        Sets grow level by level. A contradiction must have a rule that is broken by a labelling which obeys some of its
        rules, so they grow by such rules only, and the first that is infeasible is the smallest. Most contradictions are
        between two or three rules, and few rules are soon tried.

        Parameters
        ----------
        max_sets : int
            Maximum number of sets to look at.
        """
        level: list[RuleIndices] = [frozenset()]
        for size in range(len(self._infeasible)):
            max_sets -= len(level)
            if max_sets < 0:
                return None
            larger: set[RuleIndices] = set()
            for rules in level:
                if not self._possible(rules):
                    return Contradiction(tuple(sorted(rules)), minimal=True, smallest=True)
                if self._undecided:
                    return None
                widest = max((obeyed for obeyed in self._obeyed if rules <= obeyed), key=len)
                larger.update(rules | {broken} for broken in self._rules - widest)
            level = sorted(larger, key=sorted)
            self._possible_size = size
        return Contradiction(tuple(sorted(self._infeasible)), minimal=True, smallest=True)

    def from_above(self) -> Contradiction:
        """Rules that cannot all hold, each of which is needed: QuickXplain (Junker 2004)."""
        self._undecided = False
        needed: RuleIndices = frozenset()
        if self._possible(needed):
            while len(needed := self._needed(frozenset(), sorted(self._infeasible))) > len(self._infeasible):
                pass  # a trial came upon something smaller on the way
        minimal = not self._undecided
        smallest = minimal and len(needed) <= self._possible_size + 1
        return Contradiction(tuple(sorted(needed)), minimal, smallest)

    def _possible(self, rules: RuleIndices) -> bool:
        if any(rules <= obeyed for obeyed in self._obeyed):
            return True
        if self._infeasible <= rules:
            return False
        trial = self._attempt(rules)
        if trial is None:
            self._undecided = True
            return True
        if trial.feasible:
            self._obeyed.append(trial.rules)
        elif len(trial.rules) < len(self._infeasible):
            self._infeasible = trial.rules
        return trial.feasible

    def _needed(
        self, held: RuleIndices, rules: Sequence[int], *, may_be_infeasible: bool = False
    ) -> RuleIndices:
        """Those of the rules that are needed beside what is held."""
        if may_be_infeasible and not self._possible(held):
            return frozenset()
        if len(rules) == 1:
            return frozenset(rules)
        half = len(rules) // 2
        late = self._needed(held | frozenset(rules[:half]), rules[half:], may_be_infeasible=True)
        return late | self._needed(held | late, rules[:half], may_be_infeasible=bool(late))
