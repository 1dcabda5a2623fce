"""What the rules for seminar announcements want to know of an announcement: what is mentioned again."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence

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
    for at in range(len(words) - 1):
        one, two = words[at], words[at + 1]
        if one[:1].isupper() and two[:1].isupper() and len(two) > 1:
            names[one.lower(), two.lower()].append(at + 1)
        if two == ":" and at + 2 < len(words) and _HOUR.fullmatch(one) and _MINUTES.fullmatch(words[at + 2]):
            times[one, words[at + 2]].append(at)
    return {"times": _repeated(times.values()), "names": _repeated(names.values())}


def _repeated(groups: Iterable[list[int]]) -> list[list[int]]:
    """Groups of at least two; a position is in the first group that has it."""
    taken: set[int] = set()
    found = []
    for group in groups:
        free = [at for at in group if at not in taken]
        if len(free) > 1:
            found.append(free)
            taken.update(free)
    return found
