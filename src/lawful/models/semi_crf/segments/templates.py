"""Declared templates for segments, as frozen data that prints as the code that made it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from lawful.errors import FeatureError
from lawful.models.features import Features, Template
from lawful.models.features.templates.arguments import flag_argument, text_argument, whole_number
from lawful.models.features.templates.function_values import as_item

__all__ = ["SegmentTemplate", "first", "function", "in_list", "last", "length", "text"]

MOST = 1_000_000


@dataclass(frozen=True, repr=False)
class SegmentTemplate:
    """A template for segments."""

    kind: ClassVar[str]

    def arguments(self) -> dict[str, Any]:
        """The arguments that differ from their defaults, as plain data."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }

    def __repr__(self) -> str:
        return f"{self.kind}({', '.join(f'{name}={value!r}' for name, value in self.arguments().items())})"


@dataclass(frozen=True, repr=False)
class Length(SegmentTemplate):
    """See `length`."""

    kind: ClassVar[str] = "length"
    cap: int | None = None
    buckets: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.cap is not None:
            whole_number(self.kind, "cap", self.cap, 1, MOST)
        for least in self.buckets:
            whole_number(self.kind, "buckets", least, 1, MOST)
        if list(self.buckets) != sorted(set(self.buckets)):
            raise FeatureError("length: buckets must ascend", key="buckets")

    def attributes(self, size: int) -> list[str]:
        """Those of a segment of this many tokens."""
        if not self.buckets:
            capped = self.cap is not None and size >= self.cap
            return [f"length>={self.cap}" if capped else f"length={size}"]
        floor = max((least for least in self.buckets if least <= size), default=0)
        return [f"length from {floor}"]


@dataclass(frozen=True, repr=False)
class Side(SegmentTemplate):
    """See `first` and `last`."""

    kind: ClassVar[str] = "side"
    templates: tuple[Template, ...]

    def __post_init__(self) -> None:
        Features(*self.templates)

    def __repr__(self) -> str:
        return f"{self.kind}({', '.join(map(repr, self.templates))})"


class First(Side):
    """See `first`."""

    kind = "first"


class Last(Side):
    """See `last`."""

    kind = "last"


@dataclass(frozen=True, repr=False)
class Text(SegmentTemplate):
    """See `text`."""

    kind: ClassVar[str] = "text"
    longest: int = 6
    lower: bool = True

    def __post_init__(self) -> None:
        whole_number(self.kind, "longest", self.longest, 1, MOST)
        flag_argument(self.kind, "lower", self.lower)

    def items(self, tokens: Sequence[Any], texts: Sequence[str], start: int, end: int) -> list[str]:
        """The attributes of a segment."""
        whole = " ".join(texts[start:end])
        return [f"text={whole.lower() if self.lower else whole}"]


@dataclass(frozen=True, repr=False)
class InList(SegmentTemplate):
    """See `in_list`."""

    kind: ClassVar[str] = "in_list"
    name: str
    phrases: frozenset[str]
    lower: bool = True

    def __post_init__(self) -> None:
        text_argument(self.kind, "name", self.name)
        flag_argument(self.kind, "lower", self.lower)
        if not self.phrases or not all(isinstance(phrase, str) for phrase in self.phrases):
            raise FeatureError(f"in_list {self.name!r}: phrases must be strings, one at least", key="phrases")

    @property
    def longest(self) -> int:
        """Tokens of the longest phrase."""
        return max(phrase.count(" ") + 1 for phrase in self.phrases)

    def items(self, tokens: Sequence[Any], texts: Sequence[str], start: int, end: int) -> list[str]:
        """The attributes of a segment."""
        whole = " ".join(texts[start:end])
        return [f"in {self.name}"] if (whole.lower() if self.lower else whole) in self.phrases else []

    def arguments(self) -> dict[str, Any]:
        """With the phrases in order."""
        return {**super().arguments(), "phrases": sorted(self.phrases)}


