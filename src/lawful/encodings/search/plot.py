"""The history of a search as a picture."""

from __future__ import annotations

import os
from importlib import import_module
from itertools import accumulate

from lawful.encodings.search.climbing import SearchResult
from lawful.errors import InputError
from lawful.support.extras import require

__all__ = ["plot_history", "require_plots"]


def require_plots() -> None:
    """Raise `MissingExtraError` if there is no matplotlib: better before a search than after it."""
    require("drawing the history of a search", "matplotlib", "plots")


def plot_history(result: SearchResult, path: str | os.PathLike[str]) -> None:
    """Draw the scores of all candidates of a search, and the best one so far, into a file: SVG, PNG or PDF.

    Needs matplotlib: the extra `plots`.
    """
    require_plots()
    figures = import_module("matplotlib.figure")
    tried = [
        (candidate.number, candidate.score) for candidate in result.history if candidate.score is not None
    ]
    numbers, scores = zip(*tried, strict=True)
    figure = figures.Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(numbers, scores, ".", color="#94a3b8", label="candidates")
    axes.step(numbers, list(accumulate(scores, max)), where="post", color="#0f766e", label="best so far")
    line = result.ancestors()
    axes.plot(
        [step.number for step in line],
        [step.score for step in line],
        "o",
        color="#c2410c",
        label="the way to the best",
    )
    axes.set_xlabel("trial")
    axes.set_ylabel("score on held-out data")
    axes.legend(loc="lower right")
    try:
        figure.savefig(os.fspath(path))
    except ValueError as error:  # a format that matplotlib does not know
        raise InputError(f"{path}: {error}") from error
