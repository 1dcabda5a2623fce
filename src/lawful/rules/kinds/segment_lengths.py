"""How long a segment may be: `segment_length`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from lawful.errors import RuleError
from lawful.labels import LabelSet
from lawful.rules.arguments import LabelsLike, as_labels, spell, spell_labels, whole_number
from lawful.rules.compiled.forms import StaticRule, build, membership, tighten
from lawful.rules.example import BoundMachine, CompiledRule, Example
from lawful.rules.rule import Rule

__all__ = ["SegmentLength", "segment_length"]


@dataclass(frozen=True, repr=False)
class SegmentLength(Rule):
    """Every segment of the labels has a length from `min` to `max`.

    A violation is the token that makes a segment too long (one per segment), and the end of a segment that is too short.

    Examples
    --------
    >>> SegmentLength(("A",), 2, 3)
    segment_length('A', min=2, max=3)
    """

    labels: tuple[str, ...]
    min: int = 1
    max: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "min", whole_number(self.min, "min of segment_length", least=1))
        if self.max is not None:
            object.__setattr__(self, "max", whole_number(self.max, "max of segment_length", least=1))
            if self.max < self.min:
                raise RuleError(f"segment_length needs min <= max, got min={self.min} and max={self.max}")
        super().__post_init__()

    def code(self) -> str:
        """The call that makes this rule."""
        options = {"min": self.min} if self.min > 1 else {}
        if self.max is not None:
            options["max"] = self.max
        return spell("segment_length", spell_labels(self.labels), **options)

    def count(self, labels: Sequence[str], example: Example) -> int:
        """Segments that are too short or too long."""
        runs = groupby(label in self.labels for label in labels)
        lengths = [len(list(run)) for inside, run in runs if inside]
        return sum(length < self.min or (self.max is not None and length > self.max) for length in lengths)

    def compile(self, labels: LabelSet) -> CompiledRule:
        """A machine whose state is the length of the open segment, as far as it matters."""
        longest = self.min if self.max is None else self.max + 1

        def step(length: int, hit: int) -> tuple[int, int]:
            if not hit:
                return 0, too_short(length)
            longer = min(length + 1, longest)
            return longer, int(self.max == length)

        def too_short(length: int) -> int:
            return int(0 < length < self.min)

        table = membership(labels, self.labels, where=self.name)
        return StaticRule(BoundMachine(*tighten(build(self.name, 0, 2, step, too_short), table)))


def segment_length(labels: LabelsLike, min: int = 1, max: int | None = None) -> SegmentLength:
    """Every segment of the labels has a length from `min` to `max` (`None`: no maximum).

    Examples
    --------
    >>> segment_length("Zip", max=1).violations(["Zip", "Zip", "Zip", "O", "Zip"])
    1
    """
    return SegmentLength(as_labels(labels, "segment_length"), min, max)
