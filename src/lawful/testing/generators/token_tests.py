"""Random token tests over the rows of `VOCABULARY`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lawful.rules import token
from lawful.rules.tokens.tests import TokenTest
from lawful.testing.generators.surroundings import VOCABULARY

__all__ = ["random_token_test"]


def is_capital(row: Any) -> bool:
    """Whether the text of a row starts with a capital.

    Examples
    --------
    >>> is_capital(("Bonn", "name"))
    True
    """
    return bool(row[0][0].isupper())


def random_token_test(rng: np.random.Generator, *, depth: int = 1) -> TokenTest:
    """A test of any kind: word list, regular expression, column, function, and the logic over them.

    Parameters
    ----------
    rng : numpy Generator
    depth : int
        How deep `&`, `|` and `~` may be nested.

    Examples
    --------
    >>> random_token_test(np.random.default_rng(4))(VOCABULARY[0]) in (True, False)
    True
    """
    if depth and rng.random() < 0.4:
        left, right = (random_token_test(rng, depth=depth - 1) for _ in range(2))
        return [left & right, left | right, ~left, left & ~right][rng.integers(4)]
    return SIMPLE[rng.integers(len(SIMPLE))](rng)


def _words(rng: np.random.Generator) -> TokenTest:
    chosen = rng.permutation(len(VOCABULARY))[: rng.integers(4)]
    return token.is_in([VOCABULARY[i][0] for i in chosen], lower=bool(rng.random() < 0.5))


SIMPLE: list[Callable[[np.random.Generator], TokenTest]] = [
    _words,
    lambda rng: token.matches([r"\d+", r"\d{5}", "[A-Za-z]+"][rng.integers(3)]),
    lambda rng: token.contains(["[0-9]", "nn", "[.,]"][rng.integers(3)]),
    lambda rng: token.column(1, *[["mark"], ["name", "number"], ["word"]][rng.integers(3)]),
    lambda rng: token.test(is_capital),
]
