"""How a text is cut into tokens: the one place that knows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from lawful.corpus.sentence import Sentence
from lawful.errors import InputError
from lawful.errors.wording import suggestion

__all__ = ["CONVENTIONS", "Tokenizer", "TokenizerLike", "text_sentence"]

# "treebank" is that of the Penn Treebank, as far as an expression can say it: clitics (do n't, it 's) are tokens.
CONVENTIONS: Mapping[str, str] = {
    "words": r"[^\W_]+(?:[-'’./][^\W_]+)*|\S",
    "blanks": r"\S+",
    "marks": r"\w+|\S",
    "letters": r"[^\W\d_]+|\d+|\S",
    "characters": r"\S",
    "treebank": (
        r"(?:n['’]t|N['’]T|['’](?:s|S|m|M|d|D|re|RE|ve|VE|ll|LL))(?!\w)"
        r"|[^\W_]+?(?=n['’]t(?!\w)|N['’]T(?!\w))"
        r"|[^\W_]+(?:(?!['’](?:s|S|m|M|d|D|re|RE|ve|VE|ll|LL)(?!\w))[-'’./,][^\W_]+)*"
        r"|\.{2,}|-{2,}|``|''|\S"
    ),
}
"""How each named convention cuts: the expression that its tokens match.

words: a word keeps the marks between its letters (co-author, 3.14, O'Neil), any other mark is a token; blanks: at white
space only; marks: every mark is a token; letters: runs of letters, runs of digits, and marks; characters: each by itself.
"""


@dataclass(frozen=True)
class Tokenizer:
    """How a text is cut into tokens.

    Attributes
    ----------
    convention : str
        One of `CONVENTIONS`, or a regular expression that each token matches.
    kept : tuple of str
        Words that stay whole although the convention would cut them: abbreviations such as "pp.".

    Examples
    --------
    >>> text = "O'Neil, J. pp. 3-14 (1999)."
    >>> Tokenizer().tokens(text)
    ("O'Neil", ',', 'J', '.', 'pp', '.', '3-14', '(', '1999', ')', '.')
    >>> Tokenizer("words", kept=("pp.",)).tokens(text)[4:6], Tokenizer("blanks").spans("a  bc")
    (('pp.', '3-14'), [(0, 1), (3, 5)])
    >>> Tokenizer(r"[a-z]").tokens("ab")
    ('a', 'b')
    """

    convention: str = "words"
    kept: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        convention: object = self.convention
        if not isinstance(convention, str) or not convention:
            raise InputError(
                f"a tokenizer is {', '.join(CONVENTIONS)} or a regular expression, got {self.convention!r}"
            )
        if self.convention.isalpha() and self.convention not in CONVENTIONS:  # as an expression, one word
            hint = suggestion(self.convention, CONVENTIONS, "conventions")
            raise InputError(f"unknown tokenizer {self.convention!r}; {hint}")
        _compiled(self.convention)
        object.__setattr__(self, "kept", tuple(self.kept))

    @classmethod
    def of(cls, value: TokenizerLike) -> Tokenizer:
        """A tokenizer, from its name, its expression, what `to_dict` gave, or a function that gives one.

        Examples
        --------
        >>> Tokenizer.of("blanks"), Tokenizer.of({"convention": "words", "kept": ["pp."]})
        (Tokenizer(convention='blanks', kept=()), Tokenizer(convention='words', kept=('pp.',)))
        """
        if isinstance(value, Tokenizer):
            return value
        if isinstance(value, str):
            return cls(value)
        if callable(value):
            return value()
        known: object = value
        kept = known.get("kept", ()) if isinstance(known, Mapping) else None
        if not isinstance(kept, (list, tuple)) or not all(isinstance(word, str) for word in kept):
            raise InputError(f"expected a tokenizer, its name or a regular expression, got {value!r:.60}")
        return cls(value["convention"], tuple(kept))

    def to_dict(self) -> dict[str, Any]:
        """The tokenizer in JSON types.

        Examples
        --------
        >>> Tokenizer("blanks").to_dict()
        {'convention': 'blanks'}
        """
        return {"convention": self.convention} | ({"kept": list(self.kept)} if self.kept else {})

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where the tokens of a text start and end."""
        pieces = [
            match.span() for match in _compiled(self.convention).finditer(text) if match.end() > match.start()
        ]
        return self._joined(text, pieces) if self.kept else pieces

    def tokens(self, text: str) -> tuple[str, ...]:
        """The tokens of a text."""
        return tuple(text[start:end] for start, end in self.spans(text))

    def sentence(self, text: str) -> Sentence:
        """A text as a sentence, with its text and the place of each token in the context.

        Examples
        --------
        >>> Tokenizer().sentence("Lee, A.").context
        {'text': 'Lee, A.', 'offsets': [[0, 3], [3, 4], [5, 6], [6, 7]]}
        """
        return text_sentence(text, self.spans(text))

    @cached_property
    def _most_pieces(self) -> tuple[frozenset[str], int]:
        pattern = _compiled(self.convention)
        return frozenset(self.kept), max(len(pattern.findall(word)) for word in self.kept)

    def _joined(self, text: str, pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The pieces, with those of a kept word as one; of several words the longest."""
        kept, most = self._most_pieces
        joined = []
        index = 0
        while index < len(pieces):
            start, end = pieces[index]
            taken = index + 1
            for last in range(index + 1, min(index + most, len(pieces))):
                if pieces[last][0] != pieces[last - 1][1]:
                    break
                if text[start : pieces[last][1]] in kept:
                    end, taken = pieces[last][1], last + 1
            joined.append((start, end))
            index = taken
        return joined


def text_sentence(
    text: str, spans: Sequence[tuple[int, int]], labels: Sequence[str] | None = None, **more: Any
) -> Sentence:
    """A sentence of the tokens at some places of a text, which its context keeps.

    Examples
    --------
    >>> text_sentence("to Bonn", [(0, 2), (3, 7)], ["O", "City"]).tokens
    ('to', 'Bonn')
    """
    tokens = tuple(text[start:end] for start, end in spans)
    context = {"text": text, "offsets": [list(span) for span in spans], **more.pop("context", {})}
    return Sentence(tokens, None if labels is None else tuple(labels), context=context, **more)


TokenizerLike: TypeAlias = Tokenizer | str | Mapping[str, Any] | Callable[[], Tokenizer]


@lru_cache(maxsize=64)
def _compiled(convention: str) -> re.Pattern[str]:
    try:
        return re.compile(CONVENTIONS.get(convention, convention))
    except (re.error, OverflowError, RecursionError) as error:
        raise InputError(
            f"{convention!r} is none of {', '.join(CONVENTIONS)}, and no regular expression of tokens: {error}"
        ) from None
