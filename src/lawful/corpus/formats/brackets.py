"""Spans written as brackets in a column: `(A0*`, `*`, `*)`; nested ones for trees: `(S(NP*`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lawful.errors import InputError
from lawful.schemes.spans import Span

__all__ = ["read_brackets"]

_CELL = re.compile(r"(?!$)((?:\([^()*]+)*)\*?(\)*)")


def read_brackets(column: Sequence[str]) -> list[Span]:
    """The spans of a column of brackets, by start, longer spans first.

    Examples
    --------
    >>> read_brackets(["(A0*", "*)", "(V*)", "*"])
    [Span(type='A0', start=0, end=2), Span(type='V', start=2, end=3)]
    """
    spans: list[Span] = []
    opened: list[tuple[str, int, int]] = []  # type, start, index in spans
    for position, cell in enumerate(column):
        match = _CELL.fullmatch(cell)
        if match is None:
            raise InputError(f"token {position}: expected brackets such as '(A0*', '*' or '*)', got {cell!r}")
        for span_type in filter(None, match.group(1).split("(")):
            opened.append((span_type, position, len(spans)))
            spans.append(Span(span_type, position, position))
        for _ in match.group(2):
            if not opened:
                raise InputError(f"token {position}: {cell!r} closes a bracket that was never opened")
            span_type, start, index = opened.pop()
            spans[index] = Span(span_type, start, position + 1)
    if opened:
        raise InputError(f"token {opened[-1][1]}: the bracket of {opened[-1][0]!r} is never closed")
    return spans
