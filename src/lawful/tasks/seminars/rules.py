"""The context that the rules for seminar announcements need: which times and names are repeated."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise

__all__ = ["seminar_context"]

_HOUR, _MINUTES = re.compile(r"[0-9]{1,2}"), re.compile(r"[0-9]{2}")


def seminar_context(words: Sequence[str]) -> dict[str, list[list[int]]]:
    """The groups for the rules SameTime and SameName of `load_rules("seminars")`.

    Parameters
    ----------
    words : sequence of T str

    Returns
    -------
    dict
        "times": positions of the hours of the same time, such as 3 : 30. "names": positions of the second of two
        capitalised words that are repeated: whatever begins there or before, it is inside the same field.

    Examples
    --------
    >>> words = "Dr . Ann Lee , 3 : 30 . Ann Lee starts at 3 : 30 pm".split()
    >>> seminar_context(words)
    {'times': [[5, 13]], 'names': [[3, 10]]}
    """
    times: dict[Hashable, list[int]] = defaultdict(list)
    names: dict[Hashable, list[int]] = defaultdict(list)
    for t, (word, following) in enumerate(pairwise(words)):
        if word[:1].isupper() and following[:1].isupper() and len(following) > 1:
            names[word.lower(), following.lower()].append(t + 1)
        after = words[t + 2] if t + 2 < len(words) else ""
        if following == ":" and _HOUR.fullmatch(word) and _MINUTES.fullmatch(after):
            times[word, after].append(t)
    return {"times": _repeated(times.values()), "names": _repeated(names.values())}


def _repeated(groups: Iterable[list[int]]) -> list[list[int]]:
    """The groups of at least two positions; each position stays in the first group that has it."""
    taken: set[int] = set()
    disjoint = []
    for group in groups:
        free = [t for t in group if t not in taken]
        if len(free) > 1:
            disjoint.append(free)
            taken.update(free)
    return disjoint
