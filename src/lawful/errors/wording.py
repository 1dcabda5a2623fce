"""How messages say things."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["listing", "nearest", "ordinal", "suggestion"]


def listing(names: Iterable[str], most: int = 12) -> str:
    """The first names, quoted, and how many more there are.

    Examples
    --------
    >>> listing(["A", "B", "C"], most=2)
    "'A', 'B' and 1 more"
    """
    held = list(names)
    shown = ", ".join(repr(name) for name in held[:most])
    return shown + (f" and {len(held) - most} more" if len(held) > most else "")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like this one, if any is.

    Examples
    --------
    >>> nearest("at_most_segment", ["at_most", "at_most_segments"])
    'at_most_segments'
    """
    from difflib import get_close_matches  # only where something went wrong: importing lawful stays fast

    close = get_close_matches(str(name), list(known), n=1)
    return close[0] if close else None


def suggestion(name: str, known: Iterable[str], plural: str) -> str:
    """What was perhaps meant by a name that is none of those that are known; or else, which those are.

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
    """A place, counted from 1.

    Examples
    --------
    >>> ordinal(1), ordinal(12), ordinal(22)
    ('1st', '12th', '22nd')
    """
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"
