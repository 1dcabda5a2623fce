"""Plots as SVG: scores before and after, and how much score was given up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from bylaw.report.markup import Html, element

__all__ = ["loss_histogram", "score_plot"]

WIDTH, ROW = 560, 24
MOST_ROWS = 40
BINS = 20


def score_plot(scores: Mapping[str, tuple[float, float]]) -> Html:
    """A row a label: from the score before (a ring) to the score after (a dot), both from 0 to 1.

    Examples
    --------
    >>> drawn = score_plot({"author": (0.5, 0.75)})
    >>> "author: 50.0 before, 75.0 after" in drawn, 'class="gain"' in drawn
    (True, True)
    """
    names = list(scores)[:MOST_ROWS]
    left = 18 + 7 * max(min(len(name), 18) for name in names)
    right = WIDTH - 84

    def x(score: float) -> float:
        return round(left + (right - left) * score, 1)

    bottom = 8 + ROW * len(names)
    body: list[Html] = []
    for tick in (0, 25, 50, 75, 100):
        at = x(tick / 100)
        body.append(element("line", class_="grid", x1=at, x2=at, y1=4, y2=bottom))
        body.append(element("text", tick, class_="soft", x=at, y=bottom + 16, text_anchor="middle"))
    for place, name in enumerate(names):
        before, after = scores[name]
        y = 8 + ROW * place + ROW // 2
        kind = "gain" if after > before else "harm" if after < before else "same"
        change = 100 * (after - before)
        body += [
            element("text", name if len(name) <= 18 else name[:17] + "…", x=left - 10, y=y + 4, text_anchor="end"),
            element("line", class_=kind, x1=x(before), x2=x(after), y1=y, y2=y, stroke_width=3),
            element("circle", class_="old", cx=x(before), cy=y, r=4.5),
            element(
                "circle", element("title", f"{name}: {100 * before:.1f} before, {100 * after:.1f} after"),
                class_="new", cx=x(after), cy=y, r=4.5,
            ),
            element("text", f"{100 * after:.1f}", x=right + 40, y=y + 4, text_anchor="end"),
            element("text", f"{change:+.1f}" if round(change, 1) else "", class_="soft", x=WIDTH, y=y + 4, text_anchor="end"),
        ]  # fmt: skip
    return _plot(body, bottom + 24, f"F1 of {len(names)} labels before and after the rules")


def loss_histogram(losses: Sequence[float]) -> Html:
    """How many sequences gave up how much score.

    Examples
    --------
    >>> loss_histogram([0.1, 0.15, 3.0]).count('class="bar"')
    2
    """
    top = _round_up(max(losses, default=1.0) or 1.0)
    counts, edges = np.histogram(losses, bins=BINS, range=(0.0, top))
    left, right, height = 40, WIDTH - 10, 150
    most = max(int(counts.max()), 1)
    wide = (right - left) / BINS
    body = [
        element("line", class_="grid", x1=left, x2=right, y1=height + 8, y2=height + 8),
        element("text", f"{most:,}", class_="soft", x=left - 8, y=14, text_anchor="end"),
        element("text", 0, class_="soft", x=left - 8, y=height + 10, text_anchor="end"),
    ]
    for place, count in enumerate(counts.tolist()):
        if count:
            tall = max(2.0, height * count / most)
            told = element("title", f"{count:,} gave up {edges[place]:g} to {edges[place + 1]:g}")
            body.append(
                element(
                    "rect", told, class_="bar", x=round(left + place * wide + 1, 1), y=round(height + 8 - tall, 1),
                    width=round(wide - 2, 1), height=round(tall, 1), rx=2,
                )
            )  # fmt: skip
    for part in range(5):
        at = left + (right - left) * part / 4
        body.append(
            element("text", f"{top * part / 4:g}", class_="soft", x=at, y=height + 26, text_anchor="middle")
        )
    return _plot(body, height + 34, f"score given up in {len(losses):,} sequences")


def _plot(body: Sequence[Html], height: int, told: str) -> Html:
    return element("svg", *body, class_="plot", viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=told)


def _round_up(value: float) -> float:
    """The next round number: 1, 2 or 4 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 4, 8, 10) if step * power >= value * (1 - 1e-9))
