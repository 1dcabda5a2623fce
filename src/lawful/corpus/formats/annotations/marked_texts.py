"""Texts with marked spans, as annotation tools keep them, and sentences: the way there and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from lawful.corpus.sentence import Sentence
from lawful.corpus.texts.fields import Field, find_fields
from lawful.corpus.texts.tokenizer import Tokenizer, text_sentence
from lawful.errors import CorpusError

__all__ = ["Marked", "sentence_from_spans", "spans_of"]

Marked = tuple[int, int, str]
"""Where a span starts and ends, in characters, and its type."""


def sentence_from_spans(
    text: str,
    spans: Iterable[Marked],
    tokenizer: Tokenizer,
    source: str = "",
    line: int = 1,
    *,
    outside: str = "O",
    **context: object,
) -> Sentence:
    """A text with marked spans as a sentence with IOB2 labels.

    A token that a span cuts becomes two, so that no span changes. Spans may not overlap.

    Examples
    --------
    >>> sentence = sentence_from_spans("in New York.", [(3, 11, "City")], Tokenizer("blanks"))
    >>> sentence.tokens, sentence.labels
    (('in', 'New', 'York', '.'), ('O', 'B-City', 'I-City', 'O'))
    """
    marked = sorted(spans)
    for start, end, kind in marked:
        if not 0 <= start < end <= len(text):
            raise CorpusError(
                source, line, f"{kind!r} from {start} to {end} is not in a text of {len(text)} characters"
            )
        if not kind:
            raise CorpusError(source, line, f"the span from {start} to {end} has no type")
    for first, second in pairwise(marked):
        if second[0] < first[1]:
            raise CorpusError(
                source,
                line,
                f"{first[2]!r} from {first[0]} to {first[1]} and {second[2]!r} from {second[0]} to {second[1]} overlap: a token has one label",
            )
    edges = sorted({edge for start, end, _ in marked for edge in (start, end)})
    places: list[tuple[int, int]] = []
    labels: list[str] = []
    number, begins = 0, True
    for start, end in _cut(tokenizer.spans(text), edges):
        while number < len(marked) and marked[number][1] <= start:
            number, begins = number + 1, True
        inside = number < len(marked) and marked[number][0] <= start
        labels.append(f"{'B' if begins else 'I'}-{marked[number][2]}" if inside else outside)
        begins = begins and not inside
        places.append((start, end))
    return text_sentence(text, places, labels, source=source, lines=(line,) * len(places), context=context)


def _cut(places: Sequence[tuple[int, int]], edges: Sequence[int]) -> Iterable[tuple[int, int]]:
    """The places of tokens, cut at the edges of spans."""
    for start, end in places:
        inside = [edge for edge in edges if start < edge < end]
        yield from zip([start, *inside], [*inside, end], strict=True)


def spans_of(sentence: Sentence) -> tuple[str, list[Field]]:
    """The text of a sentence and its fields, as annotation tools take them.

    Examples
    --------
    >>> spans_of(Sentence(("in", "Bonn"), ("O", "B-City")))
    ('in Bonn', [Field(name='City', text='Bonn', start=3, end=7)])
    """
    text = sentence.context.get("text")
    fields = find_fields(sentence)
    return (
        text
        if isinstance(text, str) and all(text[f.start : f.end] == f.text for f in fields)
        else " ".join(sentence.tokens)
    ), fields
