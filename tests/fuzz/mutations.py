"""Damage: what bit rot, half a download, a bad export, a typing mistake or a hostile hand does to a file."""

from __future__ import annotations

import math
import random
import re
import struct
from typing import Any

__all__ = ["mutate_bytes", "mutate_data", "mutate_text"]

WORDS = [
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n", b"\r", b"\n\n", b"\t\t", b"\x1a", b"\xc3\x28", b"\xed\xa0\x80",
    "\u202e".encode(), "\u2028".encode(), "e\u0301".encode(), "\U0001f9ff".encode(), "\ufeff".encode(), b"\x0b\x0c\x85",
    b"-DOCSTART- -X- O O\n", b"# comment\n", b'"', b"'", b"\\", b"{", b"[", b"<", b"&", b"<!ENTITY a 'b'>", b",,,,",
]  # fmt: skip
NUMBERS = [
    "0",
    "-1",
    "1",
    "2147483648",
    "-9223372036854775809",
    "1e308",
    "1e999",
    "-inf",
    "nan",
    "0.1",
    "1_0",
    "9" * 400,
]
NAMES = [
    "",
    " ",
    "\u0000",
    "@",
    "O",
    "B-NP",
    "..",
    "/etc/passwd",
    "\u202eevil",
    "x" * 5000,
    "a" * 40 + "!",
    "𝔘𝔫𝔦",
    "\ud7ff",
]
SPANS = re.compile(r"\s+|[A-Za-z_][\w-]*|-?\d[\d_.eE+-]*|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|.", re.DOTALL)


def mutate_bytes(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """One to five wounds anywhere; `other` is another valid file to splice with."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
        place = rng.randrange(len(found) + 1)
        until = min(len(found), place + rng.choice((1, 2, 4, 16, 200)))
        match rng.randrange(9):
            case 0 if place < len(found):
                found[place] ^= 1 << rng.randrange(8)
            case 1 if place < len(found):
                found[place] = rng.randrange(256)
            case 2:
                del found[place:until]
            case 3:
                del found[place:]
            case 4:
                found[place:place] = found[place:until] * rng.choice((1, 2, 50))
            case 5:
                found[place:] = other[rng.randrange(len(other) + 1) :]
            case 6:
                found[place:place] = rng.choice(WORDS) * rng.choice((1, 1, 3, 1000))
            case 7:
                number = rng.choice((0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, rng.randrange(2**32)))
                found[place : place + 4] = struct.pack(rng.choice("<>") + "I", number)
            case 8:
                found[place : place + 8] = struct.pack("<d", rng.choice((math.nan, math.inf, -1e308, 1e-320)))
    return bytes(found)


def mutate_text(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Words, numbers and strings are dropped, doubled, swapped or replaced; sometimes the bytes are hurt instead."""
    if rng.random() < 0.25:
        return mutate_bytes(rng, data, other)
    parts = SPANS.findall(data.decode("utf-8", "replace"))
    others = SPANS.findall(other.decode("utf-8", "replace"))
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        if not parts:
            break
        place = rng.randrange(len(parts))
        match rng.randrange(8):
            case 0:
                del parts[place : place + rng.choice((1, 1, 2, 10))]
            case 1:
                parts[place:place] = parts[place : place + rng.choice((1, 5, 40))]
            case 2:
                second = rng.randrange(len(parts))
                parts[place], parts[second] = parts[second], parts[place]
            case 3 if others:
                parts[place] = rng.choice(others)
            case 4:
                place = _near(parts, place, str.isdigit)
                parts[place] = rng.choice(NUMBERS)
            case 5:
                place = _near(parts, place, '"'.__eq__)
                parts[place] = f'"{rng.choice(NAMES)}"'
            case 6:
                parts.insert(place, rng.choice("[{('\"") * rng.choice((1, 3, 3000)))
            case 7:
                parts[place] = rng.choice(NAMES)
    return "".join(parts).encode("utf-8", "replace")


def mutate_data(rng: random.Random, tree: Any) -> Any:
    """A JSON-like tree with something in it replaced, dropped or nested."""
    if isinstance(tree, dict) and tree and rng.random() < 0.85:
        key = rng.choice(list(tree))
        changed = dict(tree)
        if rng.random() < 0.12:
            del changed[key]
        elif rng.random() < 0.08:
            changed[rng.choice(NAMES)] = changed.pop(key)
        else:
            changed[key] = mutate_data(rng, tree[key])
        return changed
    if isinstance(tree, list) and tree and rng.random() < 0.85:
        place = rng.randrange(len(tree))
        changed_list = list(tree)
        match rng.randrange(4):
            case 0:
                del changed_list[place]
            case 1:
                changed_list.insert(place, changed_list[place])
            case _:
                changed_list[place] = mutate_data(rng, tree[place])
        return changed_list
    strange: list[Any] = [
        None,
        True,
        False,
        0,
        -1,
        2**31,
        2**70,
        1e308,
        0.5,
        "",
        "O",
        [],
        {},
        [[]],
        {"": 0},
        [None],
        tree,
    ]
    return rng.choice([*strange, rng.choice(NAMES), [tree], {"kind": tree}, _deep(rng)])


def _deep(rng: random.Random) -> Any:
    found: Any = "x"
    for _ in range(rng.choice((5, 900))):
        found = [found]
    return found


def _near(parts: list[str], place: int, wanted: Any) -> int:
    """The next part from a place on whose first character is wanted, or the place."""
    return next((n for n in range(place, len(parts)) if parts[n] and wanted(parts[n][0])), place)
