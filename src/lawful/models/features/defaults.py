"""The templates that a model uses when it is given none: for tokens of which nothing is known but their text and columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lawful.errors import InputError
from lawful.models.features.collection import Features
from lawful.models.features.vocabulary import (
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
from lawful.rules.tokens.values import TEXT_KEYS

__all__ = ["default_features", "features_for", "useful_columns"]

MOST_COLUMNS = 6
SAMPLED_TOKENS = 200_000
MOST_DISTINCT = 0.3  # a column with more values than this per token holds numbers or names of tokens


def features_for(X: Iterable[Sequence[Any]]) -> Features | None:
    """The templates for tokens: `default_features` for words and rows; None for items, which are attributes already.

    A word is a string, a row is a tuple whose first column is its text. Items are what CRFsuite takes: lists or sets of
    attributes, and dicts from attributes to values.

    Examples
    --------
    >>> len(features_for([["the", "pound"]])), len(features_for([[("the", "DT"), ("pound", "NN")]]))
    (10, 10)
    >>> features_for([[["w=the"], ["w=pound"]]]) is None
    True
    >>> features_for([["the", ["w=pound"]]])
    Traceback (most recent call last):
    lawful.errors.InputError: sequence 1, position 1: expected a word, as the tokens before it, got ['w=pound']
    """
    sequences = list(X)
    first = next((token for tokens in sequences for token in tokens), None)
    if isinstance(first, str):
        kind: type = str
    elif isinstance(first, tuple) and first and isinstance(first[0], str):
        kind = tuple
    else:
        return None
    for number, tokens in enumerate(sequences):
        if set(map(type, tokens)) <= {kind}:  # nearly always, and faster than asking each token
            continue
        for position, token in enumerate(tokens):
            if not isinstance(token, kind):
                what = "a word" if kind is str else "a row"
                raise InputError(
                    f"sequence {number + 1}, position {position}: expected {what}, as the tokens before it, got {token!r:.60}"
                )
    return default_features(sequences)


def default_features(X: Iterable[Sequence[Any]]) -> Features:
    """Words and useful columns around a token, its spelling, and pairs of neighbours.

    Parameters
    ----------
    X : sequences of tokens
        Strings, tuples whose first column is the text, or mappings with the text under "text", "word" or "token".

    Examples
    --------
    >>> default_features([["the", "pound"]]).templates[:3]
    (bias(), window(word(), -2, 2), lower())
    >>> default_features([[{"word": "the", "pos": "DT"}, {"word": "pound", "pos": "NN"}]] * 5).templates[-3:]
    (window(column('pos'), -2, 2), join(at(-1, column('pos')), column('pos')), join(column('pos'), at(1, column('pos'))))
    """
    of_text = [
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
    taken = {placed.leaf.name for template in of_text for slot in template.slots() for placed in slot.leaves}
    of_columns = []
    for name in useful_columns(list(X)):
        here = column(name, name=f"column {name}" if name in taken else None)
        of_columns += [window(here, -2, 2), join(at(-1, here), here), join(here, at(1, here))]
    return Features(*of_text, *of_columns)


def useful_columns(X: Sequence[Sequence[Any]]) -> list[str | int]:
    """The columns besides the text that are worth templates: every sequence has them, and their values recur.

    Examples
    --------
    >>> sentence = [{"word": "the", "pos": "DT", "id": "1"}, {"word": "pound", "pos": "NN", "id": "1"}]
    >>> useful_columns([sentence]), useful_columns([sentence] * 9)
    ([], ['pos'])
    >>> useful_columns([[("the", "DT"), ("pound", "NN")]] * 9)
    [1]
    """
    firsts = [tokens[0] for tokens in X if len(tokens)]
    names = (
        [name for name in _columns(firsts[0]) if all(_has(token, name) for token in firsts)] if firsts else []
    )
    if not names:
        return []
    sample: list[Any] = []
    for tokens in X:
        sample += tokens
        if len(sample) > SAMPLED_TOKENS:
            break
    useful = []
    for name in names:
        column_values = [token[name] for token in sample if _has(token, name)]
        if not all(map(_is_readable, column_values)):
            continue
        values = set(column_values)
        if 1 < len(values) <= MOST_DISTINCT * len(sample):
            useful.append(name)
    return useful[:MOST_COLUMNS]


def _columns(token: Any) -> list[str | int]:
    if isinstance(token, Mapping):
        text = next((key for key in TEXT_KEYS if key in token), None)
        return [name for name in token if name != text and isinstance(name, (str, int))]
    return list(range(1, len(token))) if isinstance(token, tuple) else []


def _has(token: Any, name: str | int) -> bool:
    if isinstance(token, Mapping):
        return name in token
    return isinstance(token, tuple) and isinstance(name, int) and name < len(token)


def _is_readable(value: object) -> bool:
    """Whether a column template can read it."""
    return value is None or isinstance(value, (str, bool, int, float))
