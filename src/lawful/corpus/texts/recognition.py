"""Recognising how the tokens of a corpus were cut, so that texts can be cut the same way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from lawful.corpus.sentence import Sentence
from lawful.corpus.texts.alignment import align_tokens
from lawful.corpus.texts.tokenizer import Tokenizer

__all__ = ["recognise_tokenizer"]

SAMPLED = 20_000  # tokens to look at
MOST_KEPT = 1_000
TIMES = 2  # how often a word is seen before it is kept whole
EDGE_MARKS = frozenset(',.;:()[]"!?“”«»')
INNER_MARKS = frozenset("-'’./")
CLITICS = frozenset(["n't", "'s", "'re", "'ve", "'ll", "n’t", "’s"])
FROM_TEXT = ("words", "blanks", "marks", "letters", "treebank", "characters")


def recognise_tokenizer(sequences: Iterable[Sentence | Sequence[Any]]) -> Tokenizer:
    """The tokenizer that cut the tokens of a corpus, as far as they tell.

    Where sentences keep their text (`context["text"]`), the convention that cuts most of its tokens alike. Otherwise
    commas and points that are tokens of their own tell words and marks from blanks, and tokens such as "n't" the Penn Treebank. Words
    that the convention would cut, but the corpus mostly does not, are kept whole.

    Examples
    --------
    >>> recognise_tokenizer([["Lee", ",", "A", ".", "pp.", "3-14"]] * 2)
    Tokenizer(convention='words', kept=('pp.',))
    >>> recognise_tokenizer([["12", "Main", "Road,", "Creston,", "93432"]])
    Tokenizer(convention='blanks', kept=())
    >>> recognise_tokenizer([Sentence(("3", "pm"), context={"text": "3pm"})])
    Tokenizer(convention='letters', kept=())
    """
    sample: list[tuple[tuple[str, ...], str | None]] = []
    size = 0
    for sequence in sequences:
        tokens, text = _strings(sequence)
        if tokens:
            sample.append((tokens, text))
            size += len(tokens)
        if size >= SAMPLED:
            break
    texts = [(tokens, text) for tokens, text in sample if text is not None and align_tokens(tokens, text)]
    convention = (
        _from_texts(texts) if len(texts) > len(sample) / 2 else _from_tokens([tokens for tokens, _ in sample])
    )
    plain = Tokenizer(convention)
    return Tokenizer(convention, _kept_words(plain, [tokens for tokens, _ in sample]))


def _strings(sequence: Sentence | Sequence[Any]) -> tuple[tuple[str, ...], str | None]:
    """The tokens of a sequence as text, and its raw text; nothing if they are attributes or something else."""
    if isinstance(sequence, Sentence):
        text = sequence.context.get("text")
        return sequence.tokens, text if isinstance(text, str) else None
    words = []
    for token in sequence:
        if isinstance(token, Mapping):
            token = next((token[key] for key in ("text", "word", "token") if key in token), None)
        elif isinstance(token, tuple) and token:
            token = token[0]
        if not isinstance(token, str) or not token:
            return (), None
        words.append(token)
    return tuple(words), None


def _from_texts(texts: Sequence[tuple[tuple[str, ...], str]]) -> str:
    """The convention that finds most of the tokens of texts."""
    shares = {}
    for convention in FROM_TEXT:
        tokenizer = Tokenizer(convention)
        right = cut = 0
        for tokens, text in texts:
            places = set(align_tokens(tokens, text) or ())
            found = tokenizer.spans(text)
            right += len(places.intersection(found))
            cut += len(places) + len(found)
        shares[convention] = right / cut if cut else 0.0
    return max(FROM_TEXT, key=lambda convention: shares[convention])  # the first of equals


def _from_tokens(sequences: Sequence[tuple[str, ...]]) -> str:
    alone = attached = inner = inner_alone = clitics = single = letters = 0
    for tokens in sequences:
        for token in tokens:
            has_letters = any(map(str.isalnum, token))
            letters += has_letters
            single += has_letters and len(token) == 1
            if not has_letters:
                alone += token[:1] in EDGE_MARKS
                inner_alone += token in INNER_MARKS
            else:
                attached += token[0] in EDGE_MARKS or token[-1] in EDGE_MARKS
                inner += any(mark in token[1:-1] for mark in INNER_MARKS)
            clitics += token in CLITICS
    if letters and single == letters and letters > 1:
        return "characters"
    if attached > alone:
        return "blanks"
    if clitics:
        return "treebank"
    return "marks" if inner_alone and not inner else "words"


def _kept_words(tokenizer: Tokenizer, sequences: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The tokens that would be cut, but are more often whole than in pieces, the most frequent ones."""
    counts = Counter(token for tokens in sequences for token in tokens)
    cut = {
        token: pieces
        for token in counts
        if len(pieces := tokenizer.tokens(token)) > 1 and token.split() == [token]
    }
    firsts: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for token, pieces in cut.items():
        firsts.setdefault(pieces[0], []).append((token, pieces))
    apart: Counter[str] = Counter()
    for tokens in sequences:
        for index, first in enumerate(tokens):
            for token, pieces in firsts.get(first, ()):
                apart[token] += tokens[index : index + len(pieces)] == pieces
    kept = [token for token in cut if counts[token] >= TIMES and counts[token] > apart[token]]
    return tuple(sorted(islice(sorted(kept, key=lambda token: (-counts[token], token)), MOST_KEPT)))
