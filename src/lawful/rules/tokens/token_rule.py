"""The compiled form of all rules that test tokens, so that a token is tested once for many of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lawful.automata.counting import CountingMachine
from lawful.rules.compiled.forms import Table
from lawful.rules.example import BoundMachine, Example
from lawful.rules.tokens.kinds import TokenKinds

__all__ = ["TokenRule"]


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
