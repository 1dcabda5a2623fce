"""Spans written as brackets in a column: `(A0*`, `*`, `*)`; nested ones for trees: `(S(NP*`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lawful.errors import InputError
from lawful.schemes.spans import Span

__all__ = ["read_brackets"]

_CELL = re.compile(r"(?!$)((?:\([^()*]+)*)\*?(\)*)")


def read_brackets(column: Sequence[str]) -> list[Span]:
    """The spans of a column of brackets, by start, the longer one first.

    Examples
    --------
    >>> read_brackets(["(A0*", "*)", "(V*)", "*"])
    [Span(type='A0', start=0, end=2), Span(type='V', start=2, end=3)]
    """
    spans: list[Span] = []
    opened: list[tuple[str, int, int]] = []  # type, start, place in spans
    for position, cell in enumerate(column):
        found = _CELL.fullmatch(cell)
        if found is None:
            raise InputError(f"token {position}: expected brackets such as '(A0*', '*' or '*)', got {cell!r}")
        for kind in filter(None, found.group(1).split("(")):
            opened.append((kind, position, len(spans)))
            spans.append(Span(kind, position, position))
        for _ in found.group(2):
            if not opened:
                raise InputError(f"token {position}: {cell!r} closes a bracket that was never opened")
            kind, start, place = opened.pop()
            spans[place] = Span(kind, start, position + 1)
    if opened:
        raise InputError(f"token {opened[-1][1]}: the bracket of {opened[-1][0]!r} is never closed")
    return spans
