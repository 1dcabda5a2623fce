"""The fields that labels mark in a text: what they say, and from which character to which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lawful.corpus.sentence import Sentence
from lawful.corpus.texts.alignment import place_tokens
from lawful.schemes.spans import find_spans

__all__ = ["Field", "find_fields"]


class Field(NamedTuple):
    """A part of a text with a name.

    Attributes
    ----------
    name : str
        The label, without the tag of a chunk scheme.
    text : str
    start, end : int
        Its characters: those from `start` up to, but not including, `end`.

    Examples
    --------
    >>> Field("City", "Bonn", 3, 7).name
    'City'
    """

    name: str
    text: str
    start: int
    end: int


def find_fields(
    sentence: Sentence, *, scheme: str | None = None, outside: str | Sequence[str] = ("O",)
) -> list[Field]:
    """The fields of a labelled sentence, in order.

    Their characters are those of `sentence.context["text"]`; without it, those of the tokens with blanks between them.

    Parameters
    ----------
    sentence : Sentence
    scheme, outside
        As in `lawful.schemes.find_spans`.

    Examples
    --------
    >>> from lawful.corpus.texts.tokenizer import Tokenizer
    >>> sentence = Tokenizer().sentence("Lee, A. On rules.").with_labels(["author"] * 4 + ["title"] * 3)
    >>> find_fields(sentence)
    [Field(name='author', text='Lee, A.', start=0, end=7), Field(name='title', text='On rules.', start=8, end=17)]
    """
    text, places = place_tokens(sentence)
    fields = []
    for span in find_spans(sentence.labels or (), scheme, outside=outside):
        start, end = places[span.start][0], places[span.end - 1][1]
        fields.append(Field(span.type, text[start:end], start, end))
    return fields
