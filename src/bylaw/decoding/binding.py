"""A rule set compiled for a label set, and tied to one lattice after another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bylaw import _core
from bylaw.errors import GraphError, UnpricedRuleError
from bylaw.labels import LabelSet
from bylaw.rules.example import Bound, CompiledRule, Example
from bylaw.rules.rule import Rule
from bylaw.rules.ruleset import Rules
from bylaw.solvers.parts import make_part

if TYPE_CHECKING:
    from bylaw.rules.token_kinds import TokenSifter

__all__ = ["Binding", "CompiledRules"]

MOST_CACHED = 4096


_Looking = tuple[int, CompiledRule, CompiledRule | None]
"""A rule's place, the rule, and, if it is paid for once, the rule as one machine."""


class Binding(NamedTuple):
    """The parts that one sequence must obey besides those common to all, and the kinds (T,) of its tokens for each.

    Kinds are None for a part that does not look at tokens.
    """

    parts: tuple[_core.Part, ...]
    kinds: tuple[npt.NDArray[np.uint16] | None, ...]


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
        self._parts: dict[tuple[int, int, int], tuple[_core.Part, Bound]] = {}
        self._looking: list[_Looking] = []
        blind = Example(0)
        static: list[_core.Part] = []
        for place, rule in enumerate(rules):
            compiled = rule.compile(labels)
            if not compiled.static:
                # A rule that is paid for once must be one machine, however many it takes to say it.
                once = rule.per == "sequence" and math.isfinite(self.prices[place])
                together = _together(compiled, rule.name, labels) if once else None
                self._looking.append((place, compiled, together))
                continue
            static += (self._part(place, bound) for bound in compiled.bind(blind))
        self._bit_of, self._sifter = _sift_words(self._looking)
        self.common_parts = tuple(static)
        self.common = _core.PartSet(self.common_parts)

    def bind(self, length: int | None, tokens: Sequence[Any] | None, context: Any) -> Binding:
        """The parts for a sequence of that length; None if the paths of a graph differ in length."""
        if not self._looking:
            return _NOTHING
        if length is None:
            name = self.rules[self._looking[0][0]].name
            raise GraphError(
                f"rule {name!r} looks at tokens or positions, but the paths of the graph differ in length"
            )
        example = Example(length, tokens, context)
        parts: list[_core.Part] = []
        kinds: list[npt.NDArray[np.uint16] | None] = []
        for place, compiled, together in self._speaking(example):
            bounds = compiled.bind(example)
            if together is not None and len(bounds) > 1:
                bounds = together.bind(example)
            for bound in bounds:
                parts.append(self._part(place, bound))
                kinds.append(bound.kinds)
        return Binding(tuple(parts), tuple(kinds))

    def _speaking(self, example: Example) -> Iterable[_Looking]:
        """The rules that look at this example, without the word rules that find no word of theirs in it."""
        if self._sifter is None or example.tokens is None:
            return self._looking
        found = self._sifter(example.tokens)
        bit_of = self._bit_of
        return [one for i, one in enumerate(self._looking) if i not in bit_of or found & bit_of[i]]

    def _part(self, place: int, bound: Bound) -> _core.Part:
        key = (place, id(bound.machine), id(bound.table))
        known = self._parts.get(key)
        if known is None:
            part = make_part(bound, rule=place, price=self.prices[place], per=self.rules[place].per)
            if not part.local:
                self.largest = max(self.largest, part.states)
            if len(self._parts) >= MOST_CACHED:
                self._parts.clear()
            known = self._parts[key] = part, bound  # the bound stays alive, so that its ids stay its own
        return known[0]


_NOTHING = Binding((), ())


# What single kinds of rules need is imported when there is one: who decodes without rules need not wait for it.


def _together(compiled: CompiledRule, name: str, labels: LabelSet) -> CompiledRule:
    from bylaw.rules.logic_compile import LogicRule

    return LogicRule((compiled,), all, name, len(labels))


def _sift_words(looking: Sequence[_Looking]) -> tuple[dict[int, int], TokenSifter | None]:
    """The bit of each rule about words by its place, and what finds the bits of a sequence; None for fewer than two."""
    if len(looking) < 2:
        return {}, None
    from bylaw.rules.token_kinds import TokenSifter
    from bylaw.rules.words import CompiledWords

    words = [(i, rule.kinds) for i, (_, rule, _) in enumerate(looking) if isinstance(rule, CompiledWords)]
    if len(words) < 2:
        return {}, None
    return {i: 1 << bit for bit, (i, _) in enumerate(words)}, TokenSifter(tuple(kinds for _, kinds in words))


def price_of(rule: Rule) -> float:
    """A rule's price as a number: infinity if it is hard."""
    if rule.price == "learn":
        raise UnpricedRuleError(rule.name)
    return math.inf if rule.price == "hard" else float(rule.price)
