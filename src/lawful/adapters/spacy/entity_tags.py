"""Entities and token labels: reading entities off the labels of a scheme, and holding labels to given entities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.rules.kinds.tag_schemes import SCHEMES

__all__ = ["EntityTags"]

Span = tuple[int, int, str]

OPENS, CLOSES = "BSUW", "ELSUW"  # prefixes before, and after, which an entity of the same type ends
SINGLE = {"IOBES": "S", "BIOES": "S", "BMES": "S", "BILOU": "U", "BMEWO": "W"}


@dataclass(frozen=True)
class EntityTags:
    """How labels spell entities.

    Attributes
    ----------
    scheme : str
        "BIO", "BILOU" or another that `lawful.valid_tags` knows; or "plain": labels are types, and a run is an entity.
    outside : str
        The label of tokens outside of all entities.
    separator : str
        What stands between prefix and type.

    Examples
    --------
    >>> EntityTags("BIO").spans(["B-PER", "I-PER", "O", "B-LOC", "B-LOC"])
    [(0, 2, 'PER'), (3, 4, 'LOC'), (4, 5, 'LOC')]
    >>> EntityTags("plain").spans(["Name", "Name", "O"])
    [(0, 2, 'Name')]
    """

    scheme: str = "BIO"
    outside: str = "O"
    separator: str = "-"

    def __post_init__(self) -> None:
        if self.scheme != "plain" and self.scheme not in SCHEMES:
            raise InputError(f"unknown scheme {self.scheme!r}; the schemes are plain, {', '.join(SCHEMES)}")

    def parse(self, label: str) -> tuple[str, str]:
        """A label as prefix and type; both are empty outside of entities.

        Examples
        --------
        >>> EntityTags("BIO").parse("B-PER"), EntityTags("plain").parse("Name"), EntityTags().parse("O")
        (('B', 'PER'), ('I', 'Name'), ('', ''))
        """
        if label == self.outside:
            return "", ""
        if self.scheme == "plain":
            return "I", label
        prefix, separator, kind = label.partition(self.separator)
        if not separator or not kind or len(prefix) != 1 or prefix not in SCHEMES[self.scheme].prefixes:
            raise InputError(
                f"label {label!r} does not fit the scheme {self.scheme!r}: expected {self.outside!r}, or one of "
                f"{', '.join(SCHEMES[self.scheme].prefixes)} with {self.separator!r} and a type; "
                "scheme='plain' takes labels as types"
            )
        return prefix, kind

    def parts(self, before: str, after: str) -> bool:
        """Whether an entity ends, or none goes on, between two neighbouring labels.

        Examples
        --------
        >>> EntityTags("BIO").parts("B-PER", "I-PER"), EntityTags("BIO").parts("I-PER", "B-PER")
        (False, True)
        """
        (prefix, kind), (following, next_kind) = self.parse(before), self.parse(after)
        if not kind or not next_kind or kind != next_kind:
            return True
        return self.scheme != "plain" and (following in OPENS or prefix in CLOSES)

    def spans(self, labels: Sequence[str]) -> list[Span]:
        """The entities (start, end, type) that labels spell; also of labels that the scheme would not allow."""
        found: list[Span] = []
        for position, label in enumerate(labels):
            kind = self.parse(label)[1]
            if not kind:
                continue
            if position and not self.parts(labels[position - 1], label):
                found[-1] = (found[-1][0], position + 1, kind)
            else:
                found.append((position, position + 1, kind))
        return found

    def allowed(self, spans: Sequence[Span], labels: LabelSet, length: int) -> npt.NDArray[np.bool_]:
        """The labels (T, K) that leave given entities as they are: inside them their own, beside them none that goes on.

        Tokens of an entity whose type the labels cannot spell are outside, if there is such a label.

        Examples
        --------
        >>> labels = LabelSet(["O", "B-PER", "I-PER"])
        >>> EntityTags("BIO").allowed([(0, 2, "PER")], labels, 3).astype(int).tolist()
        [[0, 1, 0], [0, 0, 1], [1, 1, 0]]
        """
        table = np.ones((length, len(labels)), dtype=np.bool_)
        inside = np.zeros(length, dtype=np.bool_)
        spelled = self._spelled(sorted(spans))
        for start, tags in spelled:
            for position, tag in enumerate(tags, start):
                inside[position] = True
                held = tag if all(one in labels for one in tags) else self.outside
                if held in labels:
                    table[position] = False
                    table[position, labels.index(held)] = True
        for start, tags in spelled:
            end = start + len(tags)
            if start and not inside[start - 1]:
                table[start - 1] &= [self.parts(label, tags[0]) for label in labels]
            if end < length and not inside[end]:
                table[end] &= [self.parts(tags[-1], label) for label in labels]
        return table

    def _spelled(self, spans: Sequence[Span]) -> list[tuple[int, list[str]]]:
        """Where each entity starts, and the labels of its tokens."""
        found = []
        ends, starts = {(end, kind) for _, end, kind in spans}, {(start, kind) for start, _, kind in spans}
        for start, end, kind in spans:
            if self.scheme == "plain":
                found.append((start, [kind] * (end - start)))
                continue
            prefixes = ["M" if "M" in SCHEMES[self.scheme].prefixes else "I"] * (end - start)
            if self.scheme in SINGLE:
                prefixes[0], prefixes[-1] = "B", "L" if self.scheme == "BILOU" else "E"
                if len(prefixes) == 1:
                    prefixes = [SINGLE[self.scheme]]
            elif self.scheme in ("BIO", "IOB2") or (self.scheme == "IOB1" and (start, kind) in ends):
                prefixes[0] = "B"
            elif self.scheme == "IOE2" or (self.scheme == "IOE1" and (end, kind) in starts):
                prefixes[-1] = "E"
            found.append((start, [prefix + self.separator + kind for prefix in prefixes]))
        return found
