"""What rules can tell apart: a label, and which token tests its token passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.rules.tokens.tests import Both, Either, Negation, TokenTest

__all__ = ["Outcomes", "atoms_of"]

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The kinds of tokens: every combination of test results, or those that occur among some tokens.

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
        """The kinds that these tests tell apart, among all possible tokens or among these."""
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
