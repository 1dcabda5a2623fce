"""The probabilities of a sequence's labels, token by token, with the two answers drawn over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from lawful.report.drawing.markup import Html, element, joined

__all__ = ["MOST_TOKENS", "heat_map"]

CELL, HEIGHT = 26, 20  # report.css sizes the boxes to them
LEAST = 0.02  # what is less likely is not drawn
MOST_TOKENS = 120
MOST_LABELS = 40
LONGEST = 14


def heat_map(
    tokens: Sequence[str],
    labels: Sequence[str],
    probabilities: npt.NDArray[np.float64],
    slots: Mapping[str, str],
    *,
    before: Sequence[str],
    after: Sequence[str],
) -> Html:
    """Labels from top to bottom, tokens from left to right; the darker, the more likely.

    Labels that are never likely and never given are left out, and so are tokens beyond the first 120.

    Parameters
    ----------
    tokens, before, after : sequences of T str
    labels : sequence of K str
    probabilities : array (T, K)
    slots : mapping of label to slot

    Examples
    --------
    >>> drawn = heat_map(["a"], ["X", "Y"], np.array([[0.75, 0.25]]), {"X": "1", "Y": "2"}, before=["X"], after=["Y"])
    >>> drawn.count("<rect"), "X 75 %" in drawn
    (6, True)
    """
    length = min(len(tokens), MOST_TOKENS)
    shown = probabilities[:length]
    rows = _rows(labels, shown, {*before[:length], *after[:length]})
    left = 16 + 7 * max(min(len(labels[k]), LONGEST) for k in rows)
    body = [_lane(place, labels[k], left, length) for place, k in enumerate(rows)]
    for place, k in enumerate(rows):
        cells = []
        for t in np.flatnonzero(shown[:, k] >= LEAST).tolist():
            told = element("title", f"{tokens[t]}: {labels[k]} {100 * shown[t, k]:.0f} %")
            opacity = f"{0.08 + 0.92 * float(shown[t, k]):.2f}"
            cells.append(element("rect", told, x=left + t * CELL, y=place * HEIGHT + 1, opacity=opacity))
        body.append(element("g", *cells, class_=f"cells hue-{slots[labels[k]]}"))
    at = {labels[k]: place for place, k in enumerate(rows)}
    for kind, answer in (("before", before), ("after", after)):
        for t in range(length):
            if kind == "after" or before[t] != after[t]:
                box = {"x": left + t * CELL + 1, "y": at[answer[t]] * HEIGHT + 2}
                body.append(element("rect", class_=kind, **box))
    bottom = len(rows) * HEIGHT
    for t in range(length):
        x, y = left + t * CELL + CELL // 2, bottom + 12
        body.append(
            element("text", _short(tokens[t]), x=x, y=y, text_anchor="end", transform=f"rotate(-50 {x} {y})")
        )
    width, height = left + length * CELL + 8, bottom + 84
    return element(
        "svg", *body, class_="heat", role="img", width=width, height=height, viewBox=f"0 0 {width} {height}",
        aria_label=f"probabilities of {len(rows)} labels at {length} tokens",
    )  # fmt: skip


def _rows(labels: Sequence[str], probabilities: npt.NDArray[np.float64], given: set[str]) -> list[int]:
    """The labels worth a row: those of an answer, and then the likeliest."""
    peak = probabilities.max(axis=0)
    wanted = [k for k in range(len(labels)) if labels[k] in given or peak[k] >= 0.05]
    wanted.sort(key=lambda k: (labels[k] not in given, -peak[k]))
    return sorted(wanted[: max(MOST_LABELS, len(given))])


def _lane(place: int, label: str, left: int, length: int) -> Html:
    y = place * HEIGHT
    return joined(
        [
            element("rect", class_="lane", x=left, y=y + 1, width=length * CELL - 1),
            element("text", _short(label), x=left - 8, y=y + 14, text_anchor="end"),
        ]
    )


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
