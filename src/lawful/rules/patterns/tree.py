"""The syntax tree of a pattern, made of frozen nodes."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Choice", "Complement", "Empty", "Intersection", "Node", "Repeat", "Series", "Symbol"]


@dataclass(frozen=True)
class Symbol:
    """One position: its label is (not) one of `labels`, and its token passes or fails each named test.

    `labels` is empty and `negated` true for any label.

    Examples
    --------
    >>> Symbol(("A",)).fits("A", {}), Symbol((), negated=True).fits("A", {})
    (True, True)
    """

    labels: tuple[str, ...]
    negated: bool = False
    tests: tuple[tuple[str, bool], ...] = ()

    def fits(self, label: str, passed: dict[str, bool]) -> bool:
        """Whether a label fits, given which of the named tests its token passes."""
        right_label = (label in self.labels) != self.negated
        return right_label and all(passed[name] == expected for name, expected in self.tests)


@dataclass(frozen=True)
class Empty:
    """No position at all: `()`."""


@dataclass(frozen=True)
class Series:
    """One part after the other: `A B`."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Choice:
    """One of the parts: `A | B`."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Intersection:
    """All parts at once, over the same positions: `A & B`."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Complement:
    """Any positions that `inner` does not match: `!(A)`."""

    inner: Node


@dataclass(frozen=True)
class Repeat:
    """`inner`, from `least` to `most` times in a row (None: no maximum)."""

    inner: Node
    least: int
    most: int | None


Node = Symbol | Empty | Series | Choice | Intersection | Complement | Repeat
