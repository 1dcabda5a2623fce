"""The units of a proposition: chunks, cut after the verb, each with its last word as its head."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lawful.errors import InputError
from lawful.schemes import Span, find_spans
from lawful.support.numbers import as_whole

__all__ = ["CORE_ROLES", "OUTSIDE", "Units", "cut_units", "require_position"]

CORE_ROLES = ("A0", "A1", "A2", "A3", "A4", "A5")
OUTSIDE = "O"


@dataclass(frozen=True)
class Units:
    """What gets one label each in a proposition (Hacioglu et al. 2004; Roth & Yih 2005, section 5).

    Attributes
    ----------
    spans : tuple of Span
        The words of each unit and the type of its chunk, O for a word outside of all chunks. They cover the sentence.
    verb : int
        The unit whose head is the verb.
    heads : tuple of int
        The position of the head word of each unit: its last.

    Examples
    --------
    >>> units = cut_units([Span("NP", 0, 1), Span("VP", 1, 4)], 5, verb=2)
    >>> [tuple(span) for span in units.spans]
    [('NP', 0, 1), ('VP', 1, 3), ('VP', 3, 4), ('O', 4, 5)]
    >>> units.label([Span("A0", 0, 1), Span("A1", 3, 5), Span("AM-TMP", 4, 5)])
    ('A0', 'O', 'A1', 'A1')
    >>> units.unlabel(("A0", "O", "A1", "A1"))
    [Span(type='A0', start=0, end=1), Span(type='A1', start=3, end=5)]
    """

    spans: tuple[Span, ...]
    verb: int
    heads: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "heads", tuple(span.end - 1 for span in self.spans))

    def __len__(self) -> int:
        return len(self.spans)

    def label(self, roles: Iterable[Span], keep: Sequence[str] = CORE_ROLES) -> tuple[str, ...]:
        """The label of each unit: the role of its head word if it is one of those to keep, else O."""
        of_word = {t: role.type for role in roles if role.type in keep for t in range(role.start, role.end)}
        return tuple(of_word.get(head, OUTSIDE) for head in self.heads)

    def unlabel(self, labels: Sequence[str]) -> list[Span]:
        """The spans of words that labels of units describe: neighbouring units with one label are one argument."""
        if len(labels) != len(self.spans):
            raise InputError(f"{len(self.spans)} units, but {len(labels)} labels")
        return [
            Span(run.type, self.spans[run.start].start, self.spans[run.end - 1].end)
            for run in find_spans(labels, "flat", outside=OUTSIDE)
        ]

    def project(self, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Spans of words as spans of the units whose heads they hold; those that hold none are left out.

        Examples
        --------
        >>> cut_units([Span("NP", 0, 2), Span("VP", 2, 3)], 5, verb=2).project([(0, 2), (1, 4), (0, 1)])
        [(0, 1), (0, 3)]
        """
        heads = self.heads
        found = []
        for start, end in spans:
            inside = [unit for unit, head in enumerate(heads) if start <= head < end]
            if inside:
                found.append((inside[0], inside[-1] + 1))
        return list(dict.fromkeys(found))


def require_position(what: str, position: object, length: int) -> None:
    """Refuse what is not the position of a word.

    Examples
    --------
    >>> require_position("verb", "sell", 9)
    Traceback (most recent call last):
    lawful.errors.InputError: the verb must be the position of a word, from 0, got 'sell'
    """
    number = as_whole(position)
    if number is None:
        raise InputError(f"the {what} must be the position of a word, from 0, got {position!r:.60}")
    if not 0 <= number < length:
        raise InputError(f"the {what} is at {number}, but there are {length} words")


def cut_units(chunks: Iterable[Span], length: int, verb: int) -> Units:
    """The units of a proposition. A chunk in which words follow the verb is cut after it: they may be its arguments.

    Parameters
    ----------
    chunks : iterable of Span
        They must not overlap. A word outside of all is a unit of its own.
    length : int
        The number of words.
    verb : int
        The position of the verb.
    """
    require_position("verb", verb, length)
    spans: list[Span] = []
    position = 0

    def fill(end: int) -> None:
        spans.extend(Span(OUTSIDE, t, t + 1) for t in range(position, end))

    for chunk in sorted(chunks, key=lambda chunk: chunk.start):
        if chunk.start < position or chunk.end > length:
            raise InputError(f"{chunk} overlaps the chunk before it, or goes past {length} words")
        fill(chunk.start)
        cut = verb + 1 if chunk.start <= verb < chunk.end - 1 else chunk.end
        spans.append(chunk._replace(end=cut))
        if cut < chunk.end:
            spans.append(chunk._replace(start=cut))
        position = chunk.end
    fill(length)
    unit = next(index for index, span in enumerate(spans) if span.end == verb + 1)
    return Units(tuple(spans), unit)
