"""Names that every reader of LP files accepts."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["plain_names"]

LONGEST = 60  # the names that are made of them must stay below 255 characters


def plain_names(names: Iterable[str]) -> list[str]:
    """The names with nothing but letters, digits and underscores in them, each different from the others.

    Examples
    --------
    >>> plain_names(["B-PER", "B.PER", "at_most(1, 'A')", "$"])
    ['B_PER', 'B_PER_2', 'at_most_1_A', 'unnamed']
    """
    taken: set[str] = set()
    found = []
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")[:LONGEST] or "unnamed"
        free, number = plain, 1
        while free.lower() in taken:
            number += 1
            free = f"{plain}_{number}"
        taken.add(free.lower())
        found.append(free)
    return found
