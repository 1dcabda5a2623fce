"""How labels of tokens describe segments, and which segments are possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice.arrays import Floats
from lawful.schemes import SCHEMES, find_spans, label_spans

__all__ = ["SEGMENT_SCHEMES", "Segment", "Segmentation"]

# In these the labels of a segment do not depend on its neighbours.
SEGMENT_SCHEMES = ("flat", *(name for name, scheme in SCHEMES.items() if scheme.marks_borders))
OUTSIDE = "O"


class Segment(NamedTuple):
    """Tokens `start` to `end` - 1, with one label.

    Examples
    --------
    >>> Segment(0, 2, "author").end
    2
    """

    start: int
    end: int
    label: str


@dataclass(frozen=True)
class Segmentation:
    """The labels that segments can have, how long they may be, and what their tokens are labelled with.

    In the scheme "flat" every token has the label of its segment. In others, such as "IOB2", segments are spans, and a
    token outside of all spans is a segment of its own, labelled "O".

    Attributes
    ----------
    scheme : str
    names : tuple of str
        The labels of segments.
    longest : tuple of int
        The most tokens that a segment of each label can have.
    repeats : tuple of bool
        Whether segments of the same label may stand side by side.

    Examples
    --------
    >>> segmentation = Segmentation.fit([["B-NP", "I-NP", "O", "B-VP"]], scheme="IOB2")
    >>> segmentation.names, segmentation.longest
    (('NP', 'O', 'VP'), (2, 1, 1))
    >>> segmentation.read(["B-NP", "B-NP", "O"])
    [Segment(start=0, end=1, label='NP'), Segment(start=1, end=2, label='NP'), Segment(start=2, end=3, label='O')]
    >>> segmentation.labels
    LabelSet(['B-NP', 'B-VP', 'I-NP', 'O'])
    """

    scheme: str
    names: tuple[str, ...]
    longest: tuple[int, ...]
    repeats: tuple[bool, ...]

    @classmethod
    def fit(
        cls,
        y: Iterable[Sequence[str]],
        *,
        scheme: str = "flat",
        max_length: int | None = None,
        repeat: bool = False,
    ) -> Segmentation:
        """The segmentation that labelled sequences show; `max_length` is for all labels, if given."""
        if scheme not in SEGMENT_SCHEMES:
            raise InputError(f"scheme must be one of {', '.join(SEGMENT_SCHEMES)}, got {scheme!r}")
        if max_length is not None and max_length < 1:
            raise InputError(f"max_length must be 1 or more, got {max_length!r}")
        longest: dict[str, int] = {}
        for labels in y:
            for segment in _segments(labels, scheme):
                longest[segment.label] = max(longest.get(segment.label, 0), segment.end - segment.start)
        names = tuple(sorted(longest))
        spans = scheme != "flat"
        lengths = [
            longest[name] if max_length is None else 1 if spans and name == OUTSIDE else max_length
            for name in names
        ]
        repeats = [spans or repeat or len(names) == 1] * len(names)
        return cls(scheme, names, tuple(lengths), tuple(repeats))

    def read(self, labels: Sequence[str]) -> list[Segment]:
        """The segments that the labels of a sequence describe; those too long are cut, if labels may repeat."""
        segments = []
        for segment in _segments(labels, self.scheme):
            if segment.label not in self.names:
                raise InputError(
                    f"unknown label {segment.label!r}; the segments' labels are {', '.join(self.names)}"
                )
            number = self.names.index(segment.label)
            most = self.longest[number]
            if segment.end - segment.start > most and not (self.repeats[number] and self.scheme == "flat"):
                raise InputError(
                    f"the segment of {segment.label!r} from {segment.start} to {segment.end} is longer than "
                    f"max_length={most}: raise it, or let labels repeat"
                )
            for start in range(segment.start, segment.end, most):
                segments.append(Segment(start, min(start + most, segment.end), segment.label))
        return segments

    def write(self, segments: Iterable[Segment]) -> list[str]:
        """The labels of the tokens of segments, which cover a sequence.

        Examples
        --------
        >>> Segmentation("IOB2", ("NP", "O"), (2, 1), (True, True)).write([Segment(0, 2, "NP"), Segment(2, 3, "O")])
        ['B-NP', 'I-NP', 'O']
        """
        labels: list[str] = []
        for segment in segments:
            single, begin, inside, end = self._tags(segment.label)
            size = segment.end - segment.start
            labels += [single] if size == 1 else [begin, *[inside] * (size - 2), end]
        return labels

    def write_all(
        self, offsets: npt.NDArray[np.int64], ends: npt.NDArray[np.int32], numbers: npt.NDArray[np.int32]
    ) -> list[list[str]]:
        """The same for many sequences, whose segments stand one behind the other: where those of each sequence begin, and of each
        segment its end and the number of its label.

        Examples
        --------
        >>> segmentation = Segmentation("IOB2", ("NP", "O"), (3, 1), (True, True))
        >>> segmentation.write_all(np.array([0, 2, 2, 3]), np.array([3, 4, 1]), np.array([0, 1, 0]))
        [['B-NP', 'I-NP', 'I-NP', 'O'], [], ['B-NP']]
        """
        first = np.zeros(
            len(ends) + 1, dtype=np.bool_
        )  # segments that begin a sequence, and one behind the last
        first[offsets] = True
        starts = np.where(first[:-1], 0, np.concatenate([[0], ends[:-1]]))
        sizes = ends - starts
        kinds = np.full(sizes.sum(), 2)  # as the four tags of a label are ordered
        behind = np.cumsum(sizes)
        kinds[behind - sizes] = 0
        kinds[behind - 1] = 3
        kinds[(behind - 1)[sizes == 1]] = 1
        names = np.array(self.labels, dtype=object)[self.tags.reshape(-1, 4)]
        labels = names[numbers.repeat(sizes), kinds].tolist()
        tokens = np.concatenate([[0], behind])[offsets].tolist()
        return [labels[start:end] for start, end in pairwise(tokens)]

    @property
    def labels(self) -> LabelSet:
        """The labels that tokens can have, sorted."""
        labels: set[str] = set()
        for name, most in zip(self.names, self.longest, strict=True):
            single, begin, inside, end = self._tags(name)
            labels |= {single} | ({begin, end} if most > 1 else set()) | ({inside} if most > 2 else set())
        return LabelSet(sorted(labels))

    @property
    def tags(self) -> npt.NDArray[np.int32]:
        """(4 K,): for each segment label the numbers of token labels: first, only, inner, last. 0 if it cannot be."""
        numbers = {label: number for number, label in enumerate(self.labels)}
        rows = []
        for name in self.names:
            single, begin, inside, end = self._tags(name)
            rows += [numbers.get(tag, 0) for tag in (begin, single, inside, end)]
        return np.array(rows, dtype=np.int32)

    def spread(self, covering: Floats, beginning: Floats, ending: Floats, alone: Floats) -> Floats:
        """(M, labels of tokens): their probabilities, from those (M, K) of a segment that covers a token, begins there,
        ends there, or does both.

        Examples
        --------
        >>> import numpy as np
        >>> segmentation = Segmentation("IOB2", ("NP",), (2,), (True,))
        >>> segmentation.labels, segmentation.spread(*(np.array([[p]]) for p in (1.0, 0.75, 0.5, 0.25)))
        (LabelSet(['B-NP', 'I-NP']), array([[0.75, 0.25]]))
        """
        numbers = {label: number for number, label in enumerate(self.labels)}
        marginals = np.zeros((len(covering), len(numbers)))
        kinds = (alone, beginning - alone, covering - beginning - ending + alone, ending - alone)
        for k, name in enumerate(self.names):
            for tag, chances in zip(self._tags(name), kinds, strict=True):
                if tag in numbers:
                    marginals[:, numbers[tag]] += chances[:, k]
        return np.clip(marginals, 0.0, 1.0)

    def as_data(self) -> dict[str, Any]:
        """The segmentation in JSON types."""
        return {"names": list(self.names), "longest": list(self.longest), "repeats": list(self.repeats)}

    def _tags(self, name: str) -> tuple[str, str, str, str]:
        """The labels of the only token of a segment, and of the first, an inner and the last one of a longer segment."""
        if self.scheme == "flat" or name == OUTSIDE:
            return name, name, name, name
        first, inner, last, only = (f"{tag}-{name}" if name else tag for tag in SCHEMES[self.scheme].spelling)
        return only, first, inner, last


def _segments(labels: Sequence[str], scheme: str) -> list[Segment]:
    if scheme == "flat":
        return [Segment(start, end, label) for label, start, end in find_spans(labels, "flat", outside=())]
    spans = find_spans(labels, scheme)
    if label_spans(spans, len(labels), scheme) != list(labels):
        raise InputError(f"these labels are not legal in the scheme {scheme}: {' '.join(labels)}")
    segments, start = [], 0
    for span in [*spans, None]:
        until = len(labels) if span is None else span.start
        segments += [Segment(t, t + 1, OUTSIDE) for t in range(start, until)]
        if span is not None:
            segments.append(Segment(span.start, span.end, span.type))
            start = span.end
    return segments
