"""Random tokens and contexts: what the rules of `random_rule` look at besides the labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lawful.labels import LabelSet

__all__ = ["VOCABULARY", "random_context", "random_tokens"]

VOCABULARY: tuple[tuple[str, str], ...] = (
    ("Ann", "name"),
    ("Bonn", "name"),
    ("bonn", "word"),
    ("of", "word"),
    ("4", "number"),
    ("53113", "number"),
    (",", "mark"),
    (".", "mark"),
)
"""Tokens as rows: their text, and a column that tests may look at."""


def random_tokens(
    rng: np.random.Generator, length: int, *, vocabulary: Sequence[Any] = VOCABULARY
) -> list[Any]:
    """Tokens drawn from a small vocabulary, so that they repeat.

    Examples
    --------
    >>> random_tokens(np.random.default_rng(0), 3, vocabulary=["a"])
    ['a', 'a', 'a']
    """
    return [vocabulary[i] for i in rng.integers(len(vocabulary), size=length)]


def random_context(rng: np.random.Generator, length: int, labels: LabelSet) -> dict[str, Any]:
    """Everything that the rules of `random_rule` need by name.

    The keys are "spans" (half-open, they may overlap), "groups" and "positions" (also negative ones),
    "verb" (one position) and "banned" (labels, perhaps none).

    Examples
    --------
    >>> found = random_context(np.random.default_rng(2), 4, LabelSet(["A", "B"]))
    >>> sorted(found), -4 <= found["verb"] < 4
    (['banned', 'groups', 'positions', 'spans', 'verb'], True)
    """
    return {
        "spans": [_span(rng, length) for _ in range(rng.integers(3))],
        "groups": [_positions(rng, length, 4) for _ in range(rng.integers(3))],
        "positions": _positions(rng, length, 3),
        "verb": int(rng.integers(-length, length)),
        "banned": [labels[i] for i in rng.permutation(len(labels))[: rng.integers(3)]],
    }


def _span(rng: np.random.Generator, length: int) -> tuple[int, int]:
    start = int(rng.integers(length))
    return start, int(rng.integers(start + 1, length + 1))


def _positions(rng: np.random.Generator, length: int, most: int) -> list[int]:
    count = int(rng.integers(most))
    return [int(position) for position in rng.integers(-length, length, size=count)]
