"""Rules tied to one sequence: narrowed, at other prices, counted, and ready for the kernels."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import GraphError, InputError, InternalError
from lawful.labels import LabelSet
from lawful.lattice.base import ChainLattice
from lawful.lattice.segments import SegmentLattice
from lawful.lattice.trellis import SEEN_BY_RULES, Lattice
from lawful.rules.compiled_rules import CompiledRules, Tables, large_price, make_part
from lawful.rules.example import BoundMachine, Example
from lawful.rules.rule import Per
from lawful.rules.ruleset import Rules

__all__ = ["NO_RULES", "BoundRules", "Kinds", "as_bound", "bind", "look_at_all", "read_examples"]

Kinds: TypeAlias = npt.NDArray[np.uint16] | None
Labelling: TypeAlias = Sequence[str] | Sequence[int] | npt.NDArray[np.integer[Any]]

_NO_PARTS = _core.PartSet(())
_HANDED_ON = ("prices", "per", "names", "_joins", "_machines", "_left")


class _Tied(NamedTuple):
    """One machine of a rule, the kinds of the tokens for it, and a part that counts with it."""

    machine: BoundMachine
    kinds: Kinds
    part: _core.Part


class BoundRules:
    """Rules tied to one sequence. Frozen. Made by `bind`; a rule is known by its index in the rule set.

    `only`, `at_prices` and `also` give other `BoundRules` for the same sequence. None of them looks at the tokens or
    the context again, and all sequences of one `CompiledRules` share machines and parts.

    Attributes
    ----------
    length : int or None
        The number of tokens; None if the paths of a graph differ in length.
    largest : int
        No part has more states than this, apart from those that fold into the scores.

    Examples
    --------
    >>> from lawful.rules import at_least, at_most
    >>> labels = LabelSet(["A", "B"])
    >>> compiled = CompiledRules(Rules(at_most(1, "A"), at_least(1, "B").soft("learn")), labels)
    >>> bound = bind(compiled, 3, ["x", "y", "z"], {})
    >>> bound.count(["A", "A", "A"]).tolist(), bound.positions(["A", "A", "A"])
    ([2, 1], ((1, 2), ()))
    >>> bound.only([1]).count(["A", "A", "A"]).tolist()
    [0, 1]
    >>> bound.occasions(["B", "A", "B"]).tolist()  # a second A; the end without a B
    [[0, 0, 1, 0], [0, 0, 0, 1]]
    >>> bound.at_prices([2.0, 0.5]).rules
    Rules(at_most(1, 'A').soft(2.0), at_least(1, 'B').soft(0.5))
    """

    _left: frozenset[int] | None = None

    def __init__(
        self,
        compiled: CompiledRules,
        length: int | None,
        binding: _core.Binding,
        own_machines: Sequence[tuple[_core.Part, BoundMachine]] = (),
        apart: Mapping[int, Sequence[BoundMachine]] | None = None,
        example: Example | Lattice | None = None,
    ) -> None:
        # This runs once for each sequence that is decoded, so it only puts things aside.
        self.length, self.largest = length, compiled.largest
        self._compiled, self._common, self._binding = compiled, compiled.common, binding
        self._own_machines = (
            own_machines  # behind the parts of `binding`, besides those that all sequences share
        )
        self._example = example  # what was looked at; None if no rule looks at more than labels
        self._apart = apart  # by rule: the machines of which `binding` has one that joins them

    @classmethod
    def from_parts(
        cls, parts: Sequence[_core.Part], kinds: Sequence[Kinds] | None = None, *, names: Sequence[str]
    ) -> BoundRules:
        """Parts that were made by hand: good for solving, but not for counting or for other prices.

        Examples
        --------
        >>> BoundRules.from_parts((), names=["a", "b"]).names
        ('a', 'b')
        """
        rows = [None] * len(parts) if kinds is None else kinds
        length = next((len(row) for row in rows if row is not None), None)
        bound = cls(NO_RULES._compiled, length, _core.Binding(length or 0, parts, rows))
        bound.names = tuple(names)
        return bound

    # --- what they are ------------------------------------------------------------------------------------

    @cached_property
    def rules(self) -> Rules:
        """The whole rule set, at the prices that hold here."""
        rules = self._compiled.rules
        if self.prices is self._compiled.prices:
            return rules
        priced = zip(rules, self.prices, self.per, strict=True)
        return Rules(rule.soft(price, per=per) for rule, price, per in priced)

    @property
    def left(self) -> Rules:
        """The rules that `only` left, at the prices that hold here; all if there was no such call. Answers are judged by them.

        Examples
        --------
        >>> from lawful.rules import at_least, at_most
        >>> compiled = CompiledRules(Rules(at_most(1, "A"), at_least(1, "B")), LabelSet(["A", "B"]))
        >>> bound = bind(compiled, 3, ["x", "y", "z"], {})
        >>> bound.only([1]).left
        Rules(at_least(1, 'B'))
        """
        if self._left is None:
            return self.rules
        return Rules(rule for index, rule in enumerate(self.rules) if index in self._left)

    @cached_property
    def prices(self) -> tuple[float, ...]:
        """The price of each rule: infinity if it is hard, 0 if it is yet to be learned."""
        return self._compiled.prices

    @cached_property
    def per(self) -> tuple[Per, ...]:
        """How often each soft rule is paid for: per "sequence" or per "violation"."""
        return self._compiled.per

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each rule."""
        return self._compiled.names

    @property
    def labels(self) -> LabelSet:
        """The labels that the rules were compiled for."""
        return self._compiled.labels

    def missing_labels(self, rules: Iterable[int]) -> tuple[str, ...]:
        """The labels that some of the rules name, by index, and that the label set lacks: they never occur."""
        missing = self._compiled.missing
        return tuple(dict.fromkeys(label for rule in rules for label in missing.get(self.names[rule], ())))

    @cached_property
    def parts(self) -> tuple[_core.Part, ...]:
        """The parts of all rules in force; `part.rule` says whose it is. A rule costs the sum over its parts."""
        return self._common_parts + self._binding.parts

    @cached_property
    def kinds(self) -> tuple[Kinds, ...]:
        """For each part, the kind (T,) of every token; None if all are of kind 0."""
        return (None,) * len(self._common_parts) + self._binding.kinds

    @property
    def _common_parts(self) -> tuple[_core.Part, ...]:
        return self._compiled.common_parts if self._common is self._compiled.common else ()

    @cached_property
    def in_force(self) -> tuple[int, ...]:
        """The rules that have a part here, in order."""
        return tuple(sorted(self._by_rule))

    def parts_of(self, rule: int) -> Sequence[tuple[_core.Part, Kinds]]:
        """The parts of one rule in force, each with the kinds of the tokens."""
        return self._by_rule[rule]

    @cached_property
    def _by_rule(self) -> dict[int, list[tuple[_core.Part, Kinds]]]:
        by_rule: dict[int, list[tuple[_core.Part, Kinds]]] = {}
        for part, kinds in zip(self.parts, self.kinds, strict=True):
            by_rule.setdefault(part.rule, []).append((part, kinds))
        return by_rule

    def problem(self, lattice: ChainLattice) -> _core.Problem:
        """What the kernels take: the scores of a trellis, and these rules."""
        own = self._binding
        if self.length is None:  # then no part looks at positions, and they fit any length
            own = _core.Binding(lattice.length, own.parts, own.kinds)
        try:
            return _core.Problem(lattice.core, self._common, own)
        except OverflowError:
            self.refuse_large_prices(lattice.length)
            raise

    def segment_problem(self, lattice: SegmentLattice) -> _core.SegmentProblem:
        """The same for segments."""
        return _core.SegmentProblem(lattice.scores, self._common, self._binding, len(lattice.labels))

    def refuse_large_prices(self, length: int) -> None:
        """Raise `LargeScoreError` if what a path of that many labels pays could overflow.

        Examples
        --------
        >>> from lawful.rules import forbid
        >>> rules = Rules(forbid("A").soft(1e301, per="violation"))
        >>> bind(CompiledRules(rules, LabelSet(["A", "B"])), 20, None, {}).refuse_large_prices(20)
        Traceback (most recent call last):
        lawful.errors.LargeScoreError: the price of rule "forbid('A')" is 1e+301: the prices that a path pays may add up to 1e+302, signs ignored, but these could reach 2e+302; make the rule hard, or its price smaller
        """
        charges = [part.most_charge(length) for part in self.parts]
        if sum(charges) > _core.MOST_SCORE:
            dearest = self.parts[charges.index(max(charges))]
            raise large_price(self.names[dearest.rule], dearest.price, sum(charges))

    def __reduce__(self) -> tuple[Any, ...]:
        """As data: they are tied again to the same sequence, at the same prices."""
        if self.names is not self._compiled.names and self.names != self._compiled.names:
            raise InputError(
                "rules that were made from parts cannot be pickled: there is no rule to make them from"
            )
        looked_at = self._example
        return _bound_again, (
            self._compiled,
            self.length,
            None if looked_at is None else looked_at.tokens,
            {} if looked_at is None else dict(looked_at.context),
            self.prices,
            self.per,
            self.in_force,
        )

    # --- what labels break --------------------------------------------------------------------------------

    def count(self, labels: Labelling) -> npt.NDArray[np.int64]:
        """How often labels violate each rule (R,), whatever its price; counted by machines in the core.

        Parameters
        ----------
        labels : sequence of str, or of int
            Label names, or their indices in the label set.
        """
        indices = labels if isinstance(labels, np.ndarray) else self._path(labels)
        path = np.ascontiguousarray(indices, dtype=np.int32)
        counts = np.zeros(len(self.names), dtype=np.int64)
        for rule, machines in self._machines.items():
            for _, kinds, part in machines:
                counts[rule] += _core.count_violations(part, kinds, path)
        return counts

    def count_each(self, labellings: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
        """`count` of many labellings (n, T) at once, given by indices: (n, R)."""
        counts = np.zeros((len(labellings), len(self.names)), dtype=np.int64)
        for rule, machines in self._machines.items():
            for _, kinds, part in machines:
                counts[:, rule] += np.asarray(_core.count_violations_of_each(part, kinds, labellings))
        return counts

    def positions(self, labels: Labelling) -> tuple[tuple[int, ...], ...]:
        """The positions at which labels violate each rule, whatever its price; the end is no position.

        Parameters
        ----------
        labels : sequence of str, or of int
        """
        path = self._path(labels)
        positions: list[set[int]] = [set() for _ in self.names]
        # Counted first, in the core: most rules are not broken, and then nothing needs to be walked here.
        for rule in np.flatnonzero(self.count(path)).tolist():
            for machine, kinds, _ in self._machines[rule]:
                positions[rule].update(self._compiled.violated_positions(machine, kinds, path))
        return tuple(tuple(sorted(of_rule)) for of_rule in positions)

    def occasions(self, labels: Labelling) -> npt.NDArray[np.int64]:
        """How often each rule could be violated at each position (R, T + 1), the end included, after the labels before it.

        A position counts with the most violations that any label could add there, and the end with the most that it can
        count. So no labelling that agrees up to there has more violations, and where no label breaks a rule there is no occasion.

        Parameters
        ----------
        labels : sequence of str, or of int
        """
        path = self._path(labels)
        always, moving = self._standing_occasions
        counts = always.copy()
        for rule, machine, kinds in moving:
            counts[rule] += self._compiled.occasions(machine, kinds, path)
        return counts

    @cached_property
    def _standing_occasions(
        self,
    ) -> tuple[npt.NDArray[np.int64], list[tuple[int, BoundMachine, Kinds]]]:
        """The occasions (R, T + 1) for machines without memory, which no label changes; and all other machines."""
        path = [0] * (self.length or 0)
        always = np.zeros((len(self.names), len(path) + 1), dtype=np.int64)
        moving = []
        for rule, machines in self._machines.items():
            for machine, kinds, _ in machines:
                if machine.machine.states > 1:
                    moving.append((rule, machine, kinds))
                else:
                    always[rule] += self._compiled.occasions(machine, kinds, path)
        return always, moving

    @cached_property
    def breakable(self) -> npt.NDArray[np.bool_]:
        """Whether some labelling of the sequence violates each rule (R,)."""
        answers = np.zeros(len(self.names), dtype=np.bool_)
        for rule, machines in self._machines.items():
            answers[rule] = any(
                self._compiled.breakable(machine, kinds, self.length or 0) for machine, kinds, _ in machines
            )
        return answers

    def _path(self, labels: Labelling) -> Sequence[int]:
        if isinstance(labels, np.ndarray):
            indices: list[int] = labels.tolist()
            return indices
        if labels and isinstance(labels[0], str):
            return self.labels.encode(labels)  # type: ignore[arg-type]
        return [int(label) for label in labels]

    @cached_property
    def _machines(self) -> Mapping[int, Sequence[_Tied]]:
        """The machines of each rule, each for itself, even if the rule is paid for once and they were joined."""
        apart, compiled = self._apart or {}, self._compiled
        shared, own = compiled.machines, dict(self._own_machines)
        machines: dict[int, list[_Tied]] = {
            rule: [
                _Tied(machine, _array(machine.kinds), compiled.at(rule, machine, math.inf, "sequence"))
                for machine in of_rule
            ]
            for rule, of_rule in apart.items()
        }
        for part, kinds in zip(self.parts, self.kinds, strict=True):
            if part.rule not in apart:
                machine = own[part] if part in own else shared[part]
                machines.setdefault(part.rule, []).append(_Tied(machine, kinds, part))
        return machines

    # --- others for the same sequence ---------------------------------------------------------------------

    def only(self, rules: Collection[int]) -> BoundRules:
        """Some of the rules, by index. The others are not in force, and are not counted."""
        parts, kinds = self.parts, self.kinds
        kept = [index for index, part in enumerate(parts) if part.rule in rules]
        other = self._with(tuple([parts[index] for index in kept]), tuple([kinds[index] for index in kept]))
        other._left = frozenset(rules if self._left is None else self._left.intersection(rules))
        if "_machines" in self.__dict__:
            other._machines = {rule: of_rule for rule, of_rule in self._machines.items() if rule in rules}
        elif self._apart:
            other._apart = {rule: of_rule for rule, of_rule in self._apart.items() if rule in rules}
        return other

    def at_prices(self, prices: Sequence[float], *, per: Sequence[Per] | None = None) -> BoundRules:
        """The same rules at other prices. No token test is asked again; only costs change in the machines.

        Parameters
        ----------
        prices : sequence of float
            One for each rule. Infinity makes it hard; at 0 it is not in force, but still counted.
        per : sequence of "sequence" or "violation", optional
            How often each soft rule is paid for; as before if not given.
        """
        if len(prices) != len(self.names):
            raise InputError(f"expected a price for each of {len(self.names)} rules, got {len(prices)}")
        how = self.per if per is None else tuple(per)
        # What learns asks this for every sequence it sees, so rules of one machine, which are nearly all, go a short way.
        at = self._compiled.at
        parts: list[_core.Part] = []
        kinds: list[Kinds] = []
        in_force = [rule for rule in self._machines if prices[rule] > 0]  # often few of many
        for rule in in_force:
            machines, price, mode = self._machines[rule], prices[rule], how[rule]
            if len(machines) > 1 and mode == "sequence" and math.isfinite(price):
                machines = (self._joined(rule),)  # paid for once, so it must be one machine
            for machine, kinds_of_machine, _ in machines:
                parts.append(at(rule, machine, price, mode))
                kinds.append(kinds_of_machine)
        other = self._with(tuple(parts), tuple(kinds))
        other.prices, other.per = tuple(map(float, prices)), how
        return other

    def with_hard_rules_counted(self, price: float) -> BoundRules:
        """Every hard rule at this price for each violation: the best answer then breaks them the fewest times."""
        hard = [math.isinf(own) for own in self.prices]
        prices = [price if is_hard else own for is_hard, own in zip(hard, self.prices, strict=True)]
        per: list[Per] = [
            "violation" if is_hard else own for is_hard, own in zip(hard, self.per, strict=True)
        ]
        return self.at_prices(prices, per=per)

    def also(self, machine: BoundMachine, name: str, tables: Tables | None = None) -> BoundRules:
        """These rules and one more, which is hard, given by its machine, and only good for solving.

        `tables` are the `binary_tables` of the machine, if they are known.
        """
        part = make_part(machine, rule=len(self.names), price=math.inf, per="sequence", tables=tables)
        other = self._with((*self.parts, part), (*self.kinds, _array(machine.kinds)))
        other._machines = self._machines
        other.names = (*self.names, name)
        return other

    def _joined(self, rule: int) -> _Tied:
        known = self._joins.get(rule)
        if known is None:
            # Several of them may share a machine and differ in the kinds of the tokens only.
            machines = [tied.machine._replace(kinds=_list(tied.kinds)) for tied in self._machines[rule]]
            machine = self._compiled.join(rule, machines)
            known = self._joins[rule] = _Tied(machine, _array(machine.kinds), self._machines[rule][0].part)
        return known

    @cached_property
    def _joins(self) -> dict[int, _Tied]:
        return {}

    def _with(self, parts: tuple[_core.Part, ...], kinds: tuple[Kinds, ...]) -> BoundRules:
        """Other parts for the same sequence; what is known of the rules is handed on, and else found when it is asked for."""
        binding = _core.Binding(self.length or 0, parts, kinds)
        other = BoundRules(
            self._compiled, self.length, binding, self._own_machines, self._apart, self._example
        )
        other._common, other.parts, other.kinds = _NO_PARTS, parts, kinds
        for name in _HANDED_ON:
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other


def bind(
    compiled: CompiledRules, length: int | None, tokens: Sequence[Any] | None, context: Mapping[str, Any]
) -> BoundRules:
    """The rules tied to one sequence: token tests and context are looked at here, once.

    Parameters
    ----------
    compiled : CompiledRules
    length : int or None
        The number of tokens; None if the paths of a graph differ in length.
    tokens : sequence or None
        For rules that look at them.
    context : mapping
        For rules that ask for something by name.

    Examples
    --------
    >>> from lawful.rules import at_most
    >>> compiled = CompiledRules(Rules(at_most(1, "A")), LabelSet(["A", "B"]))
    >>> bind(compiled, 3, None, {}).count(["A", "B", "A"]).tolist()
    [1]
    """
    if compiled.first_looking is None:
        return BoundRules(compiled, length, _core.Binding(length or 0, (), ()))
    if length is None:
        raise GraphError(
            f"rule {compiled.names[compiled.first_looking]!r} looks at tokens or positions, but the paths of the "
            "graph differ in length"
        )
    example = Example(length, tokens, context)
    parts, kinds, machines, apart = _look_at(compiled, example) if compiled.looking else ((), (), (), None)
    if compiled.reader is None:
        binding = _core.Binding(length, parts, kinds)
    else:
        table, codes = compiled.reader(example)
        binding = _core.Binding(length, parts, kinds, table, codes)
    return BoundRules(compiled, length, binding, machines, apart, example)


def look_at_all(compiled: CompiledRules, lattices: Iterable[Lattice]) -> _core.Examples:
    """What the rules see of many trellises, in the core, which can tie the rules to all of them at once.

    As `bind` and `BoundRules.problem` would, but for sequences with something that only `bind` can treat or name as wrong.
    """
    if compiled.binder is None:
        raise InternalError("a rule has to be tied by Python, one sequence after the other")
    codes = None if compiled.reader is None else compiled.reader.codes
    return _core.Examples.of(compiled.binder, map(SEEN_BY_RULES, lattices), compiled.questions, codes)


def read_examples(
    examples: _core.Examples,
    compiled: CompiledRules,
    tokens: list[Sequence[Any] | None],
    contexts: list[Mapping[str, Any]],
) -> None:
    """Hand what the rules want to know of many sequences to the core; the lists have one item for each."""
    for number, (name, otherwise, known, ask) in enumerate(compiled.questions):
        values = [otherwise if name is None else context.get(name, otherwise) for context in contexts]
        examples.read(number, values, known, ask)
    if compiled.reader is not None:
        examples.read_tokens(compiled.reader.codes, tokens)


def as_bound(compiled: CompiledRules, lattice: Lattice, own: _core.Binding) -> BoundRules:
    """The rules as the core tied them to one sequence; its tokens are only made if somebody asks for them."""
    example = None if compiled.first_looking is None else lattice
    return BoundRules(compiled, lattice.length, own, example=example)


def _bound_again(
    compiled: CompiledRules,
    length: int | None,
    tokens: Sequence[Any] | None,
    context: Mapping[str, Any],
    prices: Sequence[float],
    per: Sequence[Per],
    in_force: tuple[int, ...],
) -> BoundRules:
    bound = bind(compiled, length, tokens, context)
    if (bound.prices, bound.per) != (prices, per):
        bound = bound.at_prices(prices, per=per)
    return bound if bound.in_force == in_force else bound.only(in_force)


def _look_at(
    compiled: CompiledRules, example: Example
) -> tuple[
    list[_core.Part],
    list[list[int] | None],
    list[tuple[_core.Part, BoundMachine]],
    Mapping[int, Sequence[BoundMachine]] | None,
]:
    """The parts, kinds and machines of the rules that look at more than single tokens; and what was joined."""
    parts: list[_core.Part] = []
    kinds: list[list[int] | None] = []
    machines: list[tuple[_core.Part, BoundMachine]] = []
    own = compiled.own
    apart: dict[int, Sequence[BoundMachine]] | None = None
    for rule, looking, paid_once in compiled.looking:
        bound = looking.bind(example)
        if paid_once and len(bound) > 1:  # then it must be one machine, however many it takes to say it
            apart = {} if apart is None else apart
            apart[rule] = bound
            bound = (compiled.join(rule, bound),)
        for machine in bound:
            known = own(
                rule, machine
            )  # shared: a machine of each sequence's own would live as long as the sequence
            machines.append(known)
            parts.append(known[0])
            kinds.append(machine[2])
    return parts, kinds, machines, apart


def _array(kinds: list[int] | None) -> Kinds:
    return None if kinds is None else np.array(kinds, dtype=np.uint16)


def _list(kinds: Kinds) -> list[int] | None:
    return None if kinds is None else kinds.tolist()


NO_RULES = BoundRules(CompiledRules(Rules(), LabelSet(["0"])), None, _core.Binding(0, (), ()))
"""For problems without rules, of any length and with any labels."""
