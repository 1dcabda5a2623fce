"""A rule set compiled for a label set: machines with their prices worked in, as the kernels take them, made once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.automata.counting import CountingMachine
from lawful.automata.operations.minimization import merge_states, minimize_counting
from lawful.errors import LargeScoreError, UnpricedRuleError
from lawful.labels import LabelSet
from lawful.rules.compiled.joined import LogicRule
from lawful.rules.contexts import Context
from lawful.rules.example import BoundMachine, CompiledRule, CoreRule, Example, Source
from lawful.rules.rule import Per, Price, Rule
from lawful.rules.ruleset import Rules

if TYPE_CHECKING:
    from lawful.rules.tokens.kinds import TokenReader, TokenRule

__all__ = ["CompiledRules", "Tables", "binary_tables", "large_price", "make_part", "price_of"]

MOST_CACHED = 4096

Question = tuple[str | None, Any, dict[Any, _core.Part] | None, Callable[[Any], _core.Part] | None]
Costs = npt.NDArray[np.float64]
Tables = tuple[npt.NDArray[np.int32], Costs, Costs]
Lists = tuple[list[list[int]], list[list[int]], list[list[int]]]
Most = tuple[list[list[int]], list[list[list[int]]], int]


class _Cached(NamedTuple):
    price: float
    part: _core.Part
    machine: BoundMachine  # stays alive, so that the ids in its key stay its own


class CompiledRules:
    """Rules compiled for a label set, once; `bound_rules.bind` ties them to one sequence after another.

    Rules that look at labels only become parts once and for all; the others meet the tokens and the context of each
    sequence, and share parts wherever their machines are the same.

    Parameters
    ----------
    rules : Rules
        A price of "learn" counts as 0 until `BoundRules.at_prices` gives another.
    labels : LabelSet

    Attributes
    ----------
    prices : tuple of float
        The price of each rule; infinity if it is hard.
    per : tuple of "sequence" or "violation"
    missing : dict from the name of a rule to labels
        Those that it names and declares, but that the label set lacks: they never occur.
    common : _core.PartSet
        The parts of all rules that bind every sequence alike; also as a tuple, `common_parts`.
    looking : list of (int, CompiledRule, bool)
        The rules that look at more than labels and single tokens, by index, and whether each is soft and paid once.
    reader : TokenReader or None
        What looks at single tokens, for all rules that do no more than that.
    first_looking : int or None
        The first rule that looks at more than labels.
    machines : dict from part to BoundMachine
        The machines behind the parts that more than one sequence has.
    binder : _core.Binder or None
        What ties them to many sequences at once; None if one of the rules has to be asked in Python for each of them.
    sources : list of Source
        What `binder` wants to know of each sequence, in its order; also as `questions`, as the core takes them.
    largest : int
        States of the largest part so far that does not fold into the scores.

    Examples
    --------
    >>> from lawful.rules import at_most
    >>> compiled = CompiledRules(Rules(at_most(1, "A").soft(2.0)), LabelSet(["A", "B"]))
    >>> [part.price for part in compiled.common_parts]
    [2.0]
    """

    def __init__(self, rules: Rules, labels: LabelSet) -> None:
        self.rules, self.labels = rules, labels
        self.names = rules.names
        self.missing: dict[str, tuple[str, ...]] = {}
        if rules.labels is not None and not all(label in labels for label in rules.labels):
            self.missing = rules.missing_from(labels)
        self.prices = tuple(_number(rule.price) for rule in rules)
        for name, price in zip(self.names, self.prices, strict=True):
            if _core.MOST_SCORE < price < math.inf:
                raise large_price(name, price, price)
        self.per: tuple[Per, ...] = tuple(rule.per for rule in rules)
        self.machines: dict[_core.Part, BoundMachine] = {}
        self.largest = 0
        self._own: dict[tuple[int, int], tuple[_core.Part, BoundMachine]] = {}
        self._units: dict[tuple[int, int, int, str], _Cached] = {}
        self._latest: dict[tuple[int, int, int, str], _Cached] = {}
        self._joining: dict[int, LogicRule] = {}
        self._lists: dict[tuple[int, int], tuple[BoundMachine, Lists]] = {}
        self._most: dict[tuple[int, int], tuple[BoundMachine, Most]] = {}
        self._compile()

    def __reduce__(self) -> tuple[Any, ...]:
        """As data: they are compiled again, once for all that was pickled together."""
        return CompiledRules, (self.rules, self.labels)

    def _compile(self) -> None:
        self.looking: list[tuple[int, CompiledRule, bool]] = []
        common: list[_core.Part] = []
        reading: list[tuple[TokenRule, _core.Part]] = []
        for index, rule in enumerate(self.rules):
            compiled = rule.compile_among(self.labels)
            if compiled.static:
                common += (self._for_all(index, machine) for machine in compiled.bind(Example(0)))
            elif (token_rule := _as_token_rule(compiled)) is not None:
                machine = BoundMachine(token_rule.machine, token_rule.table)
                reading.append((token_rule, self._for_all(index, machine)))
            else:
                paid_once = self.per[index] == "sequence" and math.isfinite(self.prices[index])
                self.looking.append((index, compiled, paid_once))
        self.common_parts = tuple(common)
        self.common = _core.PartSet(self.common_parts)
        self.reader = _reader_of(reading)
        indices = [index for index, _, _ in self.looking] + [part.rule for _, part in reading]
        self.first_looking = min(indices, default=None)
        self.sources: list[Source] = []
        self.questions: list[Question] = []
        self.binder = self._make_binder(reading)

    @property
    def reads_only_text(self) -> bool:
        """Whether nothing of the tokens counts but their texts."""
        others = all(isinstance(compiled, CoreRule) for _, compiled, _ in self.looking)
        return others and (self.reader is None or self.reader.reads_text)

    def _make_binder(self, reading: Sequence[tuple[TokenRule, _core.Part]]) -> _core.Binder | None:
        binder = _core.Binder(self.common)
        for index, compiled, once in self.looking:
            if not isinstance(compiled, CoreRule):
                return None
            source = compiled.enter(binder, partial(self._for_all, index), once=once)
            self.sources.append(source)
            wanted = source.wanted
            asked = (wanted.name, wanted.default) if isinstance(wanted, Context) else (None, wanted)
            self.questions.append((*asked, source.known, source.ask))
        for rule, part in reading:
            binder.add_token_part(part, idle=rule.idle, previous=rule.previous)
        return binder

    def _for_all(self, rule: int, machine: BoundMachine) -> _core.Part:
        """A part that more than one sequence has."""
        part, _ = self.own(rule, machine)
        self.machines[part] = machine
        return part

    def own(self, rule: int, machine: BoundMachine) -> tuple[_core.Part, BoundMachine]:
        """The part of one machine at its rule's own price, and the machine with the kinds of the first sequence."""
        key = (rule, id(machine.table))
        known = self._own.get(key)
        if known is None or known[1].machine is not machine.machine:
            part = make_part(machine, rule=rule, price=self.prices[rule], per=self.per[rule])
            self._note_size(part)
            if len(self._own) >= MOST_CACHED:
                self._own.clear()
            known = self._own[key] = part, machine
        return known

    def at(self, rule: int, machine: BoundMachine, price: float, per: Per) -> _core.Part:
        """The part of one machine at another price. Tables are shared; the part at the latest price is kept."""
        # Asked for every rule of every sequence that something learns from: no call more than it needs.
        mode = "hard" if price == math.inf else per
        key = (rule, id(machine[0]), id(machine[1]), mode)
        latest = self._latest.get(key)
        if latest is not None and latest.price == price:
            return latest.part
        unit = self._units.get(key)
        if unit is None:
            unit_price = math.inf if mode == "hard" else 1.0
            part = make_part(machine, rule=rule, price=unit_price, per=per)
            self._note_size(part)
            if len(self._units) >= MOST_CACHED:
                self._units.clear()
                self._latest.clear()
            unit = self._units[key] = _Cached(unit_price, part, machine)
        part = unit.part if price == unit.price else _at_price(unit.part, machine, price)
        self._latest[key] = _Cached(price, part, machine)
        return part

    def join(self, rule: int, machines: Sequence[BoundMachine]) -> BoundMachine:
        """The machines of one rule as one that counts 1 at the end if any of them counts anything."""
        logic = self._joining.get(rule)
        if logic is None:
            logic = self._joining[rule] = LogicRule((), all, self.rules[rule].name, len(self.labels))
        return logic.join(machines)

    def violated_positions(
        self, bound: BoundMachine, kinds: npt.NDArray[np.uint16] | None, path: Sequence[int]
    ) -> list[int]:
        """The positions at which a machine counts violations of a labelling, given as indices in the label set."""
        delta, violations, table = self._as_lists(bound)
        rows = [0] * len(path) if kinds is None else kinds.tolist()
        state, positions = 0, []
        for position, (row, label) in enumerate(zip(rows, path, strict=True)):
            symbol = table[row][label]
            if violations[state][symbol]:
                positions.append(position)
            state = delta[state][symbol]
        return positions

    def occasions(
        self, bound: BoundMachine, kinds: npt.NDArray[np.uint16] | None, path: Sequence[int]
    ) -> list[int]:
        """The most violations (T + 1) that a label could add at each position after those before it; last, at the end."""
        most, after, at_the_end = self._most_violations(bound)
        state, counts = 0, []
        if kinds is None:
            for label in path:
                counts.append(most[state][0])
                state = after[state][0][label]
        else:
            for row, label in zip(kinds.tolist(), path, strict=True):
                counts.append(most[state][row])
                state = after[state][row][label]
        counts.append(at_the_end)
        return counts

    def _most_violations(self, bound: BoundMachine) -> Most:
        """The most that a machine can count by state and kind of token, its next states by label, and the most at the end."""
        key = (id(bound.machine), id(bound.table))
        known = self._most.get(key)
        if known is None:
            machine, table = bound.machine, bound.table
            most = machine.violations[:, table].max(axis=2).tolist()
            if len(self._most) >= MOST_CACHED:
                self._most.clear()
            known = bound, (most, machine.delta[:, table].tolist(), int(machine.final.max()))
            self._most[key] = known
        return known[1]

    def breakable(self, bound: BoundMachine, kinds: npt.NDArray[np.uint16] | None, length: int) -> bool:
        """Whether a machine counts anything for some labelling of a sequence."""
        delta, violations, table = self._as_lists(bound)
        rows = [0] * length if kinds is None else kinds.tolist()
        states = frozenset((0,))
        steps: dict[tuple[frozenset[int], int], frozenset[int]] = {}
        for row in rows:
            after = steps.get((states, row))
            if after is None:
                symbols = set(table[row])
                if any(violations[state][symbol] for state in states for symbol in symbols):
                    return True
                after = frozenset(delta[state][symbol] for state in states for symbol in symbols)
                steps[states, row] = after
            states = after
        return any(bound.machine.final[state] for state in states)

    def _as_lists(self, bound: BoundMachine) -> Lists:
        """The tables of a machine as lists, which are quicker than arrays to walk one step at a time."""
        key = (id(bound.machine), id(bound.table))
        known = self._lists.get(key)
        if known is None:
            machine = bound.machine
            lists = (machine.delta.tolist(), machine.violations.tolist(), bound.table.tolist())
            if len(self._lists) >= MOST_CACHED:
                self._lists.clear()
            known = self._lists[key] = bound, lists
        return known[1]

    def _note_size(self, part: _core.Part) -> None:
        if not part.local:
            self.largest = max(self.largest, part.states)


