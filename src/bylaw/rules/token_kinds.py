"""Running token tests over the tokens of a sequence, once a distinct token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from bylaw.errors import TokenError
from bylaw.rules.example import Example
from bylaw.rules.token_tests import TokenTest

__all__ = ["TokenKinds", "TokenSifter", "evaluate", "none_pass"]

MOST_CACHED_TOKENS = 100_000


def evaluate(test: TokenTest, tokens: Sequence[Any] | None, rule: str) -> npt.NDArray[np.bool_]:
    """Which of the tokens pass a test: bool array (T,).

    Examples
    --------
    >>> from bylaw.rules.token import matches
    >>> evaluate(matches("[a-z]+"), ["x", "Y"], "a rule").tolist()
    [True, False]
    """
    known = _needed(tokens, rule)
    return np.array([_ask(test, token, t, rule) for t, token in enumerate(known)], dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class TokenKinds:
    """The kind of each token: bit i says whether it passes the i-th test. Remembers the tokens that it has seen.

    Examples
    --------
    >>> from bylaw.rules.token import matches
    >>> kinds = TokenKinds((matches("[a-z]+"), matches(".")), "a rule")
    >>> kinds(Example(3, ["ab", "x", "Y"])).tolist()
    [1, 3, 2]
    """

    tests: tuple[TokenTest, ...]
    rule: str
    _seen: dict[Any, int] = field(default_factory=dict, init=False)

    def __call__(self, example: Example) -> npt.NDArray[np.uint16]:
        """The kinds of an example's tokens: uint16 array (T,)."""
        tokens = _needed(example.tokens, self.rule)
        if len(tokens) != example.length:
            message = f"rule {self.rule!r} finds {len(tokens)} tokens in a sequence of {example.length}"
            raise TokenError(message, rule=self.rule)
        try:  # usually every token has been seen before
            known = list(map(self._seen.__getitem__, tokens))
        except (KeyError, TypeError):
            known = [self._kind(token, t) for t, token in enumerate(tokens)]
        return np.array(known, dtype=np.uint16) if any(known) else _zeros(len(known))

    def _kind(self, token: Any, position: int) -> int:
        try:
            known = self._seen.get(token)
        except TypeError:  # a mapping or a list cannot be looked up
            return self._fresh_kind(token, position)
        if known is None:
            known = self._fresh_kind(token, position)
            if len(self._seen) < MOST_CACHED_TOKENS:
                self._seen[token] = known
        return known

    def _fresh_kind(self, token: Any, position: int) -> int:
        return sum(_ask(test, token, position, self.rule) << bit for bit, test in enumerate(self.tests))


@dataclass(frozen=True, eq=False)
class TokenSifter:
    """Tells in one pass over the tokens which of many `TokenKinds` would find nothing there.

    Word rules are many, and most sequences have no word for most of them.

    Examples
    --------
    >>> from bylaw.rules.token import matches
    >>> sifter = TokenSifter((TokenKinds((matches("[0-9]+"),), "a"), TokenKinds((matches("[a-z]+"),), "b")))
    >>> bin(sifter(["x", "y"])), bin(sifter(["x", "1"])), bin(sifter(["X"]))
    ('0b10', '0b11', '0b0')
    """

    kinds: tuple[TokenKinds, ...]
    _seen: dict[Any, int] = field(default_factory=dict, init=False)

    def __call__(self, tokens: Sequence[Any]) -> int:
        """Bit i is set if the i-th of them finds something; all are if a token cannot be looked up."""
        try:
            found = set(map(self._seen.__getitem__, tokens))
        except KeyError:
            found = {self._fresh(token, t) for t, token in enumerate(tokens)}
        except TypeError:  # a mapping or a list
            return -1
        every = 0
        for one in found:
            every |= one
        return every

    def _fresh(self, token: Any, position: int) -> int:
        try:
            known = self._seen.get(token)
        except TypeError:
            return -1
        if known is None:
            known = sum((kinds._kind(token, position) > 0) << bit for bit, kinds in enumerate(self.kinds))
            if len(self._seen) < MOST_CACHED_TOKENS:
                self._seen[token] = known
        return known


def none_pass(kinds: npt.NDArray[np.uint16]) -> bool:
    """Whether `TokenKinds` found no token that passes any test. (It shares one array for all such sequences.)

    Examples
    --------
    >>> from bylaw.rules.token import matches
    >>> digits = TokenKinds((matches("[0-9]+"),), "a rule")
    >>> none_pass(digits(Example(1, ["x"]))), none_pass(digits(Example(1, ["1"])))
    (True, False)
    """
    return kinds is _zeros(len(kinds))


@lru_cache(maxsize=1024)
def _zeros(length: int) -> npt.NDArray[np.uint16]:
    zeros = np.zeros(length, dtype=np.uint16)
    zeros.setflags(write=False)
    return zeros


def _needed(tokens: Sequence[Any] | None, rule: str) -> Sequence[Any]:
    if tokens is None:
        raise TokenError(f"rule {rule!r} looks at the tokens, but there are none: pass tokens=...", rule=rule)
    return tokens


def _ask(test: TokenTest, token: Any, position: int, rule: str) -> bool:
    try:
        return test(token)
    except TokenError as error:
        raise TokenError(f"rule {rule!r}, token {position}: {error}", rule=rule, position=position) from None
    except Exception as error:  # a user's function: its own error, with the place added
        error.add_note(f"while rule {rule!r} tested token {position}: {token!r}")
        raise
