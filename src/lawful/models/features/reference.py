"""The attributes of a sequence, in plain Python: the reference that the core is tested against."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

from lawful.errors import FeatureError, TokenError
from lawful.models.features.templates.function_values import Weighted
from lawful.models.features.templates.leaf import Leaf
from lawful.models.features.templates.template import END, START, PlacedLeaf, Slot, escape_value

__all__ = ["check_slots", "hash_attribute", "items_of"]

MOST_SLOTS = 4096
MOST_LEAVES = 16
FARTHEST = 1000
HASH_MASK = 2**64 - 1


def check_slots(slots: list[Slot]) -> tuple[Slot, ...]:
    """The slots, if no two of them could make the same attribute.

    Examples
    --------
    >>> from lawful.models.features.vocabulary import word
    >>> [slot.name for slot in check_slots([*word().slots()])]
    ['word']
    """
    if len(slots) > MOST_SLOTS:
        raise FeatureError(
            f"the templates make {len(slots)} attributes per position; at most {MOST_SLOTS} are allowed"
        )
    named: dict[str, Leaf] = {}
    seen: set[str] = set()
    for slot in slots:
        if len(slot.leaves) > MOST_LEAVES:
            raise FeatureError(
                f"{slot.name} joins {len(slot.leaves)} templates; at most {MOST_LEAVES} are allowed"
            )
        for placed in slot.leaves:
            if abs(placed.offset) > FARTHEST:
                raise FeatureError(
                    f"{slot.name} looks {abs(placed.offset)} tokens away; at most {FARTHEST} are allowed"
                )
            if named.setdefault(placed.leaf.name, placed.leaf) != placed.leaf:
                raise FeatureError(
                    f"two different templates make attributes named {placed.leaf.name!r}: give one of them another name"
                )
        if slot.name in seen:
            raise FeatureError(
                f"{slot.name}=... is declared twice: leave one out, or its attributes would count double"
            )
        seen.add(slot.name)
    return tuple(slots)


def items_of(slots: Sequence[Slot], tokens: Sequence[Any]) -> list[list[Weighted]]:
    r"""The attributes of each position, with their values.

    Examples
    --------
    >>> from lawful.models.features.vocabulary import word
    >>> items_of(word().slots(), ["a|b"])
    [[('word=a\\|b', 1.0)]]
    """
    return [[item for slot in slots for item in _items(slot, tokens, t)] for t in range(len(tokens))]


def _items(slot: Slot, tokens: Sequence[Any], position: int) -> list[Weighted]:
    values = [_values(placed, tokens, position + placed.offset) for placed in slot.leaves]
    return [
        (f"{slot.name}={'|'.join(value for value, _ in chosen)}", prod(weight for _, weight in chosen))
        for chosen in product(*values)
    ]


def _values(placed: PlacedLeaf, tokens: Sequence[Any], position: int) -> list[Weighted]:
    if position < 0 or position >= len(tokens):
        return [(START if position < 0 else END, 1.0)] if placed.pad else []
    try:
        return [(escape_value(value), weight) for value, weight in placed.leaf.read(tokens, position)]
    except TokenError as error:
        raise TokenError(f"position {position}: {error}", position=position) from None


def hash_attribute(attribute: str, bits: int) -> tuple[int, int]:
    """The id of an attribute among 2 ** bits, and its sign. This never changes, or saved models would break.

    FNV-1a of 64 bits over the UTF-8, then the finalizer of MurmurHash3; the low bits are the id, and the sign is -1
    where the highest is set.

    Examples
    --------
    >>> hash_attribute("word=the", 18)
    (56768, -1)
    """
    state = 0xCBF29CE484222325
    for byte in attribute.encode("utf-8", "surrogatepass"):
        state = (state ^ byte) * 0x100000001B3 & HASH_MASK
    state = (state ^ state >> 33) * 0xFF51AFD7ED558CCD & HASH_MASK
    state = (state ^ state >> 33) * 0xC4CEB9FE1A85EC53 & HASH_MASK
    state ^= state >> 33
    return state & ((1 << bits) - 1), -1 if state >> 63 else 1
