"""Labels at fixed positions: `starts_with`, `ends_with`, `label_at`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lawful import _core
from lawful.automata.counting import CountingMachine
from lawful.errors import RuleError
from lawful.labels import LabelSet
from lawful.rules.arguments import LabelsLike, as_labels, checked_position, spell, whole_number
from lawful.rules.compiled.forms import StaticRule, Table, count_ones, membership, tighten
from lawful.rules.contexts import Context
from lawful.rules.example import BoundMachine, CompiledRule, Example, Source
from lawful.rules.rule import Rule

__all__ = ["EndsWith", "LabelAt", "StartsWith", "ends_with", "label_at", "starts_with"]


@dataclass(frozen=True, repr=False)
class StartsWith(Rule):
    """The first label is one of these. A violation is that position.

    Examples
    --------
    >>> StartsWith(("A", "B"))
    starts_with('A', 'B')
    """

    labels: tuple[str, ...]

    def code(self) -> str:
        """The call that makes this rule."""
        return spell("starts_with", *self.labels)

    def count(self, labels: Sequence[str], example: Example) -> int:
        """1 if there is a first label and it is not one of these."""
        return int(len(labels) > 0 and labels[0] not in self.labels)

    def compile(self, labels: LabelSet) -> CompiledRule:
        """A machine that looks at the first label only."""
        machine = CountingMachine.from_lists([[1, 1], [1, 1]], [[1, 0], [0, 0]], [0, 0])
        return StaticRule(BoundMachine(*tighten(machine, membership(labels, self.labels, where=self.name))))


@dataclass(frozen=True, repr=False)
class EndsWith(Rule):
    """The last label is one of these. A violation is that position.

    Examples
    --------
    >>> EndsWith(("A", "B"))
    ends_with('A', 'B')
    """

    labels: tuple[str, ...]

    def code(self) -> str:
        """The call that makes this rule."""
        return spell("ends_with", *self.labels)

    def count(self, labels: Sequence[str], example: Example) -> int:
        """1 if there is a last label and it is not one of these."""
        return int(len(labels) > 0 and labels[-1] not in self.labels)

    def compile(self, labels: LabelSet) -> CompiledRule:
        """A machine that remembers whether the last label was allowed."""
        machine = CountingMachine.from_lists([[1, 0], [1, 0]], [[0, 0], [0, 0]], [0, 1])
        return StaticRule(BoundMachine(*tighten(machine, membership(labels, self.labels, where=self.name))))


@dataclass(frozen=True, repr=False)
class LabelAt(Rule):
    """The labels at some positions are among these. A violation is each such position with another label.

    Examples
    --------
    >>> LabelAt((0, -1), ("A",))
    label_at([0, -1], 'A')
    """

    position: tuple[int, ...] | Context
    labels: tuple[str, ...]
    kind_names = ("elsewhere", "here")

    def __post_init__(self) -> None:
        if isinstance(self.position, tuple):
            if not self.position:
                raise RuleError("label_at needs at least one position, got none")
            for position in self.position:
                whole_number(position, "the position of label_at", least=None)
        super().__post_init__()

    def code(self) -> str:
        """The call that makes this rule."""
        where: object = self.position
        if isinstance(where, tuple):
            where = where[0] if len(where) == 1 else list(where)
        return spell("label_at", where, *self.labels)

    def positions(self, example: Example) -> list[int]:
        """The fixed positions of an example, counted from its start."""
        value: Any = self.position
        if isinstance(value, Context):
            value = value.resolve(example, self.name)
        if type(value) is int:  # the usual case, once per sequence that is decoded
            return [checked_position(value, example.length, self.name)]
        positions = value if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
        return sorted({checked_position(position, example.length, self.name) for position in positions})

    def count(self, labels: Sequence[str], example: Example) -> int:
        """Fixed positions that have another label."""
        return sum(labels[position] not in self.labels for position in self.positions(example))

    def compile(self, labels: LabelSet) -> CompiledRule:
        """A machine without memory; the fixed positions are of kind 1."""
        wrong = 1 - membership(labels, self.labels, where=self.name)
        machine, table = tighten(count_ones(), np.vstack([np.zeros_like(wrong), wrong]))
        return _PositionRule(self, machine, table)


@dataclass(frozen=True, eq=False)
class _PositionRule:
    rule: LabelAt
    machine: CountingMachine
    table: Table
    static = False

    def bind(self, example: Example) -> Sequence[BoundMachine]:
        kinds = [0] * example.length
        for position in self.rule.positions(example):
            kinds[position] = 1
        return (BoundMachine(self.machine, self.table, kinds),)

    def enter(
        self, binder: _core.Binder, make: Callable[[BoundMachine], _core.Part], *, once: bool
    ) -> Source:
        binder.add_positions(make(BoundMachine(self.machine, self.table)))
        return Source(self.rule.position, read_array=_core.Examples.set_positions, one_each=True)


def starts_with(*labels: LabelsLike) -> StartsWith:
    """The first label is one of these.

    Examples
    --------
    >>> starts_with("Author").violations(["Title", "Author"])
    1
    """
    return StartsWith(as_labels(labels, "starts_with"))


def ends_with(*labels: LabelsLike) -> EndsWith:
    """The last label is one of these.

    Examples
    --------
    >>> ends_with("Date").violations(["Title", "Date"])
    0
    """
    return EndsWith(as_labels(labels, "ends_with"))


def label_at(position: int | Iterable[int] | Context, *labels: LabelsLike) -> LabelAt:
    """The label at a position is one of these.

    Parameters
    ----------
    position : int, list of int, or context
        Negative positions count from the end.
    *labels : str
        The labels that are allowed there.

    Examples
    --------
    >>> label_at(-1, "Zip").violations(["City", "City"])
    1
    >>> from lawful.rules.contexts import context
    >>> label_at(context("verb"), "V").violations(["A", "V", "A"], context={"verb": 1})
    0
    """
    names = as_labels(labels, "label_at")
    if isinstance(position, Context):
        return LabelAt(position, names)
    return LabelAt(tuple(position) if isinstance(position, Iterable) else (position,), names)
