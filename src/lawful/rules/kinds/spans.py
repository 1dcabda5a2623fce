"""Tokens that must get the same label: those of a span (`uniform`), or of a group (`same_label`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lawful import _core
from lawful.automata.counting import CountingMachine
from lawful.errors import RuleError
from lawful.labels import LabelSet
from lawful.rules.arguments import checked_groups, checked_spans, spell, whole_number
from lawful.rules.compiled.forms import Table, tighten
from lawful.rules.contexts import Context
from lawful.rules.example import BoundMachine, CompiledRule, Example, Source
from lawful.rules.rule import Rule

__all__ = ["SameLabel", "Uniform", "same_label", "uniform"]

SPANS, GROUPS = Context("spans"), Context("groups")

OUTSIDE, FIRST, INSIDE, LAST = range(4)  # kinds of tokens


@dataclass(frozen=True, repr=False)
class Uniform(Rule):
    """All tokens of a span get the same label. A violation is each token that differs from its span's first.

    Overlapping spans are counted separately.

    Examples
    --------
    >>> Uniform(Context("spans"))
    uniform(context('spans'))
    """

    spans: tuple[tuple[int, ...], ...] | Context
    kind_names = ("outside", "first", "inside")

    def code(self) -> str:
        """The call that makes this rule."""
        return spell("uniform", self.spans if isinstance(self.spans, Context) else list(self.spans))

    def spans_of(self, example: Example) -> list[tuple[int, int]]:
        """The spans of one example."""
        return checked_spans(self.given_spans(example), example.length, self.name)

    def given_spans(self, example: Example) -> Any:
        """The spans of one example, unchecked."""
        return self.spans.resolve(example, self.name) if isinstance(self.spans, Context) else self.spans

    def count(self, labels: Sequence[str], example: Example) -> int:
        """Tokens that differ from the first of their span, summed over spans."""
        spans = self.spans_of(example)
        return sum(label != labels[start] for start, end in spans for label in labels[start:end])

    def compile(self, labels: LabelSet) -> CompiledRule:
        """One machine for every layer of disjoint spans; a token outside them clears it."""
        return _SpanRule(self, *_agreement(len(labels), kinds=3, clears=OUTSIDE))


@dataclass(frozen=True, repr=False)
class SameLabel(Rule):
    """All tokens of a group get the same label. A violation is each token that differs from its group's first.

    Examples
    --------
    >>> SameLabel(((0, 2),))
    same_label([[0, 2]])
    """

    groups: tuple[tuple[int, ...], ...] | Context
    kind_names = ("outside", "first", "inside", "last")

    def code(self) -> str:
        """The call that makes this rule."""
        groups = self.groups if isinstance(self.groups, Context) else [list(group) for group in self.groups]
        return spell("same_label", groups)

    def groups_of(self, example: Example) -> list[list[int]]:
        """The groups of one example, each as sorted positions."""
        groups = self.groups.resolve(example, self.name) if isinstance(self.groups, Context) else self.groups
        return checked_groups(groups, example.length, self.name)

    def count(self, labels: Sequence[str], example: Example) -> int:
        """Tokens that differ from the first of their group, summed over groups."""
        groups = self.groups_of(example)
        return sum(labels[position] != labels[group[0]] for group in groups for position in group)

    def compile(self, labels: LabelSet) -> CompiledRule:
        """One machine for every group; it remembers the first label until the last token of the group."""
        return _GroupRule(self, *_agreement(len(labels), kinds=4, clears=LAST))


@dataclass(frozen=True, eq=False)
class _SpanRule:
    rule: Uniform
    machine: CountingMachine
    table: Table
    static = False

    def bind(self, example: Example) -> Sequence[BoundMachine]:
        try:
            layers = _core.lay_spans(self.rule.given_spans(example), example.length)
        except (TypeError, ValueError):  # not plain lists of ints: check them, and report what is wrong
            layers = _core.lay_spans(self.rule.spans_of(example), example.length)
        return [BoundMachine(self.machine, self.table, kinds) for kinds in layers]

    def enter(
        self, binder: _core.Binder, make: Callable[[BoundMachine], _core.Part], *, once: bool
    ) -> Source:
        binder.add_spans(make(BoundMachine(self.machine, self.table)), once=once)
        return Source(self.rule.spans, read_array=_core.Examples.set_spans)


@dataclass(frozen=True, eq=False)
class _GroupRule:
    rule: SameLabel
    machine: CountingMachine
    table: Table
    static = False

    def bind(self, example: Example) -> Sequence[BoundMachine]:
        bounds = []
        for group in self.rule.groups_of(example):
            if len(group) > 1:
                kinds = [OUTSIDE] * example.length
                for position in group:
                    kinds[position] = INSIDE
                kinds[group[0]], kinds[group[-1]] = FIRST, LAST
                bounds.append(BoundMachine(self.machine, self.table, kinds))
        return bounds


def _agreement(size: int, *, kinds: int, clears: int) -> tuple[CountingMachine, Table]:
    """The machine whose state is the first label + 1, or 0 when there is none; its classes are (kind, label).

    Tokens outside are one class, 0, whatever their label. After a token of kind `clears` the state is 0 again.
    """
    table = np.zeros((kinds, size), dtype=np.uint16)
    table[FIRST:] = 1 + np.arange((kinds - 1) * size).reshape(kinds - 1, size)
    states = np.arange(size + 1, dtype=np.int32)
    classes = 1 + (kinds - 1) * size
    delta = np.tile(states[:, None], (1, classes))
    violations = np.zeros((size + 1, classes), dtype=np.int32)
    for kind in range(INSIDE, kinds):
        violations[1:, table[kind]] = states[1:, None] != states[None, 1:]
    # A token inside never comes before its first one. What state 0 does with it is free, and this choice lets a
    # hard machine's state follow from the last class alone, so that the solvers can fold it into the scores.
    delta[0, table[INSIDE]] = states[1:]
    delta[:, table[clears]] = 0
    delta[:, table[FIRST]] = states[None, 1:]
    return tighten(CountingMachine(delta, violations, np.zeros(size + 1, dtype=np.int32)), table)


def uniform(spans: Iterable[tuple[int, int]] | Context = SPANS) -> Uniform:
    """All tokens of a span get the same label.

    Parameters
    ----------
    spans : context, or list of (start, end)
        Half-open spans of token positions; by default what the context holds under "spans".

    Examples
    --------
    >>> uniform().violations(["A", "B", "A"], context={"spans": [(0, 3)]})
    1
    """
    return Uniform(
        spans if isinstance(spans, Context) else _tuples(spans, "uniform takes spans (start, end)")
    )


def same_label(groups: Iterable[Iterable[int]] | Context = GROUPS) -> SameLabel:
    """All tokens of a group get the same label.

    Parameters
    ----------
    groups : context, or list of lists of int
        Positions that must agree; negative ones count from the end. By default what the context holds
        under "groups".

    Examples
    --------
    >>> same_label().violations(["A", "B", "B"], context={"groups": [[0, 2], [1, 2]]})
    1
    """
    return SameLabel(
        groups if isinstance(groups, Context) else _tuples(groups, "same_label takes lists of positions")
    )


def _tuples(lists: Iterable[Iterable[int]], expected: str) -> tuple[tuple[int, ...], ...]:
    try:
        return tuple(
            tuple(whole_number(number, "a position", least=None) for number in item) for item in lists
        )
    except TypeError:
        raise RuleError(f"{expected}, or a context; got {lists!r}") from None
