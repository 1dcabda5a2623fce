"""Regular expressions over labels and token tests: `pattern`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lawful.errors import RuleError
from lawful.labels import LabelSet
from lawful.rules.arguments import spell
from lawful.rules.example import CompiledRule, Example
from lawful.rules.patterns.compilation import compile_pattern, symbols_of
from lawful.rules.patterns.matching import matches_tree
from lawful.rules.patterns.parser import parse
from lawful.rules.patterns.tree import Node
from lawful.rules.rule import Rule
from lawful.rules.tokens.kinds import evaluate
from lawful.rules.tokens.tests import TokenTest, as_test

__all__ = ["Pattern", "pattern"]


@dataclass(frozen=True, repr=False)
class Pattern(Rule):
    """The whole sequence matches a pattern. A violation is the end, once.

    Examples
    --------
    >>> Pattern("Author+ Title")
    pattern('Author+ Title')
    """

    source: str
    tests: tuple[tuple[str, TokenTest], ...] = ()
    tree: Node = field(init=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.source, str):
            raise RuleError(f"a pattern must be a string, got {self.source!r}")
        object.__setattr__(self, "tree", parse(self.source, dict(self.tests)))
        super().__post_init__()

    def code(self) -> str:
        """The call that makes this rule."""
        options = {"tests": dict(self.tests)} if self.tests else {}
        return spell("pattern", self.source, **options)

    def count(self, labels: Sequence[str], example: Example) -> int:
        """1 if the sequence does not match."""
        passed = {name: evaluate(test, example.tokens, self.name).tolist() for name, test in self.tests}
        return int(not matches_tree(self.tree, labels, passed))

    @property
    def token_tests(self) -> tuple[TokenTest, ...]:
        """The tests that the pattern may refer to."""
        return tuple(test for _, test in self.tests)

    def labels_named(self, labels: LabelSet) -> set[str]:
        """The labels in the pattern."""
        return {label for symbol in symbols_of(self.tree) for label in symbol.labels}

    def compile(self, labels: LabelSet) -> CompiledRule:
        """The smallest deterministic machine of the pattern."""
        return compile_pattern(self.tree, dict(self.tests), labels, self.name)


def pattern(source: str, *, tests: Mapping[str, TokenTest | Callable[[Any], Any]] | None = None) -> Pattern:
    """The whole sequence matches a regular expression over labels and token tests.

    Parameters
    ----------
    source : str
        `A` or `'any label'` one label; `.` any label; `[A B]` one of these, `[^A B]` none of these; a symbol with
        `/name` or `/!name` (several if need be) also asks that its token passes, or fails, a test;
        `* + ? {m} {m,} {m,n}` repeat; `|` or; `&` both; `!( )` not; `( )` group; `()` the empty sequence. Spaces
        separate. A bare label may have `-`, `.` and `:` inside, but begins and ends with a letter, digit or `_`.
    tests : mapping of names to token tests
        What `/name` refers to.

    Examples
    --------
    >>> pattern("Author+ (Title | Note)* Date").violations(["Author", "Title", "Date"])
    0
    >>> from lawful.rules import token
    >>> zips = pattern(". * Zip/digits", tests={"digits": token.matches("[0-9]+")})
    >>> zips.violations(["City", "Zip"], tokens=["Bonn", "53113"])
    0
    """
    return Pattern(source, tuple((name, as_test(test, "pattern")) for name, test in (tests or {}).items()))
