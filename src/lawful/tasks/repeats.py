"""Sequences that stand in a corpus more than once: a model that was fitted to one of them has seen the others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

__all__ = ["find_repeats"]

_BESIDES = re.compile(r"[\W_]+")


def find_repeats(parts: Mapping[str, Sequence[Sequence[str]]]) -> list[tuple[tuple[str, int], ...]]:
    """The sequences that have the same letters and digits, within and across parts of a corpus.

    Case, spaces, marks and hyphens do not count, so that "mul-tilayered" repeats "Multilayered". A sequence without letters and
    digits repeats nothing.

    Parameters
    ----------
    parts : mapping from names to sequences of word sequences

    Returns
    -------
    list of tuples of (part, number)
        One tuple for each text that stands there more than once, in the order of the parts.

    Examples
    --------
    >>> find_repeats({"train": [["On", "rules", "."], ["Laws"]], "test": [["Tags"], ["on", "ru-", "les"]]})
    [(('train', 0), ('test', 1))]
    """
    places: dict[str, list[tuple[str, int]]] = {}
    for part, sequences in parts.items():
        for number, words in enumerate(sequences):
            text = _BESIDES.sub("", "".join(words)).lower()
            if text:
                places.setdefault(text, []).append((part, number))
    return [tuple(group) for group in places.values() if len(group) > 1]
