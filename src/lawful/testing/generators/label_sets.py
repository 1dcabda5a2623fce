"""Random label sets: plain names, names that need quotes, and the labels of a chunk scheme."""

from __future__ import annotations

import numpy as np

from lawful.labels import LabelSet
from lawful.schemes import SCHEMES

__all__ = ["random_label_set"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def random_label_set(
    rng: np.random.Generator,
    *,
    size: int | None = None,
    scheme: str | None = None,
    odd_names: float = 0.1,
) -> LabelSet:
    """A label set.

    Parameters
    ----------
    rng : numpy Generator
    size : int, optional
        The number of labels; 1 to 5 if not given.
    scheme : str, optional
        A chunk scheme: then the labels are its tags with types, such as "B-X", and "O" is the first.
    odd_names : float
        The share of plain labels whose names have blanks and quotes in them.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> random_label_set(rng, size=3, odd_names=0.0)
    LabelSet(['A', 'B', 'C'])
    >>> random_label_set(rng, size=4, scheme="BIO")
    LabelSet(['O', 'I-X', 'B-X', 'I-Y'])
    """
    count = int(rng.integers(1, 6)) if size is None else size
    if scheme is not None:
        return LabelSet(_tagged(scheme, count))
    odd = rng.random(count) < odd_names
    return LabelSet(f"the '{_plain(i)}'" if odd[i] else _plain(i) for i in range(count))


def _plain(index: int) -> str:
    turn, letter = divmod(index, len(LETTERS))
    return LETTERS[letter] + (str(turn) if turn else "")


def _tagged(scheme: str, count: int) -> list[str]:
    tags = [tag for tag in SCHEMES[scheme].tags if tag != "O"]
    types = (("XYZ"[turn] if turn < 3 else f"T{turn}") for turn in range(count))
    return ["O", *(f"{tag}-{span_type}" for span_type in types for tag in tags)][:count]
