"""Templates that look at the text of one token, or at one of its columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from lawful.errors import FeatureError
from lawful.errors.wording import nearest
from lawful.models.features.templates.arguments import (
    column_argument,
    flag_argument,
    text_argument,
    whole_number,
)
from lawful.models.features.templates.character_kinds import KINDS
from lawful.models.features.templates.leaf import NO, YES, Leaf
from lawful.models.features.templates.template import PlacedLeaf, Slot, Template
from lawful.support.regex import compile_regex

__all__ = ["Affix", "Column", "InList", "Kinds", "Length", "Matches", "OfText", "Shape"]

LONGEST_AFFIX = 64


def _one(leaf: Leaf) -> tuple[Slot, ...]:
    return (Slot((PlacedLeaf(leaf),)),)


def _name(kind: str, of: str | int | None) -> str:
    return kind if of is None else f"{kind}({of})"


class _Text(Template):
    """A template that reads the text of the token, or the column `of`."""

    named: ClassVar[frozenset[str]] = frozenset({"of", "short", "both", "lower", "name", "most"})

    def _check_of(self, of: str | int | None) -> None:
        if of is not None:
            column_argument(self.kind, "of", of)


@dataclass(frozen=True, repr=False)
class OfText(_Text):
    """The text as it is, in lower case, or with every digit as 0: `word`, `lower` and `folded`."""

    of: str | int | None = None

    def __post_init__(self) -> None:
        self._check_of(self.of)

    def slots(self) -> tuple[Slot, ...]:
        """One."""
        return _one(Leaf(_name(self.kind, self.of), self.kind, self.of))


class Word(OfText):
    """See `word`."""

    kind: ClassVar[str] = "word"


class Lower(OfText):
    """See `lower`."""

    kind: ClassVar[str] = "lower"


class Folded(OfText):
    """See `folded`."""

    kind: ClassVar[str] = "folded"


@dataclass(frozen=True, repr=False)
class Shape(_Text):
    """See `shape`."""

    kind: ClassVar[str] = "shape"
    short: bool = False
    of: str | int | None = None

    def __post_init__(self) -> None:
        flag_argument(self.kind, "short", self.short)
        self._check_of(self.of)

    def slots(self) -> tuple[Slot, ...]:
        """One."""
        operation = "short_shape" if self.short else "shape"
        return _one(Leaf(_name(operation, self.of), operation, self.of))


@dataclass(frozen=True, repr=False)
class Affix(_Text):
    """The first or last characters, of every length in a range."""

    shortest: int
    longest: int
    of: str | int | None = None

    def __post_init__(self) -> None:
        whole_number(self.kind, "shortest", self.shortest, 1, LONGEST_AFFIX)
        whole_number(self.kind, "longest", self.longest, self.shortest, LONGEST_AFFIX)
        self._check_of(self.of)

    def slots(self) -> tuple[Slot, ...]:
        """One slot per length."""
        lengths = range(self.shortest, self.longest + 1)
        return tuple(
            slot
            for n in lengths
            for slot in _one(Leaf(_name(f"{self.kind}{n}", self.of), self.kind, self.of, n))
        )


class Prefix(Affix):
    """See `prefix`."""

    kind: ClassVar[str] = "prefix"


class Suffix(Affix):
    """See `suffix`."""

    kind: ClassVar[str] = "suffix"


@dataclass(frozen=True, repr=False)
class Length(_Text):
    """See `length`."""

    kind: ClassVar[str] = "length"
    most: int | None = None
    of: str | int | None = None

    def __post_init__(self) -> None:
        if self.most is not None:
            whole_number(self.kind, "most", self.most, 1, 1_000_000)
        self._check_of(self.of)

    def slots(self) -> tuple[Slot, ...]:
        """One."""
        return _one(Leaf(_name("length", self.of), "length", self.of, self.most or 0))


@dataclass(frozen=True, repr=False)
class Kinds(_Text):
    """See `kinds`."""

    kind: ClassVar[str] = "kinds"
    unpacked: ClassVar[str | None] = "names"
    names: tuple[str, ...]
    both: bool = False
    of: str | int | None = None

    def __post_init__(self) -> None:
        if not self.names:
            raise FeatureError(f"kinds: expected one or more of {', '.join(KINDS)}", key="names")
        for name in self.names:
            if name not in KINDS:
                close = nearest(str(name), KINDS)
                hint = f"; did you mean {close!r}?" if close else f"; there are {', '.join(KINDS)}"
                raise FeatureError(f"kinds: there is no kind {name!r}{hint}", key="names")
        flag_argument(self.kind, "both", self.both)
        self._check_of(self.of)

    def slots(self) -> tuple[Slot, ...]:
        """One slot per kind."""
        leaves = (Leaf(_name(name, self.of), name, self.of, int(self.both)) for name in self.names)
        return tuple(slot for leaf in leaves for slot in _one(leaf))


@dataclass(frozen=True, repr=False)
class Column(_Text):
    """See `column`."""

    kind: ClassVar[str] = "column"
    column: str | int
    name: str | None = None

    def __post_init__(self) -> None:
        column_argument(self.kind, "column", self.column)
        if self.name is not None:
            text_argument(self.kind, "name", self.name)

    def slots(self) -> tuple[Slot, ...]:
        """One."""
        named = f"column{self.column}" if isinstance(self.column, int) else self.column
        return _one(Leaf(self.name or named, "word", self.column))


class _Tested(_Text):
    """A template with a test in Python, which is run once per distinct text."""

    def test(self) -> Callable[[str], str | None]:
        """The test."""
        raise NotImplementedError

    @cached_property
    def _leaf(self) -> Leaf:
        template: Any = self
        return Leaf(template.name, "test", template.of, 0, self, self.test())

    def slots(self) -> tuple[Slot, ...]:
        """One."""
        return _one(self._leaf)


@dataclass(frozen=True, repr=False)
class InList(_Tested):
    """See `in_list`."""

    kind: ClassVar[str] = "in_list"
    name: str
    words: tuple[str, ...]
    lower: bool = False
    of: str | int | None = None
    named: ClassVar[frozenset[str]] = frozenset({"lower", "of"})

    def __post_init__(self) -> None:
        text_argument(self.kind, "name", self.name)
        flag_argument(self.kind, "lower", self.lower)
        if not all(isinstance(word, str) for word in self.words):
            raise FeatureError(f"in_list {self.name!r}: words must be strings", key="words")
        self._check_of(self.of)

    def test(self) -> Callable[[str], str | None]:
        """Whether the text is one of the words."""
        if self.lower:
            words = frozenset(word.lower() for word in self.words)
            return lambda text: YES if text.lower() in words else None
        exact = frozenset(self.words)
        return lambda text: YES if text in exact else None


@dataclass(frozen=True, repr=False)
class Matches(_Tested):
    """See `matches`."""

    kind: ClassVar[str] = "matches"
    name: str
    regex: str
    both: bool = False
    of: str | int | None = None
    named: ClassVar[frozenset[str]] = frozenset({"both", "of"})

    def __post_init__(self) -> None:
        text_argument(self.kind, "name", self.name)
        flag_argument(self.kind, "both", self.both)
        try:
            compile_regex(self.regex)
        except (re.error, TypeError) as error:
            raise FeatureError(
                f"matches {self.name!r}: {self.regex!r} is not a regular expression: {error}", key="regex"
            ) from None
        self._check_of(self.of)

    def test(self) -> Callable[[str], str | None]:
        """Whether the whole text matches."""
        compiled, no = compile_regex(self.regex), NO if self.both else None
        return lambda text: YES if compiled.fullmatch(text) else no
