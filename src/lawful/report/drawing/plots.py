"""Plots for phones and desktops: scores before and after, and how much score was given up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from lawful.report.drawing.markup import Html, element, joined

__all__ = ["MOST_ROWS", "loss_histogram", "score_plot"]

WIDTH = 380
MOST_ROWS = 40
BINS = 20


def score_plot(scores: Mapping[str, tuple[float, float]]) -> Html:
    """A table with one row per label: a line from the score before (a ring) to the score after (a dot), and the figures.

    Scores are from 0 to 1. Of more than 40 labels, those that changed most are shown.

    Examples
    --------
    >>> drawn = score_plot({"author": (0.5, 0.75)})
    >>> "author: 50.0 before, 75.0 after" in drawn, 'class="gain"' in drawn, "+25.0" in drawn
    (True, True, True)
    """
    most = sorted(scores, key=lambda name: -abs(scores[name][1] - scores[name][0]))[:MOST_ROWS]
    rows = [_score_row(name, *scores[name]) for name in scores if name in set(most)]
    heads = ["label", element("span", "before and after", class_="unseen"), "F1", "change"]
    head = element("thead", element("tr", *(element("th", head, scope="col") for head in heads)))
    ticks = [element("span", tick, style=f"left:{tick}%") for tick in (0, 25, 50, 75, 100)]
    axis = element(
        "tr",
        element("td"),
        element("td", element("span", *ticks, class_="axis"), class_="line"),
        element("td"),
        element("td"),
    )
    return element(
        "table",
        head,
        element("tbody", *rows),
        element("tfoot", axis, aria_hidden="true"),
        class_="plot scores",
    )


def _score_row(name: str, before: float, after: float) -> Html:
    old, new = 100 * before, 100 * after
    kind = "gain" if new > old else "harm" if new < old else "same"
    marks = [
        element("span", class_=kind, style=f"left:{min(old, new):.1f}%;width:{abs(new - old):.1f}%"),
        element("span", class_="old", style=f"left:{old:.1f}%"),
        element("span", class_="new", style=f"left:{new:.1f}%"),
    ]
    change = f"{new - old:+.1f}".replace("-", "−") if round(new - old, 1) else "0.0"
    return element(
        "tr",
        element("th", name, scope="row"),
        element("td", element("span", *marks, class_="track", aria_hidden="true"), class_="line"),
        element("td", f"{new:.1f}"),
        element("td", change, class_="change"),
        title=f"{name}: {old:.1f} before, {new:.1f} after",
    )


def loss_histogram(losses: Sequence[float]) -> Html:
    """How many sequences gave up how much score.

    Examples
    --------
    >>> loss_histogram([0.1, 0.15, 3.0]).count('class="bar"')
    2
    """
    top = _round_up(max(losses, default=1.0) or 1.0)
    counts, edges = np.histogram(losses, bins=BINS, range=(0.0, top))
    left, right, height = 36, WIDTH - 14, 140
    most = max(int(counts.max()), 1)
    wide = (right - left) / BINS
    body = [
        element("line", class_="grid", x1=left, x2=right, y1=height + 8, y2=height + 8),
        element("text", f"{most:,}", class_="soft", x=left - 8, y=14, text_anchor="end"),
        element("text", 0, class_="soft", x=left - 8, y=height + 10, text_anchor="end"),
    ]
    for index, count in enumerate(counts.tolist()):
        if count:
            tall = max(2.0, height * count / most)
            title = element("title", f"{count:,} gave up {edges[index]:g} to {edges[index + 1]:g}")
            body.append(
                element(
                    "rect", title, class_="bar", x=round(left + index * wide + 1, 1), y=round(height + 8 - tall, 1),
                    width=round(wide - 2, 1), height=round(tall, 1), rx=2,
                )
            )  # fmt: skip
    for tick in range(5):
        x = left + (right - left) * tick / 4
        body.append(
            element("text", f"{top * tick / 4:g}", class_="soft", x=x, y=height + 26, text_anchor="middle")
        )
    middle, largest = float(np.median(losses)) if len(losses) else 0.0, max(losses, default=0.0)
    summary = f"histogram of the score given up in {len(losses):,} sequences: median {middle:.2g}, most {largest:.2g}"
    size = f"0 0 {WIDTH} {height + 34}"
    return element("svg", joined(body), class_="plot", viewBox=size, role="img", aria_label=summary)


def _round_up(value: float) -> float:
    """The next round number: 1, 2 or 4 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 4, 8, 10) if step * power >= value * (1 - 1e-9))
