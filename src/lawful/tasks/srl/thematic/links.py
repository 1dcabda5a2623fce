"""Numbered roles as VerbNet's thematic roles, by the links of PropBank's frame files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from lawful.corpus import Frames

__all__ = ["link_roles", "thematic_name"]

# VerbNet renamed its roles since Loper (2008): the new names, as today's frame files spell them, and the old ones.
_OLD_NAMES = {
    "co-agent": "actor2",
    "co-patient": "patient2",
    "co-theme": "theme2",
    "initial-location": "source",
    "initial-state": "source",
    "trajectory": "location",
    "goal": "destination",
    "result": "product",
    "pivot": "theme",
    "value": "asset",
    "causer": "cause",
    "actor": "agent",
}
_SPELLINGS = {
    "cotheme": "co-theme",
    "co-patiet": "co-patient",
    "intial-location": "initial-location",
    "intial-state": "initial-state",
    "ptient": "patient",
    "theme000": "theme",
    "experiencer??": "experiencer",
}
_NO_ROLES = frozenset(("", "nm", "expired"))  # the frame files' words for a link that there is not


def thematic_name(name: str) -> str | None:
    """The thematic role that a link names, as Loper (2008) called it; None if it names none.

    Examples
    --------
    >>> thematic_name("Co_Patient"), thematic_name("Agent"), thematic_name("expired")
    ('patient2', 'agent', None)
    """
    plain = name.strip().lower().replace("_", "-").replace(" ", "-")
    plain = _SPELLINGS.get(plain, plain)
    return None if plain in _NO_ROLES else _OLD_NAMES.get(plain, plain)


def link_roles(frames: Frames, *, resource: str = "VerbNet") -> Mapping[tuple[str, str], str]:
    """The thematic role of each numbered role, by sense and number: `("sell.01", "A0")`.

    Of several links the most frequent role counts, and of those that are equally frequent the first. A role without a link has none.

    Examples
    --------
    >>> from lawful.corpus import FrameRole, Roleset
    >>> role = FrameRole("0", "PAG", "seller", (("VerbNet", "give-13.1", "agent"), ("FrameNet", "Commerce", "seller")))
    >>> link_roles(Frames((Roleset("sell.01", "", "sell", (("sell", "v"),), (role,), ()),)))
    {('sell.01', 'A0'): 'agent'}
    """
    found: dict[tuple[str, str], str] = {}
    for sense in frames.rolesets:
        for role in sense.roles:
            names = [thematic_name(name) for source, _, name in role.links if source == resource]
            counted = Counter(name for name in names if name is not None)
            if counted and role.number.isdigit():
                found.setdefault((sense.id, f"A{role.number}"), counted.most_common(1)[0][0])
    return found
