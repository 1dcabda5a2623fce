"""Rules about tokens that pass a test: `when(test).then(...)`, `when(test).never(...)`, `change_only_after(test)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from lawful.automata.counting import CountingMachine
from lawful.labels import LabelSet
from lawful.rules.arguments import LabelsLike, as_labels, spell
from lawful.rules.compiled.forms import count_ones, membership, tighten
from lawful.rules.example import CompiledRule, Example
from lawful.rules.rule import Rule
from lawful.rules.tokens.kinds import TokenKinds, TokenRule, evaluate
from lawful.rules.tokens.tests import TokenTest, as_test

__all__ = ["ChangeOnlyAfter", "When", "WhenNever", "WhenThen", "change_only_after", "when"]


@dataclass(frozen=True)
class When:
    """The first half of a rule about tokens; `then` or `never` completes it.

    Examples
    --------
    >>> When(as_test(str.isdigit, "when")).then("A")
    when(token.test(isdigit)).then('A')
    """

    test: TokenTest

    def then(self, *labels: LabelsLike) -> WhenThen:
        """Tokens that pass the test get one of these labels."""
        return WhenThen(self.test, as_labels(labels, "then"))

    def never(self, *labels: LabelsLike) -> WhenNever:
        """Tokens that pass the test get none of these labels."""
        return WhenNever(self.test, as_labels(labels, "never"))


@dataclass(frozen=True, repr=False)
class _WordRule(Rule):
    test: TokenTest
    labels: tuple[str, ...]
    verb: ClassVar[str]
    bad_inside: ClassVar[bool]  # whether the named labels are the bad ones, or all others
    kind_names = ("fails", "passes")

    @property
    def token_tests(self) -> tuple[TokenTest, ...]:
        return (self.test,)

    def code(self) -> str:
        return f"{spell('when', self.test)}.{spell(self.verb, *self.labels)}"

    def count(self, labels: Sequence[str], example: Example) -> int:
        passed = evaluate(self.test, example.tokens, self.name)
        return sum(
            here and (label in self.labels) == self.bad_inside
            for here, label in zip(passed.tolist(), labels, strict=True)
        )

    def compile(self, labels: LabelSet) -> CompiledRule:
        named = membership(labels, self.labels, where=self.name)
        bad = named if self.bad_inside else 1 - named
        machine, table = tighten(count_ones(), np.vstack([np.zeros_like(bad), bad]))
        return TokenRule(machine, table, TokenKinds((self.test,), self.name), idle=True)


class WhenThen(_WordRule):
    """Tokens that pass the test get one of the labels. A violation is each other token that passes.

    Examples
    --------
    >>> WhenThen(as_test(str.isdigit, "when"), ("A",))
    when(token.test(isdigit)).then('A')
    """

    verb = "then"
    bad_inside = False


class WhenNever(_WordRule):
    """Tokens that pass the test get none of the labels. A violation is each token that gets one.

    Examples
    --------
    >>> WhenNever(as_test(str.isdigit, "when"), ("A",))
    when(token.test(isdigit)).never('A')
    """

    verb = "never"
    bad_inside = True


@dataclass(frozen=True, repr=False)
class ChangeOnlyAfter(Rule):
    """The label changes only after a token that passes the test. A violation is each other change.

    Examples
    --------
    >>> ChangeOnlyAfter(as_test(str.isdigit, "change_only_after"))
    change_only_after(token.test(isdigit))
    """

    test: TokenTest
    kind_names = ("after a fail", "after a pass")

    @property
    def token_tests(self) -> tuple[TokenTest, ...]:
        """The one test."""
        return (self.test,)

    def code(self) -> str:
        """The call that makes this rule."""
        return spell("change_only_after", self.test)

    def count(self, labels: Sequence[str], example: Example) -> int:
        """Changes after a token that fails the test."""
        passed = evaluate(self.test, example.tokens, self.name)
        return sum(labels[t] != labels[t - 1] and not passed[t - 1] for t in range(1, len(labels)))

    def compile(self, labels: LabelSet) -> CompiledRule:
        """A machine whose state is the last label; a token of kind 0 must repeat it, one of kind 1 need not.

        The first token is always of kind 1, so the start may be any state: it is that of label 0.
        """
        size = len(labels)
        states = np.arange(size, dtype=np.int32)
        must_repeat = states[:, None] != states[None, :]
        violations = np.hstack([must_repeat, np.zeros_like(must_repeat)]).astype(np.int32)
        machine = CountingMachine(np.tile(states, (size, 2)), violations, np.zeros_like(states))
        tight, table = tighten(machine, np.arange(2 * size, dtype=np.uint16).reshape(2, size))
        return TokenRule(tight, table, TokenKinds((self.test,), self.name), previous=True)


def when(test: TokenTest | Callable[[Any], Any]) -> When:
    """A rule about the tokens that pass a test: `when(test).then("A")` or `when(test).never("A")`.

    Examples
    --------
    >>> from lawful.rules import token
    >>> rule = when(token.matches("[0-9]{5}")).then("Zip")
    >>> rule
    when(token.matches('[0-9]{5}')).then('Zip')
    >>> rule.violations(["O", "O"], tokens=["Bonn", "53113"])
    1
    """
    return When(as_test(test, "when"))


def change_only_after(test: TokenTest | Callable[[Any], Any]) -> ChangeOnlyAfter:
    """The label changes only after a token that passes the test, such as punctuation.

    Examples
    --------
    >>> from lawful.rules import token
    >>> rule = change_only_after(token.is_in([",", "."]))
    >>> rule.violations(["A", "A", "B", "C"], tokens=["Smith", ",", "J", "."])
    1
    """
    return ChangeOnlyAfter(as_test(test, "change_only_after"))
