"""Examples from a corpus: sequences to pick on the page, with their gold labels."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from lawful.corpus import Sentence
from lawful.explanation.text.token_rows import token_text
from lawful.playground.limits import Limits

__all__ = ["corpus_examples"]

NAMED = 40  # characters of a text that name it in the list


def corpus_examples(sentences: Iterable[Sentence], limits: Limits) -> list[dict[str, Any]]:
    """The first sequences of a corpus as examples, as many as the page takes; those that are too long are left out.

    Each has a `name`, a `text` and the corpus's own `tokens`; `gold` if it is labelled, and `location` if it comes from a file.

    Examples
    --------
    >>> corpus_examples([Sentence(("Lee", ",", "1999"), ("author", "author", "date"))], Limits())
    [{'name': '1: Lee , 1999', 'text': 'Lee , 1999', 'tokens': ['Lee', ',', '1999'], 'gold': ['author', 'author', 'date']}]
    """
    fitting = (
        (number, sentence)
        for number, sentence in enumerate(sentences, start=1)
        if 0 < len(sentence) <= limits.tokens
        and all(len(token_text(token)) <= limits.token_letters for token in sentence.tokens)
    )
    return [_example(number, sentence) for number, sentence in islice(fitting, limits.examples)]


def _example(number: int, sentence: Sentence) -> dict[str, Any]:
    tokens = [token_text(token) for token in sentence.tokens]
    told = sentence.context.get("text")
    text = " ".join((told if isinstance(told, str) else " ".join(tokens)).split())
    name = f"{number}: {text if len(text) <= NAMED else text[: NAMED - 1] + '…'}"
    example: dict[str, Any] = {"name": name, "text": text, "tokens": tokens}
    if sentence.labels is not None:
        example["gold"] = list(sentence.labels)
    location = sentence.location().rstrip(": ")
    return example | ({"location": location} if location else {})
