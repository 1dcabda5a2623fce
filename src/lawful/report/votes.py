"""A vote in a report: what each tagger wanted, who won, and at what price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lawful.report.drawing.markup import Html, element
from lawful.report.drawing.strips import strip
from lawful.voting import VoteExplanation

__all__ = ["vote_block"]


def vote_block(
    vote: VoteExplanation,
    tokens: Sequence[str],
    slots: Mapping[str, str],
    windows: Sequence[tuple[int, int]] | None = None,
) -> Html:
    """What each tagger wanted, with what differs from the winner marked; folded unless something was disputed.

    Examples
    --------
    >>> import lawful
    >>> lattices = [lawful.Lattice([scores], labels=["A", "B"]) for scores in ([2.0, 0.0], [0.0, 1.0])]
    >>> told = lawful.voting.explain_vote(lawful.voting.vote_on(lattices, names=["first", "second"]))
    >>> block = vote_block(told, ["x"], {"A": "1", "B": "2"})
    >>> "first won the vote" in block, "its wish would have cost the vote 0.50" in block
    (True, True)
    """
    winner = vote.vote.labels
    rows: list[str] = []
    for opinion in vote.opinions:
        told = element("p", vote.in_words(opinion), class_="note")
        differs = {t for t, label in enumerate(opinion.labels) if label != winner[t]}
        drawn = (
            strip(tokens, opinion.labels, slots, changed=differs, kind="was", windows=windows)
            if opinion.labels
            else Html("")
        )
        rows += [
            element("div", opinion.name, class_="side"),
            element("div", element("div", drawn, class_="strip"), told),
        ]
    summary = element("summary", vote.headline)
    return element("details", summary, element("div", *rows, class_="pair votes"), open=bool(vote.disputed))
