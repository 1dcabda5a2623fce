"""Chunk schemes once more, in plain Python from their definitions: the judge of `lawful.schemes` and `valid_tags`.

Nothing here is shared with `lawful.schemes`, neither tables nor code. Spans are tuples (type, start, end).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["count_illegal_steps", "plain_labels", "plain_spans", "plain_strict_spans"]

CLOSED = {"IOBES": "BIES", "BIOES": "BIES", "BILOU": "BILU", "BMES": "BMES", "BMEWO": "BMEW"}


def plain_labels(spans: Sequence[tuple[str, int, int]], length: int, scheme: str) -> list[str]:
    """The labels of spans that do not overlap.

    Examples
    --------
    >>> plain_labels([("X", 0, 2), ("X", 2, 3)], 4, "IOB1")
    ['I-X', 'I-X', 'B-X', 'O']
    """
    labels = ["O"] * length
    for span_type, start, end in spans:
        for position in range(start, end):
            follows_same = any(other == span_type and stop == start for other, _, stop in spans)
            precedes_same = any(other == span_type and begin == end for other, begin, _ in spans)
            is_first, is_last = position == start, position == end - 1
            if scheme == "flat":
                labels[position] = span_type
                continue
            tag = "I"
            if scheme in CLOSED:
                first, inner, last, only = tuple(CLOSED[scheme])
                tag = only if is_first and is_last else first if is_first else last if is_last else inner
            elif is_first and (scheme in ("IOB2", "BIO") or (scheme == "IOB1" and follows_same)):
                tag = "B"
            elif is_last and (scheme == "IOE2" or (scheme == "IOE1" and precedes_same)):
                tag = "E"
            labels[position] = f"{tag}-{span_type}"
    return labels


def plain_spans(labels: Sequence[str]) -> list[tuple[str, int, int]]:
    """The spans of labels, legal or not, as conlleval reads them.

    Two neighbours are in one span if they have the same type, the first does not end a span, and the second does not
    begin one.

    Examples
    --------
    >>> plain_spans(["B-X", "I-X", "B-X", "O", "I-Y"])
    [('X', 0, 2), ('X', 2, 3), ('Y', 4, 5)]
    """
    spans: list[tuple[str, int, int]] = []
    for position, label in enumerate(labels):
        if label == "O":
            continue
        span_type = label[2:]
        if position and labels[position - 1] != "O":
            before = labels[position - 1]
            if before[2:] == span_type and before[0] not in "ELSUW" and label[0] not in "BSUW":
                spans[-1] = (span_type, spans[-1][1], position + 1)
                continue
        spans.append((span_type, position, position + 1))
    return spans


def plain_strict_spans(labels: Sequence[str], scheme: str) -> list[tuple[str, int, int]]:
    """The spans that are complete in a scheme that marks where spans begin or end; the rest is ignored.

    Examples
    --------
    >>> plain_strict_spans(["I-X", "B-X", "I-X", "I-Y"], "IOB2"), plain_strict_spans(["B-X", "S-Y", "B-X", "E-X"], "IOBES")
    ([('X', 1, 3)], [('Y', 1, 2), ('X', 2, 4)])
    """
    shapes = {"IOB2": "BI*", "BIO": "BI*", "IOE2": "I*E"}
    if scheme in CLOSED:
        first, inner, last, only = tuple(CLOSED[scheme])
        shapes[scheme] = f"{first}{inner}*{last}|{only}"
    spans = []
    for span_type in {label[2:] for label in labels if label != "O"}:
        own = "".join(label[0] if label[2:] == span_type and label != "O" else "_" for label in labels)
        spans += [(span_type, *match.span()) for match in re.finditer(shapes[scheme], own)]
    return sorted(spans, key=lambda span: span[1])


def count_illegal_steps(labels: Sequence[str], scheme: str) -> int:
    """The number of steps of a tag sequence, with the first and the last, that break a scheme.

    Examples
    --------
    >>> count_illegal_steps(["O", "I-X", "I-X", "B-Y", "I-X"], "BIO"), count_illegal_steps(["I-X"], "IOBES")
    (2, 2)
    """
    steps = zip(["O", *labels], [*labels, "O"], strict=True)
    return sum(_is_illegal(scheme, before, after) for before, after in steps)


def _is_illegal(scheme: str, before: str, after: str) -> bool:
    tag, next_tag, same_type = before[0], after[0], before[2:] == after[2:]
    if scheme == "IO":
        return False
    if scheme == "IOB1":  # B only separates two neighbours of one type
        return next_tag == "B" and (tag == "O" or not same_type)
    if scheme in ("IOB2", "BIO"):  # I only continues a span
        return next_tag == "I" and (tag == "O" or not same_type)
    if scheme == "IOE1":  # E only separates two neighbours of one type
        return tag == "E" and (next_tag == "O" or not same_type)
    if scheme == "IOE2":  # I is always continued
        return tag == "I" and (next_tag == "O" or not same_type)
    is_open, continues = tag in "BIM", next_tag in "IMEL"
    return is_open != continues or (is_open and not same_type)
