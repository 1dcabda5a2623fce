"""Reading tokens for many rules at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lawful import _core
from lawful.rules.example import Example
from lawful.rules.tokens.kinds import TokenMemory
from lawful.rules.tokens.token_rule import TokenRule

__all__ = ["TokenReader"]

MOST_CODES = 4096


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

    def __call__(self, example: Example) -> tuple[_core.TokenTable, list[int]]:
        """The table of what each code means to each rule, and the code of each token."""
        codes = self._codes  # a copy of the reference: another thread may replace it
        if len(codes.known) > MOST_CODES:
            codes = self._codes = _Codes(self._rules)
        return codes.table, codes.memory(self._rules[0][0].kinds.tokens_of(example))


class _Codes:
    def __init__(self, rules: Sequence[tuple[TokenRule, _core.Part]]) -> None:
        self.kinds = [rule.kinds for rule, _ in rules]
        self.table = _core.TokenTable()
        for rule, part in rules:
            self.table.add_part(part, idle=rule.idle, previous=rule.previous)
        self.known: dict[tuple[int, ...], int] = {}
        self.memory = TokenMemory(self._code, reads_text=all(kinds.reads_text for kinds in self.kinds))

    def _code(self, token: Any, position: int) -> int:
        row = tuple(kinds.kind(token, position) for kinds in self.kinds)
        if row not in self.known:
            self.known[row] = self.table.add_row(row)
        return self.known[row]
