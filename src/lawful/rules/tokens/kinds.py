"""Running token tests over the tokens of a sequence, once for each distinct token."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.automata.counting import CountingMachine
from lawful.errors import TokenError
from lawful.rules.compiled.forms import Table
from lawful.rules.example import BoundMachine, Example
from lawful.rules.tokens.tests import TokenTest
from lawful.rules.tokens.values import TEXT_KEYS, text_of

__all__ = ["TokenKinds", "TokenMemory", "TokenReader", "TokenRule", "evaluate"]

MOST_CACHED_TOKENS = 100_000
MOST_CODES = 4096


def evaluate(test: TokenTest, tokens: Sequence[Any] | None, rule: str) -> npt.NDArray[np.bool_]:
    """Which of the tokens pass a test: bool array (T,).

    Examples
    --------
    >>> from lawful.rules.token import matches
    >>> evaluate(matches("[a-z]+"), ["x", "Y"], "a rule").tolist()
    [True, False]
    """
    known = _needed(tokens, rule)
    try:
        strings = set(map(type, known)) <= {str}
        passed = test.of_texts(known) if strings else [bool(test(token)) for token in known]
    except Exception:  # noqa: BLE001 - asked again by what knows how to say where
        passed = [bool(_ask((test,), token, t, rule)) for t, token in enumerate(known)]
    return np.array(passed, dtype=np.bool_)


class TokenMemory:
    """A function of tokens, called once for each distinct token, as long as there is room to remember the results.

    Parameters
    ----------
    ask : function of a token and its position
        Returns a whole number.
    reads_text : bool
        Whether the answer depends on nothing but the token's text.

    Attributes
    ----------
    seen : dict
        The results for the tokens that were seen before; the core looks here by itself.

    Examples
    --------
    >>> memory = TokenMemory(lambda token, position: print("asked:", token) or len(token))
    >>> memory(["a", "bc", "a"])
    asked: a
    asked: bc
    [1, 2, 1]
    >>> memory(["bc"])
    [2]
    """

    def __init__(self, ask: Callable[[Any, int], int], *, reads_text: bool = False) -> None:
        self._ask, self._key = ask, _text if reads_text else _contents
        self.reads_text = reads_text
        self.seen: dict[Any, int] = {}

    def __call__(self, tokens: Sequence[Any]) -> list[int]:
        """The result for each token."""
        keys, look_up = tokens, self.seen.__getitem__
        try:  # usually every token has been seen before
            try:
                return list(map(look_up, tokens))
            except TypeError:  # a mapping or a list is not hashable, but its content is
                keys = list(map(self._key, tokens))
                return list(map(look_up, keys))
        except (KeyError, TypeError):
            return [self._answer(*both, t) for t, both in enumerate(zip(keys, tokens, strict=True))]

    def ask(self, token: Any, position: int) -> int:
        """The result for one token, which must be hashable."""
        return self._answer(token, token, position)

    def _answer(self, key: Any, token: Any, position: int) -> int:
        try:
            known = self.seen.get(key)
        except TypeError:
            return self._ask(token, position)
        if known is None:
            known = self._ask(token, position)
            if len(self.seen) < MOST_CACHED_TOKENS:
                self.seen[key] = known
        return known


def _text(token: Any) -> Any:
    try:
        return text_of(token)
    except TokenError:  # the test itself will report it
        return _contents(token)


def _contents(token: Any) -> Any:
    if type(token) is dict:
        return dict, *token.items()
    return (list, *token) if type(token) is list else token


class TokenKinds:
    """The kind of each token: bit i is whether it passes the i-th test. Remembers the tokens that it has seen.

    Examples
    --------
    >>> from lawful.rules.token import matches
    >>> kinds = TokenKinds((matches("[a-z]+"), matches(".")), "a rule")
    >>> kinds(Example(3, ["ab", "x", "Y"]))
    [1, 3, 2]
    """

    def __init__(self, tests: tuple[TokenTest, ...], rule: str) -> None:
        self.tests, self.rule = tests, rule
        self._memory = TokenMemory(self.kind, reads_text=self.reads_text)

    def __call__(self, example: Example) -> list[int]:
        """The kinds of an example's tokens."""
        return self._memory(self.tokens_of(example))

    @property
    def reads_text(self) -> bool:
        """Whether a token's kind depends on nothing but its text."""
        return all(test.reads_text for test in self.tests)

    def tokens_of(self, example: Example) -> Sequence[Any]:
        """The tokens of an example, one for each position."""
        tokens = _needed(example.tokens, self.rule)
        if len(tokens) != example.length:
            message = f"rule {self.rule!r} got {len(tokens)} tokens for a sequence of {example.length}"
            raise TokenError(message, rule=self.rule)
        return tokens

    def kind(self, token: Any, position: int) -> int:
        """The kind of one token; its position is only for errors."""
        return _ask(self.tests, token, position, self.rule)


def _needed(tokens: Sequence[Any] | None, rule: str) -> Sequence[Any]:
    if tokens is None:
        raise TokenError(f"rule {rule!r} looks at the tokens, but there are none: pass tokens=...", rule=rule)
    return tokens


