"""How many threads to use."""

from __future__ import annotations

import os

from lawful.errors import InputError
from lawful.support.numbers import as_whole

__all__ = ["thread_count"]

MOST_THREADS = 4096


def thread_count(jobs: int | None) -> int:
    """The number of threads that `jobs` asks for: all cores that this process may use if it is None.

    Examples
    --------
    >>> thread_count(2), thread_count(None) >= 1
    (2, True)
    >>> thread_count(0)
    Traceback (most recent call last):
    lawful.errors.InputError: jobs must be a whole number of 1 or more, or None for all cores; got 0
    """
    if jobs is None:
        allowed = getattr(os, "sched_getaffinity", None)  # macOS and Windows have none
        return len(allowed(0)) if allowed is not None else os.cpu_count() or 1
    threads = as_whole(jobs)
    if threads is None or not 1 <= threads <= MOST_THREADS:
        at_most = f" (at most {MOST_THREADS})" if threads is not None and threads > 1 else ""
        raise InputError(
            f"jobs must be a whole number of 1 or more{at_most}, or None for all cores; got {jobs!r:.80}"
        )
    return threads
