"""A rule set compiled for a label set, and tied to one lattice after another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lawful import _core
from lawful.errors import GraphError, UnpricedRuleError
from lawful.labels import LabelSet
from lawful.rules.compiled.parts import make_part
from lawful.rules.example import BoundMachine, CompiledRule, Example
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules

if TYPE_CHECKING:
    from lawful.rules.tokens.reader import TokenReader
    from lawful.rules.tokens.rule_form import TokenRule

__all__ = ["CompiledRules", "price_of"]

MOST_CACHED = 4096


_Looking = tuple[int, CompiledRule, CompiledRule | None]
"""A rule's place, the rule, and, if it is paid for once, the rule as one machine."""


class CompiledRules:
    """Rules compiled for a label set: `bind` gives their parts for one sequence.

    Rules that look at labels only are compiled to parts once and for all; the others meet the tokens and the
    context of each sequence, and share parts wherever their machines are the same.

    Parameters
    ----------
    rules : Rules
    labels : LabelSet
    prices : sequence of float, optional
        What each rule costs, instead of its own price.
    """

    def __init__(self, rules: Rules, labels: LabelSet, prices: Sequence[float] | None = None) -> None:
        self.rules, self.labels = rules, labels
        self.prices = tuple(prices) if prices is not None else tuple(price_of(rule) for rule in rules)
        self.largest = 0  # states of the largest part so far that is not local
        self._parts: dict[tuple[int, int], tuple[_core.Part, BoundMachine]] = {}
        self._looking: list[_Looking] = []
        blind = Example(0)
        static: list[_core.Part] = []
        reading: list[tuple[TokenRule, _core.Part]] = []
        for place, rule in enumerate(rules):
            compiled = rule.compile(labels)
            if compiled.static:
                static += (self._part(place, bound) for bound in compiled.bind(blind))
            elif (token_rule := _as_token_rule(compiled)) is not None:
                reading.append(
                    (token_rule, self._part(place, BoundMachine(token_rule.machine, token_rule.table)))
                )
            else:
                # A rule that is paid for once must be one machine, however many it takes to say it.
                once = rule.per == "sequence" and math.isfinite(self.prices[place])
                together = _together(compiled, rule.name, labels) if once else None
                self._looking.append((place, compiled, together))
        self._reader = _reader_of(reading)
        places = [place for place, *_ in self._looking] + [part.rule for _, part in reading]
        self._first = min(places, default=None)  # of the rules that look at more than labels
        self.common_parts = tuple(static)
        self.common = _core.PartSet(self.common_parts)

    def bind(self, length: int | None, tokens: Sequence[Any] | None, context: Any) -> _core.Binding:
        """What binds a sequence of that length besides the common parts; None if the paths of a graph differ in length."""
        if self._first is None:
            return _core.Binding(length or 0, (), ())
        if length is None:
            raise GraphError(
                f"rule {self.rules[self._first].name!r} looks at tokens or positions, but the paths of the graph "
                "differ in length"
            )
        example = Example(length, tokens, context)
        parts: list[_core.Part] = []
        kinds: list[list[int] | None] = []
        for place, compiled, together in self._looking:
            bounds = compiled.bind(example)
            if together is not None and len(bounds) > 1:
                bounds = together.bind(example)
            for bound in bounds:
                parts.append(self._part(place, bound))
                kinds.append(bound.kinds)
        if self._reader is None:
            return _core.Binding(length, parts, kinds)
        table, codes = self._reader(example)
        return _core.Binding(length, parts, kinds, table, codes)

    def _part(self, place: int, bound: BoundMachine) -> _core.Part:
        key = (place, id(bound.table))
        known = self._parts.get(key)
        if known is None or known[1].machine is not bound.machine:
            part = make_part(bound, rule=place, price=self.prices[place], per=self.rules[place].per)
            if not part.local:
                self.largest = max(self.largest, part.states)
            if len(self._parts) >= MOST_CACHED:
                self._parts.clear()
            known = self._parts[key] = part, bound  # the bound stays alive, so its table's id stays its own
        return known[0]


# What single kinds of rules need is imported when there is one: who decodes without rules need not wait for it.


def _together(compiled: CompiledRule, name: str, labels: LabelSet) -> CompiledRule:
    from lawful.rules.compiled.joined import LogicRule

    return LogicRule((compiled,), all, name, len(labels))


def _as_token_rule(compiled: CompiledRule) -> TokenRule | None:
    from lawful.rules.tokens.rule_form import TokenRule

    return compiled if isinstance(compiled, TokenRule) else None


def _reader_of(rules: Sequence[tuple[TokenRule, _core.Part]]) -> TokenReader | None:
    if not rules:
        return None
    from lawful.rules.tokens.reader import TokenReader

    return TokenReader(rules)


def price_of(rule: Rule) -> float:
    """A rule's price as a number: infinity if it is hard."""
    if rule.price == "learn":
        raise UnpricedRuleError(rule.name)
    return math.inf if rule.price == "hard" else float(rule.price)