def large_price(rule: str, price: float, total: float) -> LargeScoreError:
    """The error to raise when the prices that a path pays could add up to `total`."""
    return LargeScoreError(f"the price of rule {rule!r}", price, total, _core.MOST_SCORE)


def _number(price: Price) -> float:
    return math.inf if price == "hard" else 0.0 if price == "learn" else float(price)


def make_part(
    bound: BoundMachine, *, rule: int, price: float, per: str, tables: Tables | None = None
) -> _core.Part:
    """The part for one machine of a rule.

    Parameters
    ----------
    bound : BoundMachine
    rule : int
        The rule's index in the rule set.
    price : float
        Infinity makes it hard.
    per : "sequence" or "violation"
    tables : optional
        What `binary_tables` gave for the machine at that price, if that is known.
    """
    machine = bound.machine
    mode = _mode_of(price, per)
    if mode == "counted":
        counted = minimize_counting(machine)
        delta, cost, final_cost = counted.delta, price * counted.violations, price * counted.final
    else:
        delta, cost, final_cost = binary_tables(machine, price) if tables is None else tables
    return _core.Part(
        rule=rule,
        table=bound.table,
        delta=delta,
        cost=np.ascontiguousarray(cost, dtype=np.float64),
        final_cost=np.ascontiguousarray(final_cost, dtype=np.float64),
        mode=mode,
        price=price,
        count_delta=machine.delta,
        count_violations=machine.violations,
        count_final=machine.final,
    )


