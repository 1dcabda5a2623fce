"""Spans written as brackets in a column: `(A0*`, `*`, `*)`; nested ones for clauses and trees: `(S(NP*`, `*S)S)`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lawful.corpus.sentence import Sentence
from lawful.errors import BracketError, CorpusError, InputError
from lawful.schemes.spans import Span

__all__ = ["column_spans", "read_brackets", "write_brackets"]

_CELL = re.compile(r"((?:\([^()*\s]+)*)\*((?:[^()*\s]*\))*)")


def read_brackets(column: Sequence[str]) -> list[Span]:
    """The spans of a column of brackets, by start, longer spans first.

    A bracket may close with its name, as the clauses of CoNLL-2004 and 2005 do; it must be the one that was opened last.

    Examples
    --------
    >>> read_brackets(["(A0*", "*)", "(V*)", "*"])
    [Span(type='A0', start=0, end=2), Span(type='V', start=2, end=3)]
    >>> read_brackets(["(S*", "(S*", "*S)S)"])
    [Span(type='S', start=0, end=3), Span(type='S', start=1, end=3)]
    """
    spans: list[Span] = []
    opened: list[int] = []  # indices in spans
    for position, cell in enumerate(column):
        match = _CELL.fullmatch(cell)
        if match is None:
            raise BracketError(position, f"expected brackets such as '(A0*', '*' or '*)', got {cell!r}")
        opening, closing = match.groups()
        for span_type in filter(None, opening.split("(")):
            opened.append(len(spans))
            spans.append(Span(span_type, position, position))
        for name in closing.split(")")[:-1]:
            if not opened:
                raise BracketError(position, f"{cell!r} closes a bracket that was never opened")
            span_type, start, _ = spans[opened[-1]]
            if name and name != span_type:
                raise BracketError(
                    position, f"{cell!r} closes {name!r}, but expected {span_type!r}, opened at token {start}"
                )
            spans[opened.pop()] = Span(span_type, start, position + 1)
    if opened:
        span_type, start, _ = spans[opened[-1]]
        raise BracketError(start, f"the bracket of {span_type!r} is never closed")
    return spans


def write_brackets(
    spans: Iterable[tuple[str, int, int]], length: int, *, named: bool = False
) -> tuple[str, ...]:
    """The column of brackets that describes spans; what `read_brackets` read comes back as it was.

    Parameters
    ----------
    spans : iterable of (type, start, end)
        They may be nested, but must not cross. Of spans over the same tokens the first is the outer one.
    length : int
        The number of tokens.
    named : bool
        Whether brackets close with their names.

    Examples
    --------
    >>> write_brackets([("A0", 0, 2), ("V", 2, 3)], 4)
    ('(A0*', '*)', '(V*)', '*')
    >>> write_brackets([("S", 0, 2), ("S", 1, 2)], 2, named=True)
    ('(S*', '(S*S)S)')
    """
    opening, closing = [""] * length, [""] * length
    opened: list[Span] = []
    for span in sorted((Span(*span) for span in spans), key=lambda span: (span.start, -span.end)):
        if not 0 <= span.start < span.end <= length:
            raise InputError(f"{span} does not fit a sequence of {length} tokens")
        if not span.type or re.search(r"[()*\s]", span.type):
            raise InputError(
                f"{span.type!r} cannot be the name of a bracket: it must have no (, ), * or blank"
            )
        while opened and opened[-1].end <= span.start:
            opened.pop()
        if opened and opened[-1].end < span.end:
            raise InputError(f"{span} crosses {opened[-1]}; brackets must be nested")
        opened.append(span)
        opening[span.start] += f"({span.type}"
        last = span.end - 1
        closing[last] = (f"{span.type})" if named else ")") + closing[last]  # inner brackets close first
    return tuple(f"{before}*{after}" for before, after in zip(opening, closing, strict=True))


def column_spans(sentence: Sentence, column: str) -> list[Span]:
    """The spans of a sentence's column of brackets; an error names the file and the line.

    Examples
    --------
    >>> sentence = Sentence(("a", "b"), None, {"chunk": ("(NP*", "*VP)")}, source="dev.txt", lines=(7, 8))
    >>> column_spans(sentence, "chunk")
    Traceback (most recent call last):
    lawful.errors.CorpusError: dev.txt, line 8: column 'chunk': '*VP)' closes 'VP', but expected 'NP', opened at token 0
    """
    if column not in sentence.columns:
        known = ", ".join(sentence.columns) or "none"
        raise InputError(f"{sentence.location()}no column {column!r}; the columns are {known}")
    try:
        return read_brackets(sentence.columns[column])
    except BracketError as error:
        line = sentence.lines[error.position] if sentence.lines else None
        where = "" if sentence.lines else f"token {error.position}: "
        source = sentence.source or "the text"
        raise CorpusError(source, line, f"column {column!r}: {where}{error.problem}") from None
