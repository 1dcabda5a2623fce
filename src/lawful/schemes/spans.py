"""Spans in labels, read as conlleval reads them, or strictly by a scheme."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from lawful.errors import InputError
from lawful.schemes.table import CANONICAL, SPAN_SCHEMES, STRICT

__all__ = ["Span", "find_spans", "guess_scheme", "split_label"]


class Span(NamedTuple):
    """A type over the tokens from `start` up to, but not with, `end`.

    Examples
    --------
    >>> Span("NP", 0, 2)
    Span(type='NP', start=0, end=2)
    """

    type: str
    start: int
    end: int


@lru_cache(maxsize=1 << 14)
def split_label(label: str, separator: str = "-") -> tuple[str, str]:
    """The tag of a label, as IOBES spells it, and the type.

    Examples
    --------
    >>> split_label("B-NP"), split_label("L-A-B"), split_label("O"), split_label("I")
    (('B', 'NP'), ('E', 'A-B'), ('O', ''), ('I', ''))
    """
    tag, _, kind = label.partition(separator)
    tag = CANONICAL.get(tag, tag)
    if tag not in ("I", "O", "B", "E", "S") or (tag == "O" and kind):
        raise InputError(
            f"label {label!r} is no tag of a span scheme: expected O, or one of B I E S (or L U M W), "
            f"{separator!r} and a type; for labels without tags pass scheme='flat'"
        )
    return tag, kind


def find_spans(
    labels: Sequence[str],
    scheme: str | None = None,
    *,
    strict: bool = False,
    outside: str | Sequence[str] = ("O",),
    separator: str = "-",
) -> list[Span]:
    """The spans that labels describe, in order.

    Parameters
    ----------
    labels : sequence of str
    scheme : str or None
        "IOB1", "IOB2" (or "BIO"), "IOE1", "IOE2", "IOBES" (or "BIOES"), "BILOU", "BMES", "BMEWO", "IO"; or "flat":
        every run of one label is a span. None: tags if all labels are tags, else flat.
    strict : bool
        False: as conlleval does, make the best of illegal sequences (an I after O begins a span). True: only what
        the scheme allows is a span, as in seqeval's strict mode; a scheme must be named.
    outside : str or sequence of str
        The labels of flat ones that are no spans.
    separator : str

    Examples
    --------
    >>> find_spans(["B-PER", "I-PER", "O", "I-LOC"])
    [Span(type='PER', start=0, end=2), Span(type='LOC', start=3, end=4)]
    >>> find_spans(["B-PER", "I-PER", "O", "I-LOC"], "IOB2", strict=True)
    [Span(type='PER', start=0, end=2)]
    >>> find_spans(["author", "author", "title"], "flat")
    [Span(type='author', start=0, end=2), Span(type='title', start=2, end=3)]
    """
    if scheme is None:
        if strict:
            raise InputError(f"strict reading needs a scheme: one of {', '.join(STRICT)}")
        scheme = guess_scheme([labels], separator=separator)
    if scheme == "flat":
        return _find_runs(labels, frozenset([outside] if isinstance(outside, str) else outside))
    if scheme not in STRICT:
        raise InputError(f"unknown scheme {scheme!r}; the schemes are {', '.join(SPAN_SCHEMES)}")
    tags = [split_label(label, separator) for label in labels]
    if strict or scheme == "IO":
        return _find_strictly(tags, scheme)
    return _find_as_conlleval(tags)


def guess_scheme(sequences: Sequence[Sequence[str]], *, separator: str = "-") -> str:
    """The scheme to read labels by: "flat" if some label is no tag, else "IOBES", which reads all that conlleval reads.

    Examples
    --------
    >>> guess_scheme([["B-NP", "O"]]), guess_scheme([["author", "title"]])
    ('IOBES', 'flat')
    """
    for label in {label for labels in sequences for label in labels}:
        try:
            split_label(label, separator)
        except InputError:
            return "flat"
    return "IOBES"


def _find_runs(labels: Sequence[str], outside: frozenset[str]) -> list[Span]:
    spans, start = [], 0
    for position in range(1, len(labels) + 1):
        if position == len(labels) or labels[position] != labels[start]:
            if labels[start] not in outside:
                spans.append(Span(labels[start], start, position))
            start = position
    return spans


def _find_as_conlleval(tags: list[tuple[str, str]]) -> list[Span]:
    spans: list[Span] = []
    last, last_kind, start = "O", "", 0
    for position, (tag, kind) in enumerate([*tags, ("O", "")]):
        if last != "O" and (tag in "BSO" or last in "ES" or kind != last_kind):
            spans.append(Span(last_kind, start, position))
        if tag in "BS" or (tag != "O" and (last in "OES" or kind != last_kind)):
            start = position
        last, last_kind = tag, kind
    return spans


def _find_strictly(tags: list[tuple[str, str]], scheme: str) -> list[Span]:
    allowed, begins, goes_on, ends = _tables(scheme)
    steps = [("O", ""), *tags, ("O", "")]  # steps[t] stands before position t
    for position, (tag, kind) in enumerate(tags):
        if tag not in allowed:
            raise InputError(
                f"token {position}: {tag}-{kind} is no tag of {scheme}, which has {', '.join(allowed)}"
            )
    spans, position = [], 0
    while position < len(tags):
        if not begins(steps[position], steps[position + 1]):
            position += 1
            continue
        end = position + 1
        while goes_on(steps[end], steps[end + 1]):
            end += 1
        if ends(steps[end], steps[end + 1]):
            spans.append(Span(tags[position][1], position, end))
        position = end
    return spans


_Step = Callable[[tuple[str, str], tuple[str, str]], bool]


@lru_cache
def _tables(scheme: str) -> tuple[str, _Step, _Step, _Step]:
    table = STRICT[scheme]
    return table.tags, _matcher(table.begin), _matcher(table.inside), _matcher(table.end)


def _matcher(pairs: str) -> _Step:
    found = set()
    for first, relation, second in map(tuple, pairs.split()):
        for a in "IOBES" if first == "*" else first:
            for b in "IOBES" if second == "*" else second:
                found |= {(a, b, same) for same in (True, False) if relation in (".", "=" if same else "!")}
    return lambda before, here: (before[0], here[0], before[1] == here[1]) in found
