"""Which roles a verb can have: those seen in labelled propositions, or those of its frame files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from lawful.corpus import Frames
from lawful.tasks.srl.units import CORE_ROLES

__all__ = ["allowed_in_frames", "allowed_in_training", "disallowed_roles"]


def allowed_in_training(
    propositions: Iterable[tuple[str, Iterable[str]]], *, min_count: int = 1
) -> dict[str, frozenset[str]]:
    """The roles with which each verb was seen.

    Parameters
    ----------
    propositions : iterable of (lemma, labels)
    min_count : int
        Leave out verbs that were seen in fewer propositions.

    Examples
    --------
    >>> allowed_in_training([("say", ["A0", "O", "A1"]), ("say", ["A1"]), ("go", ["A1"])], min_count=2)["say"] == {"A0", "A1"}
    True
    """
    roles: dict[str, set[str]] = {}
    times: dict[str, int] = {}
    for lemma, labels in propositions:
        roles.setdefault(lemma, set()).update(label for label in labels if label in CORE_ROLES)
        times[lemma] = times.get(lemma, 0) + 1
    return {lemma: frozenset(seen) for lemma, seen in roles.items() if times[lemma] >= min_count}


def allowed_in_frames(frames: Frames) -> Mapping[str, frozenset[str]]:
    """The roles of each verb in any of its senses, by PropBank's frame files.

    Examples
    --------
    >>> from lawful.corpus import FrameRole, Roleset
    >>> go = Roleset("go.01", "", "go", (("go", "v"),), (FrameRole("1", "PPT", "goer", ()),), ())
    >>> allowed_in_frames(Frames((go,)))
    {'go': frozenset({'A1'})}
    """
    return {
        verb: frozenset(
            f"A{number}"
            for sense in frames.senses(verb)
            for number in sense.numbers()
            if f"A{number}" in CORE_ROLES
        )
        for verb in frames.verbs()
    }


def disallowed_roles(lemma: str, allowed: Mapping[str, Collection[str]]) -> list[str]:
    """The core roles that a verb cannot have; none for a verb of which nothing is known.

    Examples
    --------
    >>> disallowed_roles("go", {"go": {"A1", "A4"}}), disallowed_roles("fly", {})
    (['A0', 'A2', 'A3', 'A5'], [])
    """
    roles = allowed.get(lemma)
    return [] if not roles else [role for role in CORE_ROLES if role not in roles]
