"""How many segments (maximal runs) of a label there may be: `at_most_segments`, `at_least_segments`, `exactly_segments`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from lawful.labels import LabelSet
from lawful.rules.arguments import LabelsLike, as_labels, spell, whole_number
from lawful.rules.compiled.forms import StaticRule, build, membership, tighten
from lawful.rules.example import BoundMachine, CompiledRule, Example
from lawful.rules.rule import Rule

__all__ = [
    "AtLeastSegments",
    "AtMostSegments",
    "ExactlySegments",
    "at_least_segments",
    "at_most_segments",
    "exactly_segments",
]


@dataclass(frozen=True, repr=False)
class _SegmentCount(Rule):
    n: int
    labels: tuple[str, ...]
    function: ClassVar[str]
    too_many: ClassVar[bool]  # whether the first token of a segment past n is a violation
    too_few: ClassVar[bool]  # whether each missing segment is one, at the end

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", whole_number(self.n, f"the number of {self.function}"))
        super().__post_init__()

    def code(self) -> str:
        return spell(self.function, self.n, *self.labels)

    def count(self, labels: Sequence[str], example: Example) -> int:
        number = sum(inside for inside, _ in groupby(label in self.labels for label in labels))
        return self.too_many * max(0, number - self.n) + self.too_few * max(0, self.n - number)

    def compile(self, labels: LabelSet) -> CompiledRule:
        def step(state: tuple[int, bool], hit: int) -> tuple[tuple[int, bool], int]:
            seen, inside = state
            opens = bool(hit) and not inside
            return (min(seen + opens, self.n), bool(hit)), int(self.too_many and opens and seen == self.n)

        def end(state: tuple[int, bool]) -> int:
            return self.n - state[0] if self.too_few else 0

        table = membership(labels, self.labels, where=self.name)
        return StaticRule(BoundMachine(*tighten(build(self.name, (0, False), 2, step, end), table)))


class AtMostSegments(_SegmentCount):
    """At most `n` segments of the labels. A violation is the first token of each segment past `n`.

    Examples
    --------
    >>> AtMostSegments(1, ("A",))
    at_most_segments(1, 'A')
    """

    function = "at_most_segments"
    too_many = True
    too_few = False


class AtLeastSegments(_SegmentCount):
    """At least `n` segments of the labels. A violation is each one missing, at the end.

    Examples
    --------
    >>> AtLeastSegments(1, ("A",))
    at_least_segments(1, 'A')
    """

    function = "at_least_segments"
    too_many = False
    too_few = True


class ExactlySegments(_SegmentCount):
    """Exactly `n` segments of the labels: the first token of each one past `n`, or each one missing.

    Examples
    --------
    >>> ExactlySegments(1, ("A",))
    exactly_segments(1, 'A')
    """

    function = "exactly_segments"
    too_many = True
    too_few = True


def at_most_segments(n: int, *labels: LabelsLike) -> AtMostSegments:
    """At most `n` segments; several labels count as one, so `A B` is a single segment of `A` or `B`.

    Examples
    --------
    >>> at_most_segments(1, "Street").violations(["Street", "Street", "O", "Street"])
    1
    """
    return AtMostSegments(n, as_labels(labels, "at_most_segments"))


def at_least_segments(n: int, *labels: LabelsLike) -> AtLeastSegments:
    """At least `n` segments; several labels count as one.

    Examples
    --------
    >>> at_least_segments(2, "Author").violations(["Author", "Author"])
    1
    """
    return AtLeastSegments(n, as_labels(labels, "at_least_segments"))


def exactly_segments(n: int, *labels: LabelsLike) -> ExactlySegments:
    """Exactly `n` segments; several labels count as one.

    Examples
    --------
    >>> exactly_segments(1, "Title").violations(["Title", "O", "Title", "O", "Title"])
    2
    """
    return ExactlySegments(n, as_labels(labels, "exactly_segments"))
