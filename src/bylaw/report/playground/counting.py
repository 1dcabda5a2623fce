"""Where labels break rules, by machines that are compiled once: quick enough for every keystroke."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bylaw.labels import LabelSet
from bylaw.rules.example import Example
from bylaw.rules.ruleset import Rules

__all__ = ["BreachFinder"]

Tables = tuple[list[list[int]], list[list[int]], list[int], list[list[int]]]


class BreachFinder:
    """Finds the violations of every rule, and the tokens at which they are counted.

    Examples
    --------
    >>> from bylaw.rules import at_least, at_most
    >>> finder = BreachFinder(Rules(at_most(1, "A"), at_least(1, "B")), LabelSet(["A", "B"]))
    >>> finder.find(["A", "A"], ["x", "y"])
    [{'rule': "at_most(1, 'A')", 'count': 1, 'positions': [1]}, {'rule': "at_least(1, 'B')", 'count': 1, 'positions': []}]
    """

    def __init__(self, rules: Rules, labels: LabelSet) -> None:
        self.labels = labels
        self._compiled = list(zip(rules.names, rules.compile(labels), strict=True))
        self._tables: dict[int, tuple[Any, Tables]] = {}

    def find(self, labels: Sequence[str], tokens: Sequence[Any]) -> list[dict[str, Any]]:
        """The rules that labels break, in order; a violation that only the end tells has no position."""
        return self.find_all([labels], tokens)[0]

    def find_all(self, answers: Sequence[Sequence[str]], tokens: Sequence[Any]) -> list[list[dict[str, Any]]]:
        """The same for several labellings of the same tokens."""
        example = Example(len(tokens), tuple(tokens), {})
        indices = [self.labels.encode(labels) for labels in answers]
        found: list[list[dict[str, Any]]] = [[] for _ in answers]
        for name, compiled in self._compiled:
            bounds = [(self._table(bound), bound.kinds) for bound in compiled.bind(example)]
            for place, labels in enumerate(indices):
                count, positions = 0, set[int]()
                for tables, kinds in bounds:
                    count += _walk(tables, labels, None if kinds is None else kinds.tolist(), positions)
                if count:
                    found[place].append({"rule": name, "count": count, "positions": sorted(positions)})
        return found

    def _table(self, bound: Any) -> Tables:
        """The arrays of a bound machine as lists, which are quicker to walk one step at a time."""
        key = id(bound.machine) ^ (id(bound.table) << 1)
        known = self._tables.get(key)
        if known is None or known[0].machine is not bound.machine or known[0].table is not bound.table:
            machine = bound.machine
            lists = (
                machine.delta.tolist(), machine.violations.tolist(), machine.final.tolist(), bound.table.tolist(),
            )  # fmt: skip
            if len(self._tables) > 1_000:
                self._tables.clear()
            known = self._tables[key] = (bound, lists)  # the bound stays alive, so that its ids stay its own
        return known[1]


def _walk(tables: Tables, labels: Sequence[int], kinds: list[int] | None, positions: set[int]) -> int:
    delta, violations, final, classes = tables
    state = count = 0
    row = classes[0]
    for place, label in enumerate(labels):
        symbol = (row if kinds is None else classes[kinds[place]])[label]
        broken = violations[state][symbol]
        if broken:
            count += broken
            positions.add(place)
        state = delta[state][symbol]
    return count + final[state]
