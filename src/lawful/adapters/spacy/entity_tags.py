"""Entities and token labels: reading entities from labels, and the labels that keep given entities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.schemes import SCHEME_NAMES, SCHEMES, Span, find_spans, label_spans
from lawful.schemes.table import same_span

__all__ = ["EntityTags"]


@dataclass(frozen=True)
class EntityTags:
    """How labels spell entities.

    Attributes
    ----------
    scheme : str
        "BIO", "BILOU" or another chunk scheme; or "flat": labels are types, and a run of one label is an entity.
    outside : str
        The label of tokens outside of all entities.
    separator : str
        The characters between tag and type.

    Examples
    --------
    >>> EntityTags("BIO").spans(["B-PER", "I-PER", "O", "B-LOC"])
    [Span(type='PER', start=0, end=2), Span(type='LOC', start=3, end=4)]
    >>> EntityTags("flat").spans(["Name", "Name", "O"])
    [Span(type='Name', start=0, end=2)]
    """

    scheme: str = "BIO"
    outside: str = "O"
    separator: str = "-"

    def __post_init__(self) -> None:
        if self.scheme not in SCHEME_NAMES:
            raise InputError(f"unknown scheme {self.scheme!r}; the schemes are {', '.join(SCHEME_NAMES)}")

    def parse(self, label: str) -> tuple[str, str]:
        """The tag of a label, spelled as in IOBES, and its type, which is empty outside of entities.

        Examples
        --------
        >>> EntityTags("BIO").parse("B-PER"), EntityTags("flat").parse("Name"), EntityTags().parse("O")
        (('B', 'PER'), ('I', 'Name'), ('O', ''))
        """
        if label == self.outside:
            return "O", ""
        if self.scheme == "flat":
            return "I", label
        scheme = SCHEMES[self.scheme]
        tag, entity_type = scheme.split(label, self.separator) or ("", "")
        if not entity_type:
            raise InputError(
                f"label {label!r} does not fit the scheme {self.scheme!r}: expected {self.outside!r}, or one of "
                f"{', '.join(scheme.tags)} with {self.separator!r} and a type; "
                "scheme='flat' takes labels as types"
            )
        return tag, entity_type

    def spans(self, labels: Sequence[str]) -> list[Span]:
        """The entities that labels spell; also of labels that the scheme would not allow."""
        if self.scheme == "flat":
            return find_spans(labels, "flat", outside=self.outside)
        for label in labels:
            self.parse(label)
        tags = ["O" if label == self.outside else label for label in labels]
        return find_spans(tags, self.scheme, separator=self.separator)

    def allowed(self, spans: Sequence[Span], labels: LabelSet, length: int) -> npt.NDArray[np.bool_]:
        """The labels (T, K) that keep given entities: inside them their own labels, beside them none that continues them.

        Tokens of an entity whose type the labels cannot spell are outside, if there is such a label.

        Examples
        --------
        >>> labels = LabelSet(["O", "B-PER", "I-PER"])
        >>> EntityTags("BIO").allowed([Span("PER", 0, 2)], labels, 3).astype(int).tolist()
        [[0, 1, 0], [0, 0, 1], [1, 1, 0]]
        """
        table = np.ones((length, len(labels)), dtype=np.bool_)
        inside = np.zeros(length, dtype=np.bool_)
        spelled = label_spans(spans, length, self.scheme, outside=self.outside, separator=self.separator)
        for span in spans:
            inside[span.start : span.end] = True
            can_spell = all(label in labels for label in spelled[span.start : span.end])
            for position in range(span.start, span.end):
                kept = spelled[position] if can_spell else self.outside
                if kept in labels:
                    table[position] = False
                    table[position, labels.index(kept)] = True
        parsed = [self.parse(label) for label in labels]
        for span in spans:
            if span.start and not inside[span.start - 1]:
                first = self.parse(spelled[span.start])
                table[span.start - 1] &= [not same_span(label, first) for label in parsed]
            if span.end < length and not inside[span.end]:
                last = self.parse(spelled[span.end - 1])
                table[span.end] &= [not same_span(last, label) for label in parsed]
        return table
