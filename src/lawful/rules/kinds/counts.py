"""How often labels may appear: `at_most`, `at_least`, `exactly`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from lawful.labels import LabelSet
from lawful.rules.arguments import LabelsLike, as_labels, spell, whole_number
from lawful.rules.compiled.forms import StaticRule, build, membership, tighten
from lawful.rules.example import BoundMachine, CompiledRule, Example
from lawful.rules.rule import Rule

__all__ = ["AtLeast", "AtMost", "Exactly", "at_least", "at_most", "exactly"]


@dataclass(frozen=True, repr=False)
class _Count(Rule):
    n: int
    labels: tuple[str, ...]
    function: ClassVar[str]
    too_many: ClassVar[bool]  # whether a position past n is a violation
    too_few: ClassVar[bool]  # whether each missing position is one, at the end

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", whole_number(self.n, f"the number of {self.function}"))
        super().__post_init__()

    def code(self) -> str:
        return spell(self.function, self.n, *self.labels)

    def count(self, labels: Sequence[str], example: Example) -> int:
        number = sum(label in self.labels for label in labels)
        return self.too_many * max(0, number - self.n) + self.too_few * max(0, self.n - number)

    def compile(self, labels: LabelSet) -> CompiledRule:
        table = membership(labels, self.labels, where=self.name)
        machine = build(
            self.name,
            0,
            2,
            lambda seen, hit: (min(seen + hit, self.n), int(self.too_many and hit and seen == self.n)),
            lambda seen: self.n - seen if self.too_few else 0,
        )
        return StaticRule(BoundMachine(*tighten(machine, table)))


class AtMost(_Count):
    """At most `n` positions have one of the labels. A violation is each position past `n`.

    Examples
    --------
    >>> AtMost(1, ("A",))
    at_most(1, 'A')
    """

    function = "at_most"
    too_many = True
    too_few = False


class AtLeast(_Count):
    """At least `n` positions have one of the labels. A violation is each one missing, at the end.

    Examples
    --------
    >>> AtLeast(1, ("A",))
    at_least(1, 'A')
    """

    function = "at_least"
    too_many = False
    too_few = True


class Exactly(_Count):
    """Exactly `n` positions have one of the labels. A violation is each position past `n`, or each one missing.

    Examples
    --------
    >>> Exactly(1, ("A",))
    exactly(1, 'A')
    """

    function = "exactly"
    too_many = True
    too_few = True


def at_most(n: int, *labels: LabelsLike) -> AtMost:
    """At most `n` positions have one of the labels.

    Examples
    --------
    >>> at_most(1, "Street", "City").violations(["Street", "Street", "City"])
    2
    """
    return AtMost(n, as_labels(labels, "at_most"))


def at_least(n: int, *labels: LabelsLike) -> AtLeast:
    """At least `n` positions have one of the labels.

    Examples
    --------
    >>> at_least(2, "Street").violations(["O", "O"])
    2
    """
    return AtLeast(n, as_labels(labels, "at_least"))


def exactly(n: int, *labels: LabelsLike) -> Exactly:
    """Exactly `n` positions have one of the labels.

    Examples
    --------
    >>> exactly(1, "Verb").violations(["Verb", "Verb"]), exactly(1, "Verb").violations(["O"])
    (1, 1)
    """
    return Exactly(n, as_labels(labels, "exactly"))
