"""Timing on a noisy machine: contestants take turns, and the best turn of each counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter

__all__ = ["best_of_turns"]

FEWEST_TURNS, MOST_TURNS = 3, 300


def best_of_turns(tasks: Mapping[str, Callable[[], object]], *, seconds: float) -> dict[str, float]:
    """The shortest time of each task, in seconds, after a first turn that does not count.

    Parameters
    ----------
    tasks : mapping from names to functions
    seconds : float
        Approximate time for all turns together; there are at least three.
    """
    for task in tasks.values():
        task()
    best = dict.fromkeys(tasks, float("inf"))
    started = perf_counter()
    for turn in range(MOST_TURNS):
        if turn >= FEWEST_TURNS and perf_counter() - started > seconds:
            break
        for name, task in tasks.items():
            before = perf_counter()
            task()
            best[name] = min(best[name], perf_counter() - before)
    return best
