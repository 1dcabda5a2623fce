"""Where labels break rules, counted by the compiled machines: quick enough for every keystroke."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lawful import _core
from lawful.labels import LabelSet
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.example import Example
from lawful.rules.ruleset import Rules

__all__ = ["BreachFinder"]

Tables = tuple[list[list[int]], list[list[int]], list[int], list[list[int]]]


class BreachFinder:
    """Finds the violations of every rule, and the tokens at which they are counted.

    Examples
    --------
    >>> from lawful.rules import at_least, at_most
    >>> finder = BreachFinder(Rules(at_most(1, "A"), at_least(1, "B")), LabelSet(["A", "B"]))
    >>> finder.find(["A", "A"], ["x", "y"])
    [{'rule': "at_most(1, 'A')", 'count': 1, 'positions': [1]}, {'rule': "at_least(1, 'B')", 'count': 1, 'positions': []}]
    """

    def __init__(self, rules: Rules, labels: LabelSet) -> None:
        self.rules, self.labels = rules, labels
        self._bound = CompiledRules(rules, labels)
        self._compiled = rules.compile(labels)
        self._tables: dict[int, tuple[Any, Tables]] = {}

    def find(
        self, labels: Sequence[str], tokens: Sequence[Any], binding: _core.Binding | None = None
    ) -> list[dict[str, Any]]:
        """The rules that labels break, in order; a violation that only the end tells has no position.

        `binding` is what a decoder of the same rules knows of these tokens, if somebody has it already.
        """
        own = self._bound.bind(len(tokens), tuple(tokens), {}) if binding is None else binding
        indices = np.array(self.labels.encode(labels), dtype=np.int32)
        counts = [0] * len(self.rules)
        for part in self._bound.common_parts:
            counts[part.rule] += _core.count_violations(part, None, indices)
        for part, kinds in zip(own.parts, own.kinds, strict=True):
            counts[part.rule] += _core.count_violations(part, kinds, indices)
        return [
            {
                "rule": self.rules[place].name,
                "count": count,
                "positions": self._positions(place, indices, tokens),
            }
            for place, count in enumerate(counts)
            if count
        ]

    def _positions(self, place: int, labels: Any, tokens: Sequence[Any]) -> list[int]:
        found: set[int] = set()
        for bound in self._compiled[place].bind(Example(len(tokens), tuple(tokens), {})):
            found.update(_walk(self._table(bound), labels.tolist(), bound.kinds))
        return sorted(found)

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


def _walk(tables: Tables, labels: Sequence[int], kinds: list[int] | None) -> list[int]:
    """The steps at which a machine counts violations."""
    delta, violations, _, classes = tables
    state, found = 0, []
    for place, label in enumerate(labels):
        symbol = classes[0 if kinds is None else kinds[place]][label]
        if violations[state][symbol]:
            found.append(place)
        state = delta[state][symbol]
    return found