def _ask(tests: tuple[TokenTest, ...], token: Any, position: int, rule: str) -> int:
    kind, bit = 0, 1
    try:
        for test in tests:
            if test(token):
                kind += bit
            bit += bit
    except TokenError as error:
        raise TokenError(f"rule {rule!r}, token {position}: {error}", rule=rule, position=position) from None
    except Exception as error:  # a user's function: its own error, with the position added
        error.add_note(f"while rule {rule!r} tested token {position}: {token!r}")
        raise
    return kind


@dataclass(frozen=True, eq=False)
class TokenRule:
    """One machine and one table for every sequence; the kind of a token depends on that token alone.

    Attributes
    ----------
    machine : CountingMachine
    table : uint16 array (U, K)
    kinds : TokenKinds
    idle : bool
        Whether it cannot be broken where all tokens are of kind 0, so that it binds to no machine there.
    previous : bool
        Whether a position has the kind of the token before it; the first one is of kind 1.

    Examples
    --------
    >>> from lawful.labels import LabelSet
    >>> from lawful.rules.kinds.words import when
    >>> rule = when(str.isdigit).then("A").compile(LabelSet(["A", "B"]))
    >>> [bound.kinds for bound in rule.bind(Example(2, ["7", "x"]))], len(rule.bind(Example(1, ["x"])))
    ([[1, 0]], 0)
    """

    machine: CountingMachine
    table: Table
    kinds: TokenKinds
    idle: bool = False
    previous: bool = False
    static = False

    def bind(self, example: Example) -> Sequence[BoundMachine]:
        """The machine, with the kinds of this example's tokens."""
        kinds = self.kinds(example)
        if self.idle and not any(kinds):
            return ()
        if self.previous:
            kinds = [1, *kinds][: example.length]
        return (BoundMachine(self.machine, self.table, kinds),)


class TokenReader:
    """Gives each token a code, equal for tokens that no rule tells apart, so that a token is tested once for all rules.

    Parameters
    ----------
    rules : sequence of (TokenRule, _core.Part)
        At least one.
    """

    def __init__(self, rules: Sequence[tuple[TokenRule, _core.Part]]) -> None:
        self._rules = rules
        self._codes = _Codes(rules)
        self.reads_text = self._codes.memory.reads_text

    def __call__(self, example: Example) -> tuple[_core.TokenTable, list[int]]:
        """The table of what each code means to each rule, and the code of each token."""
        codes = self._current()
        return codes.table, codes.memory(self._rules[0][0].kinds.tokens_of(example))

    @property
    def codes(
        self,
    ) -> tuple[_core.TokenTable, dict[Any, int], Callable[[Any, int], int], tuple[str, ...]]:
        """The same for many sequences: the table, the codes of tokens that were seen, what gives that of another one, and the
        columns in which a token's text may stand, if nothing but that counts.
        """
        codes = self._current()
        keys = TEXT_KEYS if codes.memory.reads_text else ()
        return codes.table, codes.memory.seen, codes.memory.ask, keys

    def encode(
        self, tokens: Any, vocabulary: Sequence[Any] | None
    ) -> tuple[_core.TokenTable, npt.NDArray[np.uint32], npt.NDArray[np.int64] | None]:
        """The same for tokens end to end; or for the words of a vocabulary, with the numbers of the tokens in it.

        A vocabulary that is a tuple is looked at once.
        """
        codes = self._current()
        if vocabulary is None:
            return codes.table, np.array(codes.memory(tokens), dtype=np.uint32), None
        known = codes.of_vocabulary
        if known is None or known[0] is not vocabulary:
            known = vocabulary, np.array(codes.memory(vocabulary), dtype=np.uint32)
            if isinstance(vocabulary, tuple):
                codes.of_vocabulary = known
        return codes.table, known[1], tokens

    def _current(self) -> _Codes:
        codes = self._codes  # a copy of the reference: another thread may replace it
        if len(codes.known) > MOST_CODES:
            codes = self._codes = _Codes(self._rules)
        return codes


class _Codes:
    def __init__(self, rules: Sequence[tuple[TokenRule, _core.Part]]) -> None:
        self.kinds = [rule.kinds for rule, _ in rules]
        # Nearly always each rule has one test, whose result is the kind.
        alone = all(len(kinds.tests) == 1 for kinds in self.kinds)
        self.single = [kinds.tests[0] for kinds in self.kinds] if alone else []
        self.table = _core.TokenTable()
        for rule, part in rules:
            self.table.add_part(part, idle=rule.idle, previous=rule.previous)
        self.known: dict[tuple[int, ...], int] = {}
        self.of_vocabulary: tuple[Sequence[Any], npt.NDArray[np.uint32]] | None = None
        self.memory = TokenMemory(self._code, reads_text=all(kinds.reads_text for kinds in self.kinds))

    def _code(self, token: Any, position: int) -> int:
        row = self._row(token, position)
        if row not in self.known:
            self.known[row] = self.table.add_row(row)
        return self.known[row]

    def _row(self, token: Any, position: int) -> tuple[int, ...]:
        if self.single:
            try:
                return tuple([1 if test(token) else 0 for test in self.single])
            except Exception:  # noqa: BLE001, S110 - asked again by what can say where
                pass
        return tuple([kinds.kind(token, position) for kinds in self.kinds])
