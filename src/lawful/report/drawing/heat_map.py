"""The label probabilities of a sequence as a heat map, with the two answers drawn over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from lawful.report.drawing.markup import Html, element, escaped

__all__ = ["MOST_TOKENS", "heat_map"]

CELL, HEIGHT = 26, 20  # pixels; report.css uses the same sizes
LEAST = 0.02  # lower probabilities are not drawn
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

    Labels that are never likely and in neither answer are left out, and so are tokens beyond the first 120.

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
    body = [_lane(row, labels[k], left, length) for row, k in enumerate(rows)]
    words, of_labels = list(map(escaped, tokens[:length])), shown.T.tolist()
    for row, k in enumerate(rows):
        label, y = escaped(labels[k]), row * HEIGHT + 1
        body.append(f'<g class="cells hue-{escaped(slots[labels[k]])}">')
        for t, share in enumerate(of_labels[k]):
            if share >= LEAST:
                x, opacity = left + t * CELL, 0.08 + 0.92 * share
                title = f"<title>{words[t]}: {label} {100 * share:.0f} %</title>"
                body.append(f'<rect x="{x}" y="{y}" opacity="{opacity:.2f}">{title}</rect>')
        body.append("</g>")
    row_of = {labels[k]: row for row, k in enumerate(rows)}
    for kind, answer in (("before", before), ("after", after)):
        for t in range(length):
            if kind == "after" or before[t] != after[t]:
                x, y = left + t * CELL + 1, row_of[answer[t]] * HEIGHT + 2
                body.append(f'<rect class="{kind}" x="{x}" y="{y}"/>')
    bottom = len(rows) * HEIGHT
    for t in range(length):
        x, y = left + t * CELL + CELL // 2, bottom + 12
        opening = f'<text x="{x}" y="{y}" text-anchor="end" transform="rotate(-50 {x} {y})">'
        body.append(f"{opening}{escaped(_short(tokens[t]))}</text>")
    width, height = left + length * CELL + 8, bottom + 84
    return element(
        "svg", Html("".join(body)), class_="heat", role="img", width=width, height=height, viewBox=f"0 0 {width} {height}",
        aria_label=f"probabilities of {len(rows)} labels at {length} tokens",
    )  # fmt: skip


def _rows(labels: Sequence[str], probabilities: npt.NDArray[np.float64], answered: set[str]) -> list[int]:
    """The labels that get a row: those of an answer, then the most likely ones."""
    peak = probabilities.max(axis=0).tolist()
    drawn = [k for k in range(len(labels)) if labels[k] in answered or peak[k] >= 0.05]
    drawn.sort(key=lambda k: (labels[k] not in answered, -peak[k]))
    return sorted(drawn[: max(MOST_LABELS, len(answered))])


def _lane(row: int, label: str, left: int, length: int) -> str:
    y = row * HEIGHT
    lane = f'<rect class="lane" x="{left}" y="{y + 1}" width="{length * CELL - 1}"/>'
    return f'{lane}<text x="{left - 8}" y="{y + 14}" text-anchor="end">{escaped(_short(label))}</text>'


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
