"""Coherent labels without VerbNet: patterns over the descriptions of roles in frame files (Loper 2008, Table 3.8)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lawful.corpus import Frames

__all__ = ["PATTERNS", "describe_roles", "role_by_description"]

PATTERNS: Mapping[str, tuple[str, ...]] = {
    "destination": ("end", "new state", "result", "group", "dest", "destination", "to", "given to", "buyer"),
    "source": (
        "substance",
        "start",
        "begin",
        "source",
        "from",
        "giver",
        "had it before",
        "taken from",
        "medium",
        "seller",
    ),
    "amount": ("amount", "money", "price", "count", "value"),
    "attribute": ("attribute", "attributive"),
    "instrument": ("instrument",),
    "extent": ("ext", "extent"),
    "beneficiary": ("benefactive", "beneficiary"),
    "location": ("location",),
}
"""The patterns of each label. Table 3.8 leaves out those of location, which Table 3.9 counts."""

_MAPPED = frozenset("2345")
_PARENTHESIS = re.compile(r"\([^()]*\)")
_WORDS = {
    label: re.compile(
        "|".join(rf"\b{re.escape(pattern)}" + (r"\b" if len(pattern) < 4 else "") for pattern in patterns)
    )
    for label, patterns in PATTERNS.items()
}


def role_by_description(description: str) -> str | None:
    """The label whose patterns match a description, ignoring case and what is in parentheses; None if there is none.

    A pattern matches whole words, or their beginnings if it has four letters or more. If patterns of several labels match, the first match in the text decides,
    and of those at one place the longest.

    Examples
    --------
    >>> role_by_description("start point (optional)"), role_by_description("End state"), role_by_description("hands")
    ('source', 'destination', None)
    """
    text = _PARENTHESIS.sub(" ", description.lower())
    matches = [
        (match.start(), -len(match[0]), label)
        for label, words in _WORDS.items()
        if (match := words.search(text))
    ]
    return min(matches)[2] if matches else None


def describe_roles(frames: Frames) -> Mapping[tuple[str, str], str]:
    """The label of each role A2 to A5 whose description matches a pattern, by sense and number.

    Two roles of one sense never get the same label: the second keeps its number.

    Examples
    --------
    >>> from lawful.corpus import FrameRole, Roleset
    >>> roles = (FrameRole("2", "", "start point", ()), FrameRole("3", "", "source, giver", ()), FrameRole("4", "", "end point", ()))
    >>> describe_roles(Frames((Roleset("go.01", "", "go", (("go", "v"),), roles, ()),)))
    {('go.01', 'A2'): 'source', ('go.01', 'A4'): 'destination'}
    """
    found: dict[tuple[str, str], str] = {}
    for sense in frames.rolesets:
        taken: set[str] = set()
        for role in sense.roles:
            label = role_by_description(role.description) if role.number in _MAPPED else None
            if label is not None and label not in taken:
                taken.add(label)
                found.setdefault((sense.id, f"A{role.number}"), label)
    return found
