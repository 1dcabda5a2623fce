"""CRFsuite-style items: each position is a list of attributes, or a dict from attributes to values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lawful import _core
from lawful.errors import FeatureError, InputError
from lawful.models.features.attribute_sequences import AttributeSequences
from lawful.models.features.index import AttributeIndex

__all__ = ["extract_attributes", "fit_attributes"]


def fit_attributes(
    X: Iterable[Sequence[Any]], *, min_count: int = 1
) -> tuple[AttributeSequences, AttributeIndex]:
    """Extract the attributes of sequences of items, and number them as they come.

    An item is what python-crfsuite takes: a list (tuple, set) of attribute names, or a dict. In a dict, a number
    or bool is the attribute's value, a string `v` under `k` means the attribute `k:v`, and a dict or list under `k`
    is an item whose attributes all get `k:` before them. Names are text or UTF-8 bytes and may hold any character.

    Parameters
    ----------
    X : iterable of sequences of items
    min_count : int
        Leave out attributes that occur less often.

    Examples
    --------
    >>> sequences, index = fit_attributes([[["w=the", "caps"], {"w": "pound", "len": 5, "n": {"w": "is"}}]])
    >>> index.strings()
    ['w=the', 'caps', 'w:pound', 'len', 'n:w:is']
    >>> sequences.attributes.tolist(), sequences.values.tolist()
    ([0, 1, 2, 3, 4], [1.0, 1.0, 1.0, 5.0, 1.0])
    """
    if min_count < 1:
        raise FeatureError(f"min_count must be 1 or more, got {min_count}")
    try:
        table, arrays = _core.fit_items(list(X), min_count)
    except ValueError as error:
        raise InputError(str(error)) from None
    return AttributeSequences.from_core(arrays, len(table)), AttributeIndex.from_table(table)


def extract_attributes(X: Iterable[Sequence[Any]], index: AttributeIndex) -> AttributeSequences:
    """Extract the known attributes of sequences of items; others are dropped.

    Examples
    --------
    >>> extract_attributes([[["w=the", "w=yen"]]], AttributeIndex(["w=a", "w=the"])).attributes.tolist()
    [1]
    """
    try:
        arrays = _core.extract_items(list(X), index.table)
    except ValueError as error:
        raise InputError(str(error)) from None
    return AttributeSequences.from_core(arrays, len(index))
