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
    """The known name that somebody may have meant, or None if all of them are far off. Case makes no difference.

    Examples
    --------
    >>> nearest("at_most_segment", ["at_most", "at_most_segments"]), nearest("city", ["City", "State"])
    ('at_most_segments', 'City')
    >>> nearest("place", ["pages", "publisher"]) is None
    True
    """
    from difflib import get_close_matches  # imported only for an error: `import lawful` stays fast

    wanted = str(name).casefold()
    spelled = {each.casefold(): each for each in known}
    similar = 0.65 if len(wanted) <= 3 else 0.7  # one wrong letter of three; two of five are another word
    close = get_close_matches(wanted, spelled, n=1, cutoff=similar)
    return spelled[close[0]] if close else None


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
