"""Labels that cannot be labels: most likely the wrong column was read."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.corpus import Sentence
from lawful.errors import InputError

__all__ = ["refuse_absurd_labels"]

ABSURD = ((100, 3), (500, 20))
"""More labels than the first number are absurd if there are fewer tokens a label than the second.

Tag sets with full morphology reach some 1,500 labels, on corpora with fifty and more tokens for each; a column of words or features
has one to fifteen.
"""
MOST = 5000  # a column of words in a corpus of millions
SHOWN = 4


def refuse_absurd_labels(sentences: Sequence[Sentence], name: str) -> None:
    """Raise an error if the labels of a file look like words or features.

    Examples
    --------
    >>> refuse_absurd_labels([Sentence(("in", "it"), ("IN", "PRP"))] * 9, "gold.conll")
    >>> words = tuple(f"w{number}" for number in range(300))
    >>> refuse_absurd_labels([Sentence(words, words)], "gold.conll")
    Traceback (most recent call last):
    lawful.errors.InputError: gold.conll: 300 different labels on 300 tokens ('w0', 'w1', 'w2', 'w3', ...) are hardly labels. \
They were read from the field of labels. Say where the labels are: --label COLUMN, a number or one of --columns; if these are meant, name theirs
    """
    labels: dict[str, None] = {}
    tokens = 0
    for one in sentences:
        labels.update(dict.fromkeys(one.labels or ()))
        tokens += len(one)
    count = len(labels)
    if count <= MOST and not any(count > many and tokens < each * count for many, each in ABSURD):
        return
    shown = ", ".join(map(repr, list(labels)[:SHOWN]))
    raise InputError(
        f"{name}: {count:,} different labels on {tokens:,} tokens ({shown}, ...) are hardly labels. "
        f"They were read from {_column(sentences[0])}. "
        "Say where the labels are: --label COLUMN, a number or one of --columns; if these are meant, name theirs"
    )


def _column(sentence: Sentence) -> str:
    layout = sentence.layout
    if layout is None or layout.label is None:
        return "the field of labels"
    names = list(layout.names)
    place = names.index(layout.label) + 1
    called = "" if layout.label in ("label", str(place)) else f" ({layout.label})"
    return (
        f"column {place}{called}, the last of {len(names)}"
        if place == len(names)
        else f"column {place}{called}"
    )
