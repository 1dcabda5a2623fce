"""Token strips: a sequence's tokens in segments, each in its label's colour."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from lawful.report.drawing.markup import Html, element, escaped, joined

__all__ = ["label_chip", "legend", "strip"]


def strip(
    tokens: Sequence[str],
    labels: Sequence[str],
    slots: Mapping[str, str],
    *,
    changed: Collection[int] = (),
    kind: str = "changed",
    gold: Sequence[str] | None = None,
    windows: Sequence[tuple[int, int]] | None = None,
) -> Html:
    r"""The tokens of a sequence, segment by segment.

    Parameters
    ----------
    tokens, labels : sequences of T str
    slots : mapping of label to slot
        See `assign_slots`.
    changed : collection of int
        Positions to highlight.
    kind : str
        The CSS class of these positions.
    gold : sequence of T str, optional
        Tokens with another label than their gold label are marked as wrong.
    windows : sequence of (start, end), optional
        The tokens to show, in order; those between them are only counted.

    Examples
    --------
    >>> strip(["<b>"], ["X"], {"X": "3"})
    '<span class="segment hue-3"><span class="name">X</span>\xa0<bdi class="token" title="X">&lt;b&gt;</bdi></span>'
    >>> strip(["a", "b", "c"], ["X"] * 3, {"X": "3"}, windows=[(0, 1)])[-37:]
    '<span class="gap">… 2 tokens …</span>'
    """
    segments: list[str] = []
    shown = 0
    for start, end in windows if windows is not None else [(0, len(tokens))]:
        segments += [_gap(start - shown)] if start > shown else []
        for label, run in groupby(range(start, end), key=labels.__getitem__):
            name, drawn = escaped(label), []
            for t in run:
                classes, title = "token", name
                if t in changed:
                    classes += f" {kind}"
                if gold is not None and gold[t] != label:
                    classes, title = f"{classes} wrong", escaped(f"{label}; gold: {gold[t]}")
                drawn.append(f'<bdi class="{classes}" title="{title}">{escaped(tokens[t])}</bdi>')
            # The name stays with the first token when the line breaks.
            inside = f'<span class="name">{name}</span>\u00a0{" ".join(drawn)}'
            segments.append(f'<span class="segment hue-{slots[label]}">{inside}</span>')
        shown = end
    segments += [_gap(len(tokens) - shown)] if len(tokens) > shown else []
    return Html(" ".join(segments))


def _gap(count: int) -> Html:
    return element("span", f"… {count:,} token{'' if count == 1 else 's'} …", class_="gap")


def label_chip(label: str, slots: Mapping[str, str]) -> Html:
    """A label's name in its colour.

    Examples
    --------
    >>> label_chip("X", {"X": "3"})
    '<span class="label hue-3">X</span>'
    """
    return element("span", label, class_=f"label hue-{slots[label]}")


def legend(slots: Mapping[str, str]) -> Html:
    """The labels in their colours.

    Examples
    --------
    >>> legend({"X": "3"})
    '<ul class="legend"><li class="swatch hue-3">X</li></ul>'
    """
    rows = [element("li", label, class_=f"swatch hue-{slot}") for label, slot in slots.items()]
    return element("ul", joined(rows), class_="legend")
