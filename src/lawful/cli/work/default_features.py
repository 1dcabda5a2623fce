"""Features for a corpus of which nothing is known but its columns."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.corpus import Sentence
from lawful.models.features import (
    Features,
    at,
    bias,
    column,
    join,
    lower,
    prefix,
    shape,
    suffix,
    window,
    word,
)

__all__ = ["default_features", "useful_columns"]

MOST_COLUMNS = 6
LOOKED_AT = 200_000  # tokens
MOST_DISTINCT = 0.3  # a column with more values than this, for a token, is a number or a name of the token


def default_features(sentences: Sequence[Sentence]) -> Features:
    """Words and columns around a token, its spelling, and pairs of neighbours.

    Examples
    --------
    >>> sentences = [Sentence(("the", "pound"), ("O", "X"), {"pos": ("DT", "NN")})] * 5
    >>> default_features(sentences).templates[-3:]
    (window(column('pos'), -2, 2), join(at(-1, column('pos')), column('pos')), join(column('pos'), at(1, column('pos'))))
    """
    templates = [
        bias(),
        window(word(), -2, 2),
        lower(),
        shape(),
        at(-1, shape()),
        at(1, shape()),
        prefix(1, 4),
        suffix(1, 4),
        join(at(-1, word()), word()),
        join(word(), at(1, word())),
    ]
    for name in useful_columns(sentences):
        here = column(name)
        templates += [window(here, -2, 2), join(at(-1, here), here), join(here, at(1, here))]
    return Features(*templates)


def useful_columns(sentences: Sequence[Sentence]) -> list[str]:
    """The columns beside token and label that are worth a look: every sentence has them, their values come again.

    Examples
    --------
    >>> useful_columns([Sentence(("a", "b"), columns={"pos": ("DT", "NN"), "id": ("1", "1")})])
    []
    >>> useful_columns([Sentence(("a", "b"), columns={"pos": ("DT", "NN"), "id": ("1", "1")})] * 9)
    ['pos']
    """
    looked, tokens = [], 0
    for one in sentences:
        looked.append(one)
        tokens += len(one)
        if tokens > LOOKED_AT:
            break
    found = []
    for name in sentences[0].columns if sentences else ():
        if not all(name in one.columns for one in sentences):
            continue
        values = {value for one in looked for value in one.columns[name]}
        if 1 < len(values) <= MOST_DISTINCT * tokens:
            found.append(name)
    return found[:MOST_COLUMNS]
