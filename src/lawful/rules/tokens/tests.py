"""Tests that a token passes or fails. Users make them with `lawful.token`."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lawful.errors import RuleError
from lawful.rules.arguments import spell
from lawful.rules.tokens.values import column_of, text_of
from lawful.support.regex import compile_regex

__all__ = [
    "Both",
    "Column",
    "Contains",
    "Either",
    "Function",
    "IsIn",
    "Matches",
    "Negation",
    "TokenTest",
    "as_test",
    "functions_in",
]


class TokenTest(ABC):
    """A test that a token passes or fails. Tests combine with `&`, `|` and `~`, and print as the code that made them.

    Examples
    --------
    >>> ~Matches("[0-9]+") & IsIn(("a", "b"))
    (~token.matches('[0-9]+') & token.is_in(['a', 'b']))
    """

    reads_text = False
    """Whether the result depends on the token's text alone."""

    @abstractmethod
    def __call__(self, token: Any) -> bool:
        """Whether the token passes."""

    def of_texts(self, texts: Sequence[str]) -> list[bool]:
        """Which of the texts pass: the same as one after the other.

        Examples
        --------
        >>> (IsIn(("a",)) | Matches("[0-9]")).of_texts(["a", "b", "7"])
        [True, False, True]
        """
        return [bool(self(text)) for text in texts]

    def __bool__(self) -> bool:
        """Refused: `one and other` would be the other test alone, and `not one` False."""
        raise RuleError(
            f"{self!r} is neither true nor false: combine tests with &, | and ~, not with and, or and not"
        )

    def __and__(self, other: object) -> TokenTest:
        return Both(self, other) if isinstance(other, TokenTest) else NotImplemented

    def __or__(self, other: object) -> TokenTest:
        return Either(self, other) if isinstance(other, TokenTest) else NotImplemented

    def __invert__(self) -> TokenTest:
        return Negation(self)


@dataclass(frozen=True, repr=False)
class IsIn(TokenTest):
    """Whether the text is one of the words, which are kept sorted and without repeats.

    Examples
    --------
    >>> IsIn(("a",))("a")
    True
    """

    words: tuple[str, ...]
    lower: bool = False
    _lookup: frozenset[str] = field(init=False, compare=False)
    reads_text = True

    def __post_init__(self) -> None:
        words = set(self.words)
        object.__setattr__(self, "words", tuple(sorted(words)))
        object.__setattr__(self, "_lookup", frozenset(map(str.lower, words) if self.lower else words))

    def __call__(self, token: Any) -> bool:  # noqa: D102 - the class says it
        text = text_of(token)
        return (text.lower() if self.lower else text) in self._lookup

    def of_texts(self, texts: Sequence[str]) -> list[bool]:  # noqa: D102 - the class says it
        return list(map(self._lookup.__contains__, map(str.lower, texts) if self.lower else texts))

    def __repr__(self) -> str:
        return spell("token.is_in", list(self.words), **({"lower": True} if self.lower else {}))


@dataclass(frozen=True, repr=False)
class Matches(TokenTest):
    """Whether the whole text matches a regular expression.

    Examples
    --------
    >>> Matches("a+")("aab")
    False
    """

    regex: str
    _compiled: re.Pattern[str] = field(init=False, compare=False)
    reads_text = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "_compiled", _compile(self.regex))

    def __call__(self, token: Any) -> bool:  # noqa: D102 - the class says it
        return self._compiled.fullmatch(text_of(token)) is not None

    def of_texts(self, texts: Sequence[str]) -> list[bool]:  # noqa: D102 - the class says it
        return [match is not None for match in map(self._compiled.fullmatch, texts)]

    def __repr__(self) -> str:
        return spell("token.matches", self.regex)


@dataclass(frozen=True, repr=False)
class Contains(TokenTest):
    """Whether a regular expression matches somewhere in the text.

    Examples
    --------
    >>> Contains("a+")("aab")
    True
    """

    regex: str
    _compiled: re.Pattern[str] = field(init=False, compare=False)
    reads_text = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "_compiled", _compile(self.regex))

    def __call__(self, token: Any) -> bool:  # noqa: D102 - the class says it
        return self._compiled.search(text_of(token)) is not None

    def of_texts(self, texts: Sequence[str]) -> list[bool]:  # noqa: D102 - the class says it
        return [match is not None for match in map(self._compiled.search, texts)]

    def __repr__(self) -> str:
        return spell("token.contains", self.regex)


