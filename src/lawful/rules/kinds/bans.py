"""Labels that may not appear, or that alone may: `forbid`, `allow_only`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from lawful import _core
from lawful.automata.counting import CountingMachine
from lawful.errors import ContextError, RuleError
from lawful.labels import LabelSet
from lawful.rules.arguments import LabelsLike, as_labels, spell
from lawful.rules.compiled.forms import StaticRule, Table, count_ones, frozen, membership, tighten
from lawful.rules.contexts import Context
from lawful.rules.example import BoundMachine, CompiledRule, Example, Source
from lawful.rules.rule import Rule

__all__ = ["AllowOnly", "Forbid", "allow_only", "forbid"]

MOST_CACHED_TABLES = 4096


@dataclass(frozen=True, repr=False)
class _Ban(Rule):
    labels: tuple[str, ...] | Context
    function: ClassVar[str]
    banned_inside: ClassVar[bool]  # whether the named labels are banned, or all others

    def code(self) -> str:
        labels = (self.labels,) if isinstance(self.labels, Context) else self.labels
        return spell(self.function, *labels)

    def named_labels(self, example: Example) -> tuple[str, ...]:
        if not isinstance(self.labels, Context):
            return self.labels
        return self.given_labels(self.labels.resolve(example, self.name))

    def given_labels(self, value: Any) -> tuple[str, ...]:
        try:
            return as_labels([value], self.name) if len(value) else ()
        except (TypeError, RuleError):
            raise ContextError(f"rule {self.name!r} needs labels, got {value!r}") from None

    def count(self, labels: Sequence[str], example: Example) -> int:
        named = self.named_labels(example)
        return sum((label in named) == self.banned_inside for label in labels)

    def table(self, labels: LabelSet, names: Sequence[str]) -> Table:
        inside = membership(labels, names, where=self.name)
        return frozen(inside if self.banned_inside else 1 - inside)

    def compile(self, labels: LabelSet) -> CompiledRule:
        if isinstance(self.labels, Context):
            return ContextBan(self, self.labels, labels, count_ones())
        return StaticRule(BoundMachine(*tighten(count_ones(), self.table(labels, self.labels))))


class Forbid(_Ban):
    """No position has one of the labels. A violation is each such position.

    Examples
    --------
    >>> Forbid(("A",))
    forbid('A')
    """

    function = "forbid"
    banned_inside = True


class AllowOnly(_Ban):
    """Every position has one of the labels. A violation is each other position.

    Examples
    --------
    >>> AllowOnly(("A",))
    allow_only('A')
    """

    function = "allow_only"
    banned_inside = False


@dataclass(frozen=True, eq=False)
class ContextBan:
    """A ban whose labels arrive with each example: one machine, one table for each set of labels."""

    rule: _Ban
    source: Context
    labels: LabelSet
    machine: CountingMachine
    tables: dict[frozenset[str], Table] = field(default_factory=dict)
    known: dict[Any, tuple[BoundMachine]] = field(
        default_factory=dict
    )  # by the labels as the context has them
    parts: dict[Any, _core.Part] = field(default_factory=dict)  # the same, for the core
    static = False

    def bind(self, example: Example) -> Sequence[BoundMachine]:
        """The machine with the table of this example's labels; equal sets share a table."""
        value: Any = self.source.resolve(example, self.rule.name)
        spelling = tuple(value) if type(value) in (list, tuple) else None
        try:
            known = self.known.get(spelling)
        except TypeError:  # something in it is not hashable, so it is not a label; `named_labels` says so
            known = spelling = None
        if known is None:
            known = (BoundMachine(self.machine, self._table(self.rule.named_labels(example))),)
            if spelling is not None and len(self.known) < MOST_CACHED_TABLES:
                self.known[spelling] = known
        return known

    def enter(
        self, binder: _core.Binder, make: Callable[[BoundMachine], _core.Part], *, once: bool
    ) -> Source:
        """Each set of labels is a part of its own."""

        def ask(labels: tuple[Any, ...]) -> _core.Part:
            part = make(BoundMachine(self.machine, self._table(self.rule.given_labels(labels))))
            if len(self.parts) < MOST_CACHED_TABLES:
                self.parts[labels] = part
            return part

        binder.add_chosen()
        return Source(self.source, self.parts, ask)

    def _table(self, names: Sequence[str]) -> Table:
        key = frozenset(names)
        table = self.tables.get(key)
        if table is None:
            table = self.rule.table(self.labels, names)
            if len(self.tables) < MOST_CACHED_TABLES:
                table = self.tables.setdefault(key, table)
        return table


def forbid(*labels: LabelsLike | Context) -> Forbid:
    """No position has one of the labels; a `context` brings them with each sequence.

    Examples
    --------
    >>> forbid("A", "B").violations(["A", "O", "B"])
    2
    """
    return Forbid(_labels_or_context(labels, "forbid"))


def allow_only(*labels: LabelsLike | Context) -> AllowOnly:
    """Every position has one of the labels; a `context` brings them with each sequence.

    Examples
    --------
    >>> allow_only("A", "B").violations(["A", "O", "B"])
    1
    """
    return AllowOnly(_labels_or_context(labels, "allow_only"))


def _labels_or_context(labels: tuple[LabelsLike | Context, ...], where: str) -> tuple[str, ...] | Context:
    contexts = [item for item in labels if isinstance(item, Context)]
    if not contexts:
        return as_labels([item for item in labels if not isinstance(item, Context)], where)
    if len(labels) > 1:
        raise RuleError(f"{where} takes labels or one context, not both: put all labels into the context")
    return contexts[0]
