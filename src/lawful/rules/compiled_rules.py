"""A rule set compiled for a label set, and tied to one sequence after another."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lawful import _core
from lawful.errors import GraphError, UnpricedRuleError
from lawful.labels import LabelSet
from lawful.rules.bound_rules import BoundRules
from lawful.rules.example import BoundMachine, CompiledRule, Example
from lawful.rules.rule import Rule
from lawful.rules.rule_parts import RuleParts
from lawful.rules.ruleset import Rules

if TYPE_CHECKING:
    from lawful.rules.tokens.kinds import TokenReader, TokenRule

__all__ = ["CompiledRules", "price_of"]


class CompiledRules:
    """Rules compiled for a label set, once; `bind` ties them to one sequence.

    Rules that look at labels only become parts once and for all; the others meet the tokens and the context of each
    sequence, and share parts wherever their machines are the same.

    Parameters
    ----------
    rules : Rules
        A price of "learn" counts as 0 until `BoundRules.at_prices` gives another.
    labels : LabelSet

    Examples
    --------
    >>> from lawful.rules import at_most
    >>> compiled = CompiledRules(Rules(at_most(1, "A")), LabelSet(["A", "B"]))
    >>> compiled.bind(3, None, {}).count(["A", "B", "A"]).tolist()
    [1]
    """

    def __init__(self, rules: Rules, labels: LabelSet) -> None:
        self.rules, self.labels = rules, labels
        self._shared = shared = RuleParts(rules, labels)
        self._looking: list[tuple[int, CompiledRule]] = []
        common: list[tuple[_core.Part, BoundMachine]] = []
        reading: list[tuple[TokenRule, _core.Part]] = []
        for index, rule in enumerate(rules):
            compiled = rule.compile(labels)
            if compiled.static:
                common += ((shared.own(index, machine), machine) for machine in compiled.bind(Example(0)))
            elif (token_rule := _as_token_rule(compiled)) is not None:
                machine = BoundMachine(token_rule.machine, token_rule.table)
                part = shared.own(index, machine)
                shared.machines[part] = machine
                reading.append((token_rule, part))
            else:
                self._looking.append((index, compiled))
        shared.set_common(common)
        self._reader = _reader_of(reading)
        indices = [index for index, _ in self._looking] + [part.rule for _, part in reading]
        self._first = min(indices, default=None)  # of the rules that look at more than labels

    def bind(
        self, length: int | None, tokens: Sequence[Any] | None, context: Mapping[str, Any]
    ) -> BoundRules:
        """The rules tied to one sequence: token tests and context are looked at here, once.

        Parameters
        ----------
        length : int or None
            The number of tokens; None if the paths of a graph differ in length.
        tokens : sequence or None
            For rules that look at them.
        context : mapping
            For rules that ask for something by name.
        """
        if self._first is None:
            return BoundRules(self._shared, length, _core.Binding(length or 0, (), ()))
        if length is None:
            raise GraphError(
                f"rule {self.rules[self._first].name!r} looks at tokens or positions, but the paths of the graph "
                "differ in length"
            )
        example = Example(length, tokens, context)
        parts, machines, apart = self._look_at(example) if self._looking else ((), (), None)
        kinds = [machine.kinds for machine in machines] if machines else ()
        if self._reader is None:
            binding = _core.Binding(length, parts, kinds)
        else:
            table, codes = self._reader(example)
            binding = _core.Binding(length, parts, kinds, table, codes)
        return BoundRules(self._shared, length, binding, parts, machines, apart)

    def _look_at(
        self, example: Example
    ) -> tuple[Sequence[_core.Part], Sequence[BoundMachine], Mapping[int, Sequence[BoundMachine]] | None]:
        """The parts and machines of the rules that look at more than single tokens; and those that were joined."""
        shared = self._shared
        parts: list[_core.Part] = []
        machines: list[BoundMachine] = []
        apart: dict[int, Sequence[BoundMachine]] | None = None
        for rule, compiled in self._looking:
            bound = compiled.bind(example)
            if len(bound) > 1 and shared.per[rule] == "sequence" and math.isfinite(shared.prices[rule]):
                # A rule that is paid for once must be one machine, however many it takes to say it.
                apart = {} if apart is None else apart
                apart[rule] = bound
                bound = (shared.join(rule, bound),)
            for machine in bound:
                machines.append(machine)
                parts.append(shared.own(rule, machine))
        return parts, machines, apart


# What single kinds of rules need is imported when there is one: decoding without rules need not wait for it.


def _as_token_rule(compiled: CompiledRule) -> TokenRule | None:
    from lawful.rules.tokens.kinds import TokenRule

    return compiled if isinstance(compiled, TokenRule) else None


def _reader_of(rules: Sequence[tuple[TokenRule, _core.Part]]) -> TokenReader | None:
    if not rules:
        return None
    from lawful.rules.tokens.kinds import TokenReader

    return TokenReader(rules)


def price_of(rule: Rule) -> float:
    """A rule's price as a number: infinity if it is hard."""
    if rule.price == "learn":
        raise UnpricedRuleError(rule.name)
    return math.inf if rule.price == "hard" else float(rule.price)
