"""Where the tokens of a sentence stand in its text."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.corpus.sentence import Sentence

__all__ = ["align_tokens", "place_tokens"]


def align_tokens(tokens: Sequence[str], text: str) -> list[tuple[int, int]] | None:
    """Where tokens stand in a text, with nothing but white space between them; None if they do not.

    Examples
    --------
    >>> align_tokens(["Lee", ",", "A."], "Lee, A.")
    [(0, 3), (3, 4), (5, 7)]
    >>> align_tokens(["Lee", "B."], "Lee, A.") is None
    True
    """
    places, position = [], 0
    for token in tokens:
        start = text.find(token, position)
        if start < 0 or text[position:start].strip():
            return None
        position = start + len(token)
        places.append((start, position))
    return None if text[position:].strip() else places


def place_tokens(sentence: Sentence) -> tuple[str, list[tuple[int, int]]]:
    """The text of a sentence and the place of each token in it: as it was read, or else its tokens with blanks between them.

    Examples
    --------
    >>> place_tokens(Sentence(("Lee", ","), context={"text": "Lee,"}))
    ('Lee,', [(0, 3), (3, 4)])
    >>> place_tokens(Sentence(("Lee", ",")))
    ('Lee ,', [(0, 3), (4, 5)])
    """
    text = sentence.context.get("text")
    if isinstance(text, str):
        given = _given(sentence, text)
        places = align_tokens(sentence.tokens, text) if given is None else given
        if places is not None:
            return text, places
    places, position = [], 0
    for token in sentence.tokens:
        places.append((position, position + len(token)))
        position += len(token) + 1
    return " ".join(sentence.tokens), places


def _given(sentence: Sentence, text: str) -> list[tuple[int, int]] | None:
    """The offsets in the context, if they fit text and tokens."""
    offsets = sentence.context.get("offsets")
    if not isinstance(offsets, (list, tuple)) or len(offsets) != len(sentence.tokens):
        return None
    places = []
    for offset, token in zip(offsets, sentence.tokens, strict=True):
        if not isinstance(offset, (list, tuple)) or [type(place) for place in offset] != [int, int]:
            return None
        start, end = offset
        if not 0 <= start <= end or text[start:end] != token:
            return None
        places.append((start, end))
    return places
