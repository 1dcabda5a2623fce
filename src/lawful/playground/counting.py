"""Where labels break rules, counted by the compiled machines: quick enough for every keystroke."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lawful.labels import LabelSet
from lawful.rules.bound_rules import BoundRules
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.ruleset import Rules

__all__ = ["BreachFinder"]


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

    def find(
        self, labels: Sequence[str], tokens: Sequence[Any], binding: BoundRules | None = None
    ) -> list[dict[str, Any]]:
        """The rules that labels break, in order; a violation that only the end tells has no position.

        `binding` is what a decoder of the same rules knows of these tokens, if somebody has it already.
        """
        own = self._bound.bind(len(tokens), tuple(tokens), {}) if binding is None else binding
        counts = own.count(labels)
        if not counts.any():
            return []
        positions = own.positions(labels)
        return [
            {"rule": name, "count": count, "positions": list(where)}
            for name, count, where in zip(self.rules.names, counts.tolist(), positions, strict=True)
            if count
        ]
