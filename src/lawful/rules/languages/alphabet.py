"""What rules can tell apart: a label, and which token tests its token passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.labels import LabelSet
from lawful.rules.contexts import Context
from lawful.rules.kinds.machines import Automaton
from lawful.rules.kinds.tag_schemes import ValidTags
from lawful.rules.kinds.transitions import AllowedTransitions
from lawful.rules.kinds.words import ChangeOnlyAfter, WhenNever, WhenThen
from lawful.rules.patterns.compile import symbols_of
from lawful.rules.patterns.rule import Pattern
from lawful.rules.rule import Rule
from lawful.rules.tokens.tests import Both, Either, Negation, TokenTest

__all__ = ["Outcomes", "atoms_of", "labels_of", "used_tests"]

Bools = npt.NDArray[np.bool_]

FIELDS_OF_LABELS = {"labels", "a", "b"}


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The kinds of tokens: every combination of test results, or those that given tokens show.

    Attributes
    ----------
    atoms : the n tests that are not made of others
    passed : bool array (U, n)
        Which of them a token of each kind passes.

    Examples
    --------
    >>> from lawful.rules import token
    >>> digits, marks = token.matches("[0-9]+"), token.is_in([","])
    >>> kinds = Outcomes.of([digits | marks])
    >>> kinds.passed.shape, kinds.value(digits & ~marks).tolist()
    ((4, 2), [False, True, False, False])
    >>> Outcomes.of([digits | marks], tokens=["1", ",", "2"]).passed.tolist()
    [[False, True], [True, False]]
    """

    atoms: tuple[TokenTest, ...]
    passed: Bools = field(repr=False)

    @classmethod
    def of(cls, tests: Iterable[TokenTest], tokens: Iterable[Any] | None = None) -> Outcomes:
        """The kinds that these tests tell apart, of all tokens or of the given ones."""
        atoms: list[TokenTest] = []
        for test in tests:
            atoms += (atom for atom in atoms_of(test) if atom not in atoms)
        if tokens is None:
            numbers = np.arange(2 ** len(atoms))
            passed = (numbers[:, None] >> np.arange(len(atoms))[None, :] & 1).astype(np.bool_)
        else:
            rows = {tuple(bool(atom(token)) for atom in atoms) for token in tokens}
            passed = np.array(sorted(rows), dtype=np.bool_).reshape(len(rows), len(atoms))
        return cls(tuple(atoms), passed)

    def value(self, test: TokenTest) -> Bools:
        """Whether a token of each kind passes a test: bool array (U,)."""
        match test:
            case Both():
                return self.value(test.left) & self.value(test.right)
            case Either():
                return self.value(test.left) | self.value(test.right)
            case Negation():
                return ~self.value(test.inner)
        column: Bools = self.passed[:, self.atoms.index(test)]
        return column


def atoms_of(test: TokenTest) -> Iterator[TokenTest]:
    """The tests that a test is made of.

    Examples
    --------
    >>> from lawful.rules import token
    >>> list(atoms_of(token.matches("a") & ~token.matches("b")))
    [token.matches('a'), token.matches('b')]
    """
    match test:
        case Both() | Either():
            yield from atoms_of(test.left)
            yield from atoms_of(test.right)
        case Negation():
            yield from atoms_of(test.inner)
        case _:
            yield test


def used_tests(rule: Rule) -> Iterator[TokenTest]:
    """The token tests that a rule uses.

    Examples
    --------
    >>> from lawful.rules import token, when
    >>> list(used_tests(~when(token.matches("a")).then("A")))
    [token.matches('a')]
    """
    if isinstance(rule, (WhenThen, WhenNever, ChangeOnlyAfter)):
        yield rule.test
    elif isinstance(rule, Pattern):
        yield from (test for _, test in rule.tests)
    for operand in rule.operands:
        yield from used_tests(operand)


def labels_of(rule: Rule, labels: LabelSet) -> set[str]:
    """The labels that a rule names. Rules that speak of all of them, such as `valid_tags`, name all.

    Examples
    --------
    >>> from lawful.rules import before, forbid
    >>> sorted(labels_of(before("A", "B") & ~forbid("C"), LabelSet(["A", "B", "C", "D"])))
    ['A', 'B', 'C']
    """
    found: set[str] = set()
    for operand in rule.operands:
        found |= labels_of(operand, labels)
    if isinstance(rule, AllowedTransitions):
        return {*labels, *(label for pair in rule.pairs for label in pair)}
    if isinstance(rule, ValidTags) or (isinstance(rule, Automaton) and rule.classes is None):
        return set(labels)
    if isinstance(rule, Automaton):
        return {label for label, _ in rule.classes or ()}
    if isinstance(rule, Pattern):
        return {label for symbol in symbols_of(rule.tree) for label in symbol.labels}
    for own in fields(rule):
        if own.name in FIELDS_OF_LABELS:
            named = getattr(rule, own.name)
            found |= set() if isinstance(named, Context) else set(named)
    return found
