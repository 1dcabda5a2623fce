"""The answers to one lattice under subsets of its rules: what would happen without the other rules."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from lawful.automata.counting import CountingMachine
from lawful.decoding.result import Decoding
from lawful.errors import InternalError
from lawful.explanation.charges import Bill, bill_of
from lawful.lattice.sums import PathSum
from lawful.rules.bound_rules import BoundRules
from lawful.rules.compiled_rules import Tables, binary_tables
from lawful.rules.example import BoundMachine
from lawful.solvers.choice import auto
from lawful.solvers.problem import Problem
from lawful.solvers.solution import Solution
from lawful.support.limits import Limits

__all__ = ["Answer", "RuleIndices", "SubsetAnswers", "keeps_one"]

RuleIndices = frozenset[int]
"""A subset of the rules, by their indices in the rule set."""


class Answer(NamedTuple):
    """The best labels under a subset of the rules, and the rules of the whole set that they break at a cost."""

    labels: tuple[str, ...]
    total: PathSum
    broken: RuleIndices

    def differs(self, other: Answer, position: int) -> bool:
        """Whether two answers differ at a position. (The paths of a graph may differ in length.)"""
        return self.labels[position : position + 1] != other.labels[position : position + 1]


class SubsetAnswers:
    """Decodes one lattice under any subset of its rules. It uses the compiled rules of the decoding, and searches no subset twice.

    An answer that breaks none of the added rules is also the answer under the larger subset, because rules only
    lower scores. That saves most of the work.

    Parameters
    ----------
    decoding : Decoding
        A proved answer. It and its plain answer are known from the start.
    limits : Limits
        They apply to all searches together, and raise `LimitError`.
    counted : mapping, optional
        How often some labels violate each rule, where that was counted before: by the rules' machines, if it was many at once.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [2.0, 1.0]], labels=["A", "B"])
    >>> answers = SubsetAnswers(lawful.decode(lattice, [lawful.at_most(1, "A"), lawful.starts_with("B")]))
    >>> answers.answer(frozenset([1])).labels, answers.answer(answers.everything).labels
    (('B', 'A'), ('B', 'A'))
    """

    def __init__(
        self,
        decoding: Decoding,
        limits: Limits | None = None,
        counted: Mapping[tuple[str, ...], Sequence[int]] = MappingProxyType({}),
    ) -> None:
        self.decoding, self._counted = decoding, counted
        self._limits = (limits or Limits()).started()
        self._names = decoding.rules.names
        self.everything: RuleIndices = frozenset(range(len(self._names)))
        self._bills: dict[tuple[str, ...], Bill] = {}  # the same labels are the answer under many subsets
        self._known = {
            frozenset[int](): self._judged(decoding.plain_labels, frozenset()),
            self.everything: self._judged(decoding.labels, self.everything),
        }
        self._others: defaultdict[RuleIndices, list[Answer]] = defaultdict(
            list
        )  # as good as those, as far as known
        self._forced: defaultdict[RuleIndices, set[int]] = defaultdict(set)  # positions

    @property
    def bill(self) -> Bill:
        """What the answer under all rules pays."""
        return self._bills[self.decoding.labels]

    def limit(self, limits: Limits) -> None:
        """Other limits, for all searches from now on together."""
        self._limits = limits.started()

    def solve(self, rules: BoundRules) -> Solution:
        """The best labels of the lattice under these rules, within what is left of the limits."""
        self._limits.require_rest()
        solution = auto(Problem(self.decoding.lattice, rules, self._limits))
        self._limits = self._limits.after(solution.states)
        return solution

    def answer(self, subset: RuleIndices) -> Answer:
        """The best labels under these rules alone."""
        if subset not in self._known:
            self._known[subset] = self._inherited(subset) or self._decode(subset)
        return self._known[subset]

    def keeping(self, subset: RuleIndices, positions: Iterable[int]) -> dict[int, Answer]:
        """For each of these positions at which some best answer under the rules has the rule-free label, such an answer.

        At the others the rules of the subset force another label: every answer that keeps it scores less.
        """
        plain = self.answer(frozenset())
        keeping: dict[int, Answer] = {}
        waiting = set(positions)
        best = [self.answer(subset), *self._others[subset]]
        while True:
            for answer in best:
                kept = {t for t in waiting if not answer.differs(plain, t)}
                keeping |= dict.fromkeys(kept, answer)
                waiting -= kept
            waiting -= self._forced[subset]
            if not waiting:
                return keeping
            tied = self._best_keeping(subset, waiting)
            if tied is None or self.answer(subset).total.beats(tied.total):
                self._forced[subset] |= waiting
            else:
                self._others[subset].append(tied)
                best = [tied]

    def sufficient(self) -> RuleIndices:
        """A small subset under which the answer is already the final one.

        It grows by the rules that each intermediate answer breaks. Afterwards every larger subset has a known answer.
        """
        subset: RuleIndices = frozenset()
        while broken := self.answer(subset).broken - subset:
            subset |= broken
        return subset

    def _inherited(self, subset: RuleIndices) -> Answer | None:
        for fewer, answer in self._known.items():
            if fewer < subset and not answer.broken & (subset - fewer):
                return answer
        return None

    def _decode(self, subset: RuleIndices) -> Answer:
        solution = self.solve(self.decoding.bound_rules.only(subset))
        if solution.labels is None:
            raise InternalError(
                "all rules together have an answer, but some of them have none: this is a bug in lawful"
            )
        return self._judged(self.decoding.lattice.labels.decode(solution.labels), subset)

    def _best_keeping(self, subset: RuleIndices, positions: Collection[int]) -> Answer | None:
        """The best labels under these rules among those that keep the rule-free label at one of the positions."""
        names, length = self.decoding.lattice.labels, self.decoding.lattice.length
        plain = names.encode(self.answer(frozenset()).labels)
        rules = self.decoding.bound_rules.only(subset)
        if length is None:
            table = np.arange(len(names), dtype=np.uint16)[None, :]
            also = rules.also(BoundMachine(keeps_one(plain, positions, len(names)), table), _KEPT)
        else:
            also = rules.also(keeps_one_of(plain, positions, len(names)), _KEPT, _tables_of_keeping())
        solution = self.solve(also)
        return None if solution.labels is None else self._judged(names.decode(solution.labels), subset)

    def _judged(self, labels: tuple[str, ...], subset: RuleIndices) -> Answer:
        names, bill = self._names, self._bills.get(labels)
        if bill is None:
            decoding, counts = self.decoding, self._counted.get(labels)
            bill = self._bills[labels] = bill_of(decoding.lattice, decoding.rules, labels, counts)
        paid = [names.index(charge.rule) for charge in bill.broken if charge.cost]
        return Answer(labels, bill.under({names[rule] for rule in subset}), frozenset(paid))


def keeps_one_of(sequence: Sequence[int], positions: Collection[int], labels: int) -> BoundMachine:
    """What label sequences of the same length obey if they are like the given one at one of the positions.

    The machine has two states, since the labels that positions of different kinds should keep are read as one class.

    Examples
    --------
    >>> machine, table, kinds = keeps_one_of((0, 1), [1], 2)
    >>> table.tolist(), kinds, machine.count([0, 1]), machine.count([0, 0])
    ([[0, 0], [0, 1]], [0, 1], 0, 1)
    """
    kept = sorted({sequence[t] for t in positions})
    table = np.zeros((1 + len(kept), labels), dtype=np.uint16)
    table[range(1, 1 + len(kept)), kept] = 1
    kinds = [1 + kept.index(label) if t in positions else 0 for t, label in enumerate(sequence)]
    return BoundMachine(_KEEPS_ONE, table, kinds)


_KEPT = "a label is kept"
_KEEPS_ONE = CountingMachine.from_lists([[0, 1], [1, 1]], [[0, 0], [0, 0]], [1, 0])


@cache
def _tables_of_keeping() -> Tables:
    """Of a machine that never changes: only the labels and tokens that it reads do."""
    return binary_tables(_KEEPS_ONE, math.inf)


def keeps_one(sequence: Sequence[int], positions: Collection[int], labels: int) -> CountingMachine:
    """A machine that label sequences obey if they are like the given one at one of the positions, or end there like it.

    It reads labels of any number, as the paths of a graph may have.

    Examples
    --------
    >>> machine = keeps_one((0, 1), [1], 2)
    >>> machine.count([1, 1]), machine.count([0, 0])
    (0, 1)
    """
    last = max(positions)
    # State t has read t labels, none of them kept; the last two states are those of sequences that are decided.
    kept, lost = last + 1, last + 2
    delta = []
    for t in range(last + 1):
        after = lost if t == last else t + 1
        row = [after] * labels
        if t in positions and t < len(sequence):
            row[sequence[t]] = kept
        delta.append(row)
    delta += [[kept] * labels, [lost] * labels]
    beyond = [t for t in positions if t >= len(sequence)]  # where the given one has ended
    ends = [int(not any(t <= position for position in beyond)) for t in range(last + 1)]
    return CountingMachine.from_lists(delta, [[0] * labels for _ in delta], [*ends, 0, 1])
