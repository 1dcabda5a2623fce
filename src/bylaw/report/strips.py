"""Token strips: a sequence's tokens in segments, each in its label's colour."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from bylaw.report.markup import Html, element, joined

__all__ = ["legend", "strip"]


def strip(
    tokens: Sequence[str],
    labels: Sequence[str],
    slots: Mapping[str, str],
    *,
    changed: Collection[int] = (),
    kind: str = "changed",
    gold: Sequence[str] | None = None,
) -> Html:
    """The tokens of a sequence, segment by segment.

    Parameters
    ----------
    tokens, labels : sequences of T str
    slots : mapping of label to slot
        See `assign_slots`.
    changed : collection of int
        Positions that stand out.
    kind : str
        The class of those.
    gold : sequence of T str, optional
        Tokens with another label than this one are marked as wrong.

    Examples
    --------
    >>> strip(["<b>"], ["X"], {"X": "3"})
    '<span class="segment hue-3"><span class="name">X</span> <bdi class="token" title="X">&lt;b&gt;</bdi></span>'
    """
    segments = []
    for label, run in groupby(range(len(tokens)), key=lambda t: labels[t]):
        inside: list[str] = [element("span", label, class_="name")]
        for t in run:
            wrong = gold is not None and gold[t] != label
            classes = ["token", *([kind] if t in changed else []), *(["wrong"] if wrong else [])]
            told = f"{label}; gold: {gold[t]}" if gold is not None and wrong else label
            inside += [" ", element("bdi", tokens[t], class_=" ".join(classes), title=told)]
        segments.append(element("span", *inside, class_=f"segment hue-{slots[label]}"))
    return Html(" ".join(segments))


def legend(slots: Mapping[str, str]) -> Html:
    """The labels in their colours.

    Examples
    --------
    >>> legend({"X": "3"})
    '<ul class="legend"><li class="swatch hue-3">X</li></ul>'
    """
    rows = [element("li", label, class_=f"swatch hue-{slot}") for label, slot in slots.items()]
    return element("ul", joined(rows), class_="legend")
