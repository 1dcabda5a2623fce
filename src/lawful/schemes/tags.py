"""Labels that describe spans, in any scheme; and one scheme into another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lawful.errors import InputError
from lawful.schemes.spans import Span, find_spans
from lawful.schemes.table import SPAN_SCHEMES, STRICT

__all__ = ["convert_labels", "label_spans"]

# begin, inside, end, single
_LETTERS = {"BILOU": "BILU", "BMES": "BMES", "BMEWO": "BMEW"}


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
        How many tokens there are.
    scheme : str
        As in `find_spans`.
    outside : str
        The label of a token in no span.
    separator : str

    Examples
    --------
    >>> label_spans([("PER", 0, 2), ("LOC", 3, 4)], 4, "BILOU")
    ['B-PER', 'L-PER', 'O', 'U-LOC']
    >>> label_spans([("NP", 0, 1), ("NP", 1, 2)], 2, "IOB1")
    ['I-NP', 'B-NP']
    """
    if scheme not in SPAN_SCHEMES:
        raise InputError(f"unknown scheme {scheme!r}; the schemes are {', '.join(SPAN_SCHEMES)}")
    labels = [outside] * length
    ordered = sorted((Span(*span) for span in spans), key=lambda span: span.start)
    before: Span | None = None
    for span, after in zip(ordered, [*ordered, None][1:], strict=True):
        if not 0 <= span.start < span.end <= length:
            raise InputError(f"{span} does not fit a sequence of {length} tokens")
        if before is not None and span.start < before.end:
            raise InputError(f"{span} overlaps {before}; labels cannot say that")
        tags = _tags(
            scheme,
            span.end - span.start,
            touches_before=before is not None and before.end == span.start and before.type == span.type,
            touches_after=after is not None and after.start == span.end and after.type == span.type,
        )
        for position, tag in enumerate(tags, span.start):
            labels[position] = span.type if not tag else tag + separator + span.type if span.type else tag
        before = span
    return labels


def _tags(scheme: str, size: int, *, touches_before: bool, touches_after: bool) -> Sequence[str]:
    if scheme == "flat":
        return [""] * size
    if scheme == "IOB1":
        return ("B" if touches_before else "I") + "I" * (size - 1)
    if scheme in ("IOB2", "BIO"):
        return "B" + "I" * (size - 1)
    if scheme == "IOE1":
        return "I" * (size - 1) + ("E" if touches_after else "I")
    if scheme == "IOE2":
        return "I" * (size - 1) + "E"
    if scheme == "IO":
        return "I" * size
    begin, inside, end, single = tuple(_LETTERS.get(scheme, "BIES"))
    return single if size == 1 else begin + inside * (size - 2) + end


def convert_labels(
    labels: Sequence[str], source: str | None, target: str, *, outside: str = "O", separator: str = "-"
) -> list[str]:
    """The same spans in another scheme.

    Examples
    --------
    >>> convert_labels(["I-NP", "B-NP", "O"], "IOB1", "IOBES")
    ['S-NP', 'S-NP', 'O']
    """
    if target not in STRICT and target != "flat":
        raise InputError(f"unknown scheme {target!r}; the schemes are {', '.join(SPAN_SCHEMES)}")
    spans = find_spans(labels, source, outside=(outside,), separator=separator)
    return label_spans(spans, len(labels), target, outside=outside, separator=separator)
