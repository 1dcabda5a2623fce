"""Spans from labels, read leniently as conlleval does, or strictly by a scheme."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from lawful.errors import InputError
from lawful.schemes.table import CANONICAL, SCHEME_NAMES, SCHEMES, Scheme

__all__ = ["Span", "find_spans", "guess_scheme", "split_label"]


class Span(NamedTuple):
    """A type over the tokens from `start` up to, but not including, `end`.

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
    """The tag of a label, spelled as in IOBES, and its type. The letters of all schemes are read.

    Examples
    --------
    >>> split_label("B-NP"), split_label("L-A-B"), split_label("O"), split_label("I")
    (('B', 'NP'), ('E', 'A-B'), ('O', ''), ('I', ''))
    """
    tag, _, span_type = label.partition(separator)
    tag = CANONICAL.get(tag, tag)
    if tag not in ("I", "O", "B", "E", "S") or (tag == "O" and span_type):
        raise InputError(
            f"label {label!r} is not a tag of a chunk scheme: expected O, or one of B I E S (or L U M W), "
            f"{separator!r} and a type; for labels without tags pass scheme='flat'"
        )
    return tag, span_type


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
        False: make the best of illegal sequences, as conlleval does (an I after O begins a span). True: only what
        the scheme allows is a span, as in seqeval's strict mode; this needs a scheme.
    outside : str or sequence of str
        The labels of a flat scheme that are outside of all spans.
    separator : str
        What stands between tag and type.

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
            raise InputError(f"strict reading needs a scheme: one of {', '.join(SCHEMES)}")
        scheme = guess_scheme([labels], separator=separator)
    if scheme == "flat":
        return _find_runs(labels, frozenset([outside] if isinstance(outside, str) else outside))
    if scheme not in SCHEMES:
        raise InputError(f"unknown scheme {scheme!r}; the schemes are {', '.join(SCHEME_NAMES)}")
    tags = [split_label(label, separator) for label in labels]
    if strict or scheme == "IO":
        return _find_strictly(tags, SCHEMES[scheme], scheme)
    return _find_leniently(tags)


def guess_scheme(sequences: Sequence[Sequence[str]], *, separator: str = "-") -> str:
    """The scheme to read labels by: "flat" if some label is not a tag, else "IOBES", which reads all that conlleval reads.

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


def _find_leniently(tags: list[tuple[str, str]]) -> list[Span]:
    spans: list[Span] = []
    last, last_type, start = "O", "", 0
    for position, (tag, span_type) in enumerate([*tags, ("O", "")]):
        if last != "O" and (tag in "BSO" or last in "ES" or span_type != last_type):
            spans.append(Span(last_type, start, position))
        if tag in "BS" or (tag != "O" and (last in "OES" or span_type != last_type)):
            start = position
        last, last_type = tag, span_type
    return spans


def _find_strictly(tags: list[tuple[str, str]], scheme: Scheme, name: str) -> list[Span]:
    allowed = {CANONICAL.get(tag, tag) for tag in scheme.tags}
    for position, (tag, span_type) in enumerate(tags):
        if tag not in allowed:
            raise InputError(
                f"token {position}: {tag}-{span_type} is not a tag of {name}, which has {', '.join(scheme.tags)}"
            )
    ends = [("O", ""), *tags, ("O", "")]
    # steps[t] leads to position t, and steps[len(tags)] to the end.
    steps = [
        (tag, next_tag, span_type == next_type) for (tag, span_type), (next_tag, next_type) in pairwise(ends)
    ]
    spans, start = [], 0
    while start < len(tags):
        if steps[start] not in scheme.begin:
            start += 1
            continue
        end = start + 1
        while steps[end] in scheme.inside:
            end += 1
        if steps[end] in scheme.end:
            spans.append(Span(tags[start][1], start, end))
        start = end
    return spans