def _at_price(unit: _core.Part, bound: BoundMachine, price: float) -> _core.Part:
    """A soft part at another price than 1: only its costs change."""
    return _core.Part(
        rule=unit.rule,
        table=bound.table,
        delta=unit.delta,
        cost=price * unit.cost,
        final_cost=price * unit.final_cost,
        mode=unit.mode,
        price=price,
        count_delta=bound.machine.delta,
        count_violations=bound.machine.violations,
        count_final=bound.machine.final,
    )


def _mode_of(price: float, per: str) -> str:
    """How the kernels charge a rule."""
    return "hard" if math.isinf(price) else "once" if per == "sequence" else "counted"


def binary_tables(machine: CountingMachine, price: float) -> Tables:
    """The tables of a rule that is broken or not, charged as soon as no continuation can save it.

    A hard rule leads nowhere then (-1); a soft one pays and goes on in a state that asks for nothing more.
    """
    obeyed = np.append(machine.final == 0, np.False_)
    delta, kept = merge_states(machine.until_violation(), obeyed.astype(np.int32)[:, None])
    obeyed = obeyed[kept]
    # All states that nothing can save were merged into one, which is never left.
    alive = obeyed | (delta != np.arange(len(delta), dtype=np.int32)[:, None]).any(axis=1)
    hard = math.isinf(price)
    if not alive[0]:  # no sequence obeys it: pay at the end, or find that nothing is legal
        rest = np.full((1, machine.classes), -1 if hard else 0, dtype=np.int32)
        return rest, np.zeros(rest.shape), np.full(1, price)
    count = int(alive.sum())
    number = np.full(len(alive), -1 if hard else count, dtype=np.int32)
    number[alive] = np.arange(count, dtype=np.int32)
    delta = number[delta[alive]]
    final_cost = np.where(obeyed[alive], 0.0, price)
    if hard:
        return np.ascontiguousarray(delta), np.zeros(delta.shape), final_cost
    cost = np.where(delta == count, price, 0.0)
    delta = np.vstack([delta, np.full(machine.classes, count, dtype=np.int32)])
    return delta, np.vstack([cost, np.zeros(machine.classes)]), np.append(final_cost, 0.0)


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
