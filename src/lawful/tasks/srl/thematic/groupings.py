"""Groups of thematic roles into which ARG1 and ARG2 are divided (Loper 2008, Figures 3.1 and 3.2)."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["ARG1_GROUPS", "ARG2_GROUPS", "group_of"]

ARG1_GROUPS: Mapping[str, tuple[str, ...]] = {
    "group1": ("theme", "theme1", "theme2", "predicate", "stimulus", "attribute"),
    "group2": ("source", "location", "destination", "recipient", "beneficiary", "material"),
    "group3": ("patient", "product", "patient1", "patient2"),
    "group4": ("agent", "actor2", "experiencer", "cause"),
    "group5": ("topic",),
    "group6": ("asset",),
}
ARG2_GROUPS: Mapping[str, tuple[str, ...]] = {
    "group1": ("recipient", "destination", "location", "source", "material", "beneficiary"),
    "group2": ("extent", "asset"),
    "group3": ("predicate", "attribute", "theme", "theme1", "theme2", "topic"),
    "group4": ("patient2", "product"),
    "group5": ("instrument", "cause", "experiencer", "actor2"),
}


def group_of(role: str, groups: Mapping[str, tuple[str, ...]]) -> str | None:
    """The group of a thematic role; None if it is in none.

    Examples
    --------
    >>> group_of("topic", ARG1_GROUPS), group_of("topic", ARG2_GROUPS), group_of("agent", ARG2_GROUPS)
    ('group5', 'group3', None)
    """
    return next((name for name, roles in groups.items() if role in roles), None)
