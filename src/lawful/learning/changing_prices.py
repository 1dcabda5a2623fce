"""Decoding under rules whose prices change from one sequence to the next."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.decoding import Decoder
from lawful.labels import LabelSet
from lawful.lattice import Lattice
from lawful.lattice.arrays import Floats
from lawful.rules.compiled.joined import LogicRule
from lawful.rules.compiled.parts import make_part
from lawful.rules.compiled_rules import price_of
from lawful.rules.example import BoundMachine, Example
from lawful.rules.ruleset import Rules

__all__ = ["ChangingPrices", "PricedPart"]

Kinds = npt.NDArray[np.uint16] | None


class PricedPart(NamedTuple):
    """A part at a price of 1 (or hard), the kinds (T,) of the tokens for it, and which of the prices it is paid with."""

    part: _core.Part
    kinds: npt.NDArray[np.uint16] | None
    price: int


class ChangingPrices:
    """Rules, some with prices that are being learned, tied to the sequences of a corpus.

    What rules see in tokens is looked at once; a price that changes only changes the costs in the rule's machines.

    Parameters
    ----------
    rules : Rules
        Those whose price is "learn" start at 0, which is as if they were not there.
    labels : LabelSet
    sequences : sequence of token sequences
    ties : iterable of collections of names
        Rules that share a price.
    contexts : sequence of mappings, optional
        What comes with each sequence by name, for rules that ask for it.

    Examples
    --------
    >>> import lawful
    >>> labels = lawful.LabelSet(["A", "B"])
    >>> prices = ChangingPrices(lawful.Rules(lawful.forbid("A").soft("learn", name="no A")), labels, [["x", "y"]])
    >>> lattice = lawful.Lattice([[1.0, 0.0], [3.0, 0.0]], labels=labels)
    >>> prices.best(0, lattice).tolist(), prices.violations(0, [0, 0])
    ([0, 0], array([1.]))
    >>> prices.learned += 2.0
    >>> prices.best(0, lattice).tolist(), prices.rules()
    ([0, 0], Rules(forbid('A').soft(2.0, name='no A')))
    """

    def __init__(
        self,
        rules: Rules,
        labels: LabelSet,
        sequences: Sequence[Sequence[Any]],
        ties: Iterable[Collection[str]] = (),
        contexts: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        self.given, self.labels = rules, labels
        self._group, self.names = _groups(rules, ties)
        self._prices = [0.0 if rule.price == "learn" else price_of(rule) for rule in rules]
        self.learned = np.zeros(len(self.names))
        compiled = rules.compile(labels)
        self._bound: list[list[tuple[int, BoundMachine, Kinds]]] = []
        for number, tokens in enumerate(sequences):
            example = Example(len(tokens), tokens, contexts[number] if contexts else {})
            bound = []
            for place, one in enumerate(compiled):
                machines = one.bind(example)
                if len(machines) > 1 and rules[place].per == "sequence" and rules[place].price != "hard":
                    machines = LogicRule((one,), all, rules[place].name, len(labels)).bind(example)
                bound += [(place, machine, _array(machine.kinds)) for machine in machines]
            self._bound.append(bound)
        self._parts: dict[tuple[int, int, int], tuple[float, _core.Part]] = {}
        self._units: dict[tuple[int, int, int, bool], tuple[_core.Part, BoundMachine]] = {}
        self._decoder: tuple[tuple[float, ...], Decoder] | None = None
        self._limits = _core.Limits()

    @property
    def learned(self) -> Floats:
        """(G,): the prices that are being learned."""
        return self._learned

    @learned.setter
    def learned(self, prices: Floats) -> None:
        self._learned = prices
        for place, group in enumerate(self._group):
            if group >= 0:
                self._prices[place] = float(prices[group])

    def set_prices(self, rules: Rules) -> None:
        """Take over the prices of the same rules, ties or not; hard ones too."""
        self._prices = [price_of(rule) for rule in rules]

    def best(self, place: int, lattice: Lattice) -> npt.NDArray[np.int32]:
        """The best labelling (T,) of a sequence at the current prices; the least bad one if hard rules contradict each other."""
        answers = _core.decode(self._problem(place, lattice), self._limits)
        return self._read(answers, 0, lattice)

    def best_of_all(self, lattices: Sequence[Lattice], *, threads: int) -> list[npt.NDArray[np.int32]]:
        """The same for all sequences at once."""
        problems = [self._problem(place, lattice) for place, lattice in enumerate(lattices)]
        answers = _core.decode_batch(problems, self._limits, threads)
        return [self._read(answers, place, lattice) for place, lattice in enumerate(lattices)]

    def _problem(self, place: int, lattice: Lattice) -> _core.Problem:
        priced = [
            (self._part(rule, bound), bound.kinds)
            for rule, bound, _ in self._bound[place]
            if self._prices[rule] > 0
        ]
        parts, kinds = [part for part, _ in priced], [kinds for _, kinds in priced]
        return _core.Problem(lattice.core, _core.PartSet(()), _core.Binding(lattice.length, parts, kinds))

    def _read(self, answers: _core.Answers, place: int, lattice: Lattice) -> npt.NDArray[np.int32]:
        if answers.status(place) == "optimal":
            return np.array(answers.labels(place), dtype=np.int32)
        return np.array(self.labels.encode(self._lenient().decode(lattice).labels), dtype=np.int32)

    def _lenient(self) -> Decoder:
        """For hard rules that contradict each other; compiled anew only after prices have changed."""
        prices = tuple(self._prices)
        if self._decoder is None or self._decoder[0] != prices:
            rules = [rule.soft(price, per=rule.per) for rule, price in zip(self.given, prices, strict=True)]
            self._decoder = prices, Decoder(rules, labels=self.labels, on_infeasible="least_bad")
        return self._decoder[1]

    def violations(self, place: int, path: npt.ArrayLike) -> Floats:
        """(G,): what each learned price is paid for, d(x, y); violations, or 1 for a broken rule that is paid for once."""
        found = np.zeros(len(self.names))
        broken = np.zeros(len(self.given), dtype=np.int64)
        labelling = np.asarray(path, dtype=np.int32)
        for rule, bound, kinds in self._bound[place]:
            if self._group[rule] >= 0:
                unit, _ = self._unit(rule, bound, hard=False)
                broken[rule] += _core.count_violations(unit, kinds, labelling)
        for rule, count in enumerate(broken):
            if count:
                once = self.given[rule].per == "sequence"
                found[self._group[rule]] += 1 if once else count
        return found

    def rules(self, learned: Floats | None = None) -> Rules:
        """The rules at the current prices, or at others."""
        prices = self.learned if learned is None else learned
        return Rules(
            rule.soft(float(prices[group]), per=rule.per) if group >= 0 else rule
            for rule, group in zip(self.given, self._group, strict=True)
        )

    def unit_parts(self, place: int, columns: Mapping[int, int]) -> list[PricedPart]:
        """The machines of one sequence at a price of 1 (or hard), with the number of the price that they are paid with.

        Learned prices are numbered first; `columns` has the numbers of other rules by their places.
        """
        return [
            PricedPart(
                self._unit(rule, bound, hard=math.isinf(self._prices[rule]))[0],
                kinds,
                self._group[rule] if self._group[rule] >= 0 else columns.get(rule, -1),
            )
            for rule, bound, kinds in self._bound[place]
        ]

    # --- machines at their prices -------------------------------------------------------------------------

    def _part(self, rule: int, bound: BoundMachine) -> _core.Part:
        price = self._prices[rule]
        key = (rule, id(bound.machine), id(bound.table))
        known = self._parts.get(key)
        if known is not None and known[0] == price:
            return known[1]
        part, _ = self._unit(rule, bound, hard=math.isinf(price))
        if math.isfinite(price):
            machine = bound.machine
            part = _core.Part(
                rule=rule,
                table=bound.table,
                delta=part.delta,
                cost=price * part.cost,
                final_cost=price * part.final_cost,
                mode=part.mode,
                price=price,
                count_delta=machine.delta,
                count_violations=machine.violations,
                count_final=machine.final,
            )
        self._parts[key] = price, part
        return part

    def _unit(self, rule: int, bound: BoundMachine, *, hard: bool) -> tuple[_core.Part, BoundMachine]:
        """The machine at a price of 1, or hard."""
        key = (rule, id(bound.machine), id(bound.table), hard)
        if key not in self._units:
            part = make_part(bound, rule=rule, price=math.inf if hard else 1.0, per=self.given[rule].per)
            self._units[key] = part, bound  # the bound stays alive, so that its ids stay its own
        return self._units[key]


def _groups(rules: Rules, ties: Iterable[Collection[str]]) -> tuple[list[int], list[str]]:
    """The number of each rule's learned price (-1 if it has none), and a name for each of those prices."""
    tied = {name: number for number, tie in enumerate(ties) for name in tie}
    numbers: dict[object, int] = {}
    names: list[str] = []
    found = []
    for rule in rules:
        if rule.price != "learn":
            found.append(-1)
            continue
        key: object = tied.get(rule.name, rule.name)
        if key not in numbers:
            numbers[key] = len(names)
            names.append(rule.name)
        found.append(numbers[key])
    return found, names


def _array(kinds: list[int] | None) -> Kinds:
    return None if kinds is None else np.array(kinds, dtype=np.uint16)
