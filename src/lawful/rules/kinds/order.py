"""Which labels may occur with or after which others: `before`, `requires`, `excludes`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lawful.errors import RuleError
from lawful.labels import LabelSet
from lawful.rules.arguments import LabelsLike, as_labels, spell, spell_labels
from lawful.rules.compiled.forms import StaticRule, build, membership, tighten
from lawful.rules.example import BoundMachine, CompiledRule, Example
from lawful.rules.rule import Rule

__all__ = ["Before", "Excludes", "Requires", "before", "excludes", "requires"]

IN_A, IN_B = 1, 2  # the bits of a label's class


@dataclass(frozen=True, repr=False)
class Before(Rule):
    """No label of `a` comes after one of `b`. A violation is each `a` after a `b`.

    Examples
    --------
    >>> Before(("A",), ("B", "C"))
    before('A', ['B', 'C'])
    """

    a: tuple[str, ...]
    b: tuple[str, ...]

    def code(self) -> str:
        """The call that makes this rule."""
        return spell("before", spell_labels(self.a), spell_labels(self.b))

    def count(self, labels: Sequence[str], example: Example) -> int:
        """Positions of `a` with a `b` somewhere before them."""
        return sum(
            label in self.a and any(earlier in self.b for earlier in labels[:position])
            for position, label in enumerate(labels)
        )

    def compile(self, labels: LabelSet) -> CompiledRule:
        """A machine whose state is whether a `b` has been seen."""
        table = membership(labels, self.a, self.b, where=self.name)
        machine = build(
            self.name,
            0,
            4,
            lambda seen, here: (seen | (here & IN_B), int(seen > 0 and here & IN_A > 0)),
            lambda seen: 0,
        )
        return StaticRule(BoundMachine(*tighten(machine, table)))


@dataclass(frozen=True, repr=False)
class Requires(Rule):
    """If a label of `a` appears, one of `b` appears somewhere. A violation is the end, once.

    Examples
    --------
    >>> Requires(("A",), ("B",))
    requires('A', 'B')
    """

    a: tuple[str, ...]
    b: tuple[str, ...]

    def code(self) -> str:
        """The call that makes this rule."""
        return spell("requires", spell_labels(self.a), spell_labels(self.b))

    def count(self, labels: Sequence[str], example: Example) -> int:
        """1 if an `a` appears and no `b` does."""
        return int(any(label in self.a for label in labels) and not any(label in self.b for label in labels))

    def compile(self, labels: LabelSet) -> CompiledRule:
        """A machine whose state is what has been seen."""
        table = membership(labels, self.a, self.b, where=self.name)
        machine = build(self.name, 0, 4, lambda seen, here: (seen | here, 0), lambda seen: int(seen == IN_A))
        return StaticRule(BoundMachine(*tighten(machine, table)))


@dataclass(frozen=True, repr=False)
class Excludes(Rule):
    """Labels of `a` and of `b` do not both appear. A violation is each position that completes the clash.

    Examples
    --------
    >>> Excludes(("A",), ("B",))
    excludes('A', 'B')
    """

    a: tuple[str, ...]
    b: tuple[str, ...]

    def __post_init__(self) -> None:
        both = [name for name in self.a if name in self.b]
        if both:
            raise RuleError(f"excludes needs two sets without a common label, but {both[0]!r} is in both")
        super().__post_init__()

    def code(self) -> str:
        """The call that makes this rule."""
        return spell("excludes", spell_labels(self.a), spell_labels(self.b))

    def count(self, labels: Sequence[str], example: Example) -> int:
        """Positions of one set with the other set somewhere before them."""
        clashes = 0
        for position, label in enumerate(labels):
            rivals = self.b if label in self.a else self.a if label in self.b else ()
            clashes += any(earlier in rivals for earlier in labels[:position])
        return clashes

    def compile(self, labels: LabelSet) -> CompiledRule:
        """A machine whose state is what has been seen."""
        table = membership(labels, self.a, self.b, where=self.name)
        machine = build(
            self.name,
            0,
            4,
            lambda seen, here: (
                seen | here,
                int(bool((here & IN_A and seen & IN_B) or (here & IN_B and seen & IN_A))),
            ),
            lambda seen: 0,
        )
        return StaticRule(BoundMachine(*tighten(machine, table)))


def before(a: LabelsLike, b: LabelsLike) -> Before:
    """No label of `a` comes after one of `b`.

    Examples
    --------
    >>> before("Street", "City").violations(["Street", "City", "Street", "Street"])
    2
    """
    return Before(as_labels(a, "before"), as_labels(b, "before"))


def requires(a: LabelsLike, b: LabelsLike) -> Requires:
    """If a label of `a` appears, one of `b` appears somewhere.

    Examples
    --------
    >>> requires("Zip", "City").violations(["Zip", "O"]), requires("Zip", "City").violations(["O", "O"])
    (1, 0)
    """
    return Requires(as_labels(a, "requires"), as_labels(b, "requires"))


def excludes(a: LabelsLike, b: LabelsLike) -> Excludes:
    """Labels of `a` and of `b` do not both appear.

    Examples
    --------
    >>> excludes("Box", "Street").violations(["Box", "Street", "O", "Box"])
    2
    """
    return Excludes(as_labels(a, "excludes"), as_labels(b, "excludes"))
