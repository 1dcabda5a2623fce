"""The history of the searches, as a figure."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any

from experiments.encodings.plan import HMMS, SEARCHES, TASKS, crf_search, hmm_searches
from lawful.support.extras import require

__all__ = ["best_so_far", "draw_history"]


def best_so_far(history: list[list[Any]]) -> list[float]:
    """The best held-out score after each trial.

    Examples
    --------
    >>> best_so_far([[1.0, 3, None], [None, 4, "unroll loop"], [2.0, 4, "new tag"]])
    [1.0, 1.0, 2.0]
    """
    return list(accumulate((score or 0.0 for score, *_ in history), max))


def draw_history(find: Callable[[Any], dict[str, Any] | None], path: Path, times: float) -> None:
    """How much better than the encoding a search started from the best one is, trial by trial, on held-out data."""
    plot = require("the history of searches", "matplotlib.pyplot", "plots")
    plot.rcParams["svg.hashsalt"] = "lawful"  # the same figure, the same bytes
    figure, axes = plot.subplots(figsize=(6.4, 4.0), layout="constrained")
    named: dict[str, Any] = {
        f"{task}, CRF, from {begin}": crf_search(task, begin, times)
        for task in TASKS
        for begin in SEARCHES[task]["starts"]
    }
    named |= {
        f"np, HMM: {name}, from {begin}": search
        for name in HMMS
        for begin, search in hmm_searches(name, find, times).items()
    }
    for name, settings in named.items():
        found = find(settings) if settings else None
        if found is not None:
            best = best_so_far(found["history"])
            axes.plot(range(len(best)), [score - best[0] for score in best], label=name)
    axes.set(xlabel="trial", ylabel="gain on held-out data, points", title="Searches for better encodings")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})
    plot.close(figure)