@dataclass(frozen=True, repr=False)
class Function(SegmentTemplate):
    """See `function`."""

    kind: ClassVar[str] = "function"
    name: str
    function: Callable[..., Any]
    longest: int = MOST

    def __post_init__(self) -> None:
        text_argument(self.kind, "name", self.name)
        whole_number(self.kind, "longest", self.longest, 1, MOST)
        if not callable(self.function):
            raise FeatureError(
                f"function {self.name!r}: expected a function, got {self.function!r}", key="function"
            )

    def items(self, tokens: Sequence[Any], texts: Sequence[str], start: int, end: int) -> list[Any]:
        """The attributes of a segment, as an item with the function's name before them."""
        try:
            answer = as_item(self.function(tokens, start, end))
        except Exception as error:
            error.add_note(f"while segment function {self.name!r} looked at tokens {start} to {end}")
            raise
        if isinstance(answer, dict):
            return [{self.name: answer}]
        return [
            f"{self.name}={value}"
            for value in (sorted(answer) if isinstance(answer, (set, frozenset)) else answer)
        ]

    def arguments(self) -> dict[str, Any]:
        """Its name only: a function is no data."""
        return {name: value for name, value in super().arguments().items() if name != "function"}

    def __repr__(self) -> str:
        shown = getattr(self.function, "__name__", repr(self.function))
        return f"function({self.name!r}, {shown})"


def length(*, cap: int | None = None, buckets: Iterable[int] = ()) -> Length:
    """The number of tokens in a segment: exact, up to `cap`; or in buckets that begin with these numbers.

    Examples
    --------
    >>> length(cap=3).attributes(2), length(cap=3).attributes(7), length(buckets=[1, 3, 6]).attributes(4)
    (['length=2'], ['length>=3'], ['length from 3'])
    """
    return Length(cap, tuple(buckets))


def first(*templates: Template) -> First:
    """Templates for tokens, at the first token of a segment; `at(-1, ...)` looks at the token before it.

    Examples
    --------
    >>> from lawful.models.features import at, lower
    >>> first(lower(), at(-1, lower()))
    first(lower(), at(-1, lower()))
    """
    return First(templates)


def last(*templates: Template) -> Last:
    """Templates for tokens, at the last token of a segment; `at(1, ...)` looks at the token after it.

    Examples
    --------
    >>> from lawful.models.features import kinds
    >>> last(kinds("is_punctuation"))
    last(kinds('is_punctuation'))
    """
    return Last(templates)


def text(*, longest: int = 6, lower: bool = True) -> Text:
    """The whole text of a segment of at most `longest` tokens.

    Examples
    --------
    >>> text(longest=3).items(["New", "York"], ["New", "York"], 0, 2)
    ['text=new york']
    """
    return Text(longest, lower)


def in_list(name: str, phrases: Iterable[str], *, lower: bool = True) -> InList:
    """Whether the whole text of a segment, with spaces between tokens, is in a list.

    Examples
    --------
    >>> in_list("city", ["New York"]).items(["New", "York"], ["New", "York"], 0, 2)
    ['in city']
    """
    texts = [phrases] if isinstance(phrases, str) else list(phrases)
    return InList(name, frozenset(phrase.lower() if lower else phrase for phrase in texts), lower)


def function(name: str, function: Callable[..., Any], *, longest: int = MOST) -> Function:
    """The result of a function of your own: `function(tokens, start, end)` -> a string, a list or dict as CRFsuite takes
    them, a bool or None. It is called for every possible segment of up to `longest` tokens.

    Examples
    --------
    >>> def balanced(tokens, start, end):
    ...     return tokens[start:end].count("(") == tokens[start:end].count(")")
    >>> function("balanced", balanced).items(["(", "a", ")"], [], 0, 3)
    ['balanced=yes']
    """
    return Function(name, function, longest)
