"""Figures 3 to 5."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from experiments.citations.page import Book
from experiments.citations.plan import CURVE, Plan, by_gamma
from lawful.support.extras import require

__all__ = ["FIGURES", "draw_figures"]

FIGURES = ("figure-3", "figure-4", "figure-5")


def draw_figures(book: Book, plan: Plan, folder: Path) -> list[str]:
    """Write the figures as SVG and PNG; their names."""
    plot = require("figures", "matplotlib.pyplot", "plots")
    plot.rcParams["svg.hashsalt"] = "lawful"  # the same figure, the same bytes
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in zip(FIGURES, (_supervision, _rounds, _gammas), strict=True):
        figure, axes = plot.subplots(figsize=(6.4, 4.0), layout="constrained")
        draw(book, plan, axes)
        axes.grid(alpha=0.3)
        axes.legend()
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
        figure.savefig(folder / f"{name}.png", dpi=120, metadata={"Software": None})
        plot.close(figure)
    return list(FIGURES)


def _supervision(book: Book, plan: Plan, axes: Any) -> None:
    for name, mark in (("HMM", "s"), ("HMM-CCM", "^"), ("semi-HMM-CCM", "o")):
        axes.plot(CURVE, [book.mean(plan.runs(name, (size,))) for size in CURVE], marker=mark, label=name)
    axes.set_xscale("log")
    axes.set_xticks(CURVE, [str(size) for size in CURVE])
    axes.minorticks_off()
    axes.set(xlabel="labelled references", ylabel="test accuracy, %", title="Rules as supervision (Fig. 3)")


def _rounds(book: Book, plan: Plan, axes: Any) -> None:
    for name, runs in plan.rounds().items():
        values = book.rounds(runs)
        axes.plot(range(len(values)), values, marker="o", label=name)
    axes.set(xlabel="round", ylabel="test accuracy, %", title="5 labelled references (Fig. 4)")


def _gammas(book: Book, plan: Plan, axes: Any) -> None:
    for size in (5, 300):
        grid = by_gamma(size)
        axes.plot(
            list(grid),
            [book.mean(runs, "dev") for runs in grid.values()],
            marker="o",
            label=f"{size} labelled",
        )
    axes.set(xlabel="gamma", ylabel="dev accuracy, %", title="The weight of the supervised model (Fig. 5)")
