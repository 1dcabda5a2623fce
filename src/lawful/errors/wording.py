"""Wording that error messages share."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["listing", "nearest", "ordinal", "suggestion"]


def listing(names: Iterable[str], most: int = 12) -> str:
    """The first names, quoted, and the number of the others.

    Examples
    --------
    >>> listing(["A", "B", "C"], most=2)
    "'A', 'B' and 1 more"
    """
    quoted = [repr(name) for name in names]
    return ", ".join(quoted[:most]) + (f" and {len(quoted) - most} more" if len(quoted) > most else "")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that somebody mistyped or cut short, or None if there is none. Case makes no difference.

    A hint that is wrong is worse than the list of names that stands in its place: the first letter must be right (a tag such as
    I-PER is no misspelt B-PER), and only one of three or four letters may be wrong.

    Examples
    --------
    >>> nearest("at_most_segment", ["at_most", "at_most_segments"]), nearest("city", ["City", "State"])
    ('at_most_segments', 'City')
    >>> nearest("titel", ["title", "date"]), nearest("Street", ["Surname", "StreetName"])
    ('title', 'StreetName')
    >>> nearest("B-PER", ["I-PER", "O"]) is nearest("person", ["PRON"]) is nearest("place", ["pages"]) is None
    True
    """
    wanted = str(name).casefold()
    spelled = {each.casefold(): each for each in known}
    if wanted in spelled:
        return spelled[wanted]
    mistakes: dict[str, int] = {}
    for other in spelled:
        size = max(len(wanted), len(other))
        allowed = max(size // 4, size >= 3)
        if other[:1] == wanted[:1] and abs(len(wanted) - len(other)) <= allowed:
            count = _mistakes(wanted, other)
            if count <= allowed:
                mistakes[other] = count
    longer = [
        other for other in spelled if other.startswith(wanted) and len(wanted) >= max(4, len(other) // 2)
    ]
    best = min(mistakes, key=mistakes.__getitem__, default=None) or min(longer, key=len, default=None)
    return None if best is None else spelled[best]


def _mistakes(a: str, b: str) -> int:
    """How many letters were left out, added, mistaken or swapped with the next one."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a):
        earlier, before, row = before, row, [i + 1]
        for j, other in enumerate(b):
            row.append(min(before[j] + (letter != other), before[j + 1] + 1, row[j] + 1))
            if i and j and letter == b[j - 1] and other == a[i - 1]:
                row[-1] = min(row[-1], earlier[j - 1] + 1)
    return row[-1]


def suggestion(name: str, known: Iterable[str], plural: str) -> str:
    """A hint for an unknown name: the most similar known name, or else the known names.

    Examples
    --------
    >>> suggestion("conll2001", ["ads", "conll2000"], "tasks")
    "did you mean 'conll2000'?"
    >>> suggestion("x", ["ads"], "tasks"), suggestion("x", [], "tasks")
    ("the tasks are 'ads'", 'there are no tasks')
    """
    names = list(known)
    close = nearest(name, names)
    if close is not None:
        return f"did you mean {close!r}?"
    return f"the {plural} are {listing(names)}" if names else f"there are no {plural}"


def ordinal(n: int) -> str:
    """A number as an ordinal.

    Examples
    --------
    >>> ordinal(1), ordinal(12), ordinal(22)
    ('1st', '12th', '22nd')
    """
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"
