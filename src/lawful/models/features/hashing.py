"""How attributes are hashed, if they are. The core does the same; this never changes, or saved models would break."""

from __future__ import annotations

__all__ = ["hash_attribute"]

MASK = 2**64 - 1


def hash_attribute(attribute: str, bits: int) -> tuple[int, int]:
    """The id of an attribute among 2 ** bits, and its sign.

    FNV-1a of 64 bits over the UTF-8, then the finalizer of MurmurHash3; the low bits are the id, and the sign is -1
    where the highest is set.

    Examples
    --------
    >>> hash_attribute("word=the", 18)
    (56768, -1)
    """
    state = 0xCBF29CE484222325
    for byte in attribute.encode("utf-8", "surrogatepass"):
        state = (state ^ byte) * 0x100000001B3 & MASK
    state = (state ^ state >> 33) * 0xFF51AFD7ED558CCD & MASK
    state = (state ^ state >> 33) * 0xC4CEB9FE1A85EC53 & MASK
    state ^= state >> 33
    return state & ((1 << bits) - 1), -1 if state >> 63 else 1