@dataclass(frozen=True, repr=False)
class Column(TokenTest):
    """Whether a column of the token has one of the values.

    Examples
    --------
    >>> Column(1, ("NE",))(("Bonn", "NE"))
    True
    """

    column: str | int
    values: tuple[Any, ...]

    def __post_init__(self) -> None:
        if isinstance(self.column, bool) or not isinstance(self.column, (str, int)):
            raise RuleError(f"token.column takes a key or an index, got {self.column!r}")
        if not self.values:
            raise RuleError(f"token.column({self.column!r}) needs at least one value to compare with")

    def __call__(self, token: Any) -> bool:  # noqa: D102 - the class says it
        return column_of(token, self.column) in self.values

    def __repr__(self) -> str:
        return spell("token.column", self.column, *self.values)


@dataclass(frozen=True, repr=False)
class Function(TokenTest):
    """Whether a user's function returns true for the token, which is passed unchanged.

    Examples
    --------
    >>> Function(str.isdigit)("12")
    True
    """

    function: Callable[[Any], Any]
    name: str | None = None

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise RuleError(f"token.test takes a function of one token, got {self.function!r}")

    def __call__(self, token: Any) -> bool:  # noqa: D102 - the class says it
        return bool(self.function(token))

    def __repr__(self) -> str:
        function = getattr(self.function, "__name__", repr(self.function))
        return f"token.test({function}" + (f", name={self.name!r})" if self.name else ")")


@dataclass(frozen=True, repr=False)
class Both(TokenTest):
    """Whether the token passes both tests.

    Examples
    --------
    >>> Both(Contains("a"), Contains("b"))("ac")
    False
    """

    left: TokenTest
    right: TokenTest

    def __post_init__(self) -> None:
        object.__setattr__(self, "reads_text", self.left.reads_text and self.right.reads_text)

    def __call__(self, token: Any) -> bool:  # noqa: D102 - the class says it
        return self.left(token) and self.right(token)

    def __repr__(self) -> str:
        return f"({self.left!r} & {self.right!r})"


@dataclass(frozen=True, repr=False)
class Either(TokenTest):
    """Whether the token passes at least one of two tests.

    Examples
    --------
    >>> Either(Contains("a"), Contains("b"))("ac")
    True
    """

    left: TokenTest
    right: TokenTest

    def __post_init__(self) -> None:
        object.__setattr__(self, "reads_text", self.left.reads_text and self.right.reads_text)

    def __call__(self, token: Any) -> bool:  # noqa: D102 - the class says it
        return self.left(token) or self.right(token)

    def __repr__(self) -> str:
        return f"({self.left!r} | {self.right!r})"


@dataclass(frozen=True, repr=False)
class Negation(TokenTest):
    """Whether the token fails a test.

    Examples
    --------
    >>> Negation(Contains("a"))("ac")
    False
    """

    inner: TokenTest

    def __post_init__(self) -> None:
        object.__setattr__(self, "reads_text", self.inner.reads_text)

    def __call__(self, token: Any) -> bool:  # noqa: D102 - the class says it
        return not self.inner(token)

    def __repr__(self) -> str:
        return f"~{self.inner!r}"


def as_test(test: Any, where: str) -> TokenTest:
    """A test as it is, or a plain function as a test.

    Examples
    --------
    >>> as_test(str.isdigit, "when")("12")
    True
    """
    if isinstance(test, TokenTest):
        return test
    if callable(test):
        return Function(test)
    raise RuleError(f"{where} takes a token test, such as token.matches(...), or a function; got {test!r}")


def _compile(regex: object) -> re.Pattern[str]:
    if not isinstance(regex, str):
        raise RuleError(f"a regular expression must be a string, got {regex!r}")
    try:
        return compile_regex(regex)
    except re.error as error:
        where = "" if error.pos is None else f" at character {error.pos}"
        raise RuleError(f"regular expression {regex!r} does not parse{where}: {error.msg}") from None


def functions_in(test: TokenTest) -> Iterator[Function]:
    """The functions in a test.

    Examples
    --------
    >>> list(functions_in(~(Function(str.isdigit) & Contains("a"))))
    [token.test(isdigit)]
    """
    if isinstance(test, Function):
        yield test
    elif isinstance(test, (Both, Either)):
        yield from functions_in(test.left)
        yield from functions_in(test.right)
    elif isinstance(test, Negation):
        yield from functions_in(test.inner)
