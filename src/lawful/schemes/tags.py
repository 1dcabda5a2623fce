"""Labels from spans, in any scheme; and labels of one scheme in another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lawful.errors import InputError
from lawful.schemes.spans import Span, find_spans
from lawful.schemes.table import SCHEME_NAMES, SCHEMES, Scheme

__all__ = ["convert_labels", "label_spans", "tag_in_span"]


def label_spans(
    spans: Iterable[tuple[str, int, int]],
    length: int,
    scheme: str,
    *,
    outside: str = "O",
    separator: str = "-",
) -> list[str]:
    """The labels that describe spans.

    Parameters
    ----------
    spans : iterable of (type, start, end)
        They must not overlap.
    length : int
        The number of tokens.
    scheme : str
        As in `find_spans`.
    outside : str
        The label of a token outside of all spans.
    separator : str
        What stands between tag and type.

    Examples
    --------
    >>> label_spans([("PER", 0, 2), ("LOC", 3, 4)], 4, "BILOU")
    ['B-PER', 'L-PER', 'O', 'U-LOC']
    >>> label_spans([("NP", 0, 1), ("NP", 1, 2)], 2, "IOB1")
    ['I-NP', 'B-NP']
    """
    if scheme not in SCHEME_NAMES:
        raise InputError(f"unknown scheme {scheme!r}; the schemes are {', '.join(SCHEME_NAMES)}")
    table = SCHEMES.get(scheme)
    labels = [outside] * length
    ordered = sorted((Span(*span) for span in spans), key=lambda span: span.start)
    before: Span | None = None
    for span, after in zip(ordered, [*ordered, None][1:], strict=True):
        if not 0 <= span.start < span.end <= length:
            raise InputError(f"{span} does not fit a sequence of {length} tokens")
        if before is not None and span.start < before.end:
            raise InputError(f"{span} overlaps {before}; labels cannot describe overlapping spans")
        if table is None:  # flat
            labels[span.start : span.end] = [span.type] * (span.end - span.start)
        else:
            tags = _tags(
                table,
                span.end - span.start,
                after_same=before is not None and before.end == span.start and before.type == span.type,
                before_same=after is not None and after.start == span.end and after.type == span.type,
            )
            for position, tag in enumerate(tags, span.start):
                labels[position] = tag + separator + span.type if span.type else tag
        before = span
    return labels


def _tags(scheme: Scheme, size: int, *, after_same: bool, before_same: bool) -> list[str]:
    return [
        tag_in_span(
            scheme,
            first=index == 0,
            last=index == size - 1,
            after_same=after_same,
            before_same=before_same,
        )
        for index in range(size)
    ]


def tag_in_span(scheme: Scheme, *, first: bool, last: bool, after_same: bool, before_same: bool) -> str:
    """The tag of one token of a span.

    Parameters
    ----------
    scheme : Scheme
    first, last : bool
        Whether it is the first and the last token of the span.
    after_same, before_same : bool
        Whether the span directly follows or precedes another of its type.

    Examples
    --------
    >>> tag_in_span(SCHEMES["IOBES"], first=True, last=False, after_same=False, before_same=False)
    'B'
    """
    if last and before_same and scheme.before_same:
        return scheme.before_same
    if first and after_same and scheme.after_same:
        return scheme.after_same
    return scheme.spelling[3 if first and last else 0 if first else 2 if last else 1]


def convert_labels(
    labels: Sequence[str], source: str | None, target: str, *, outside: str = "O", separator: str = "-"
) -> list[str]:
    """The labels of the same spans in another scheme.

    Examples
    --------
    >>> convert_labels(["I-NP", "B-NP", "O"], "IOB1", "IOBES")
    ['S-NP', 'S-NP', 'O']
    """
    spans = find_spans(labels, source, outside=(outside,), separator=separator)
    return label_spans(spans, len(labels), target, outside=outside, separator=separator)
