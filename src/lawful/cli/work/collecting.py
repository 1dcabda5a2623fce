"""Python's garbage collector kept out of the way while many objects without cycles come and go."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["collecting_seldom"]

THRESHOLDS = (200_000, 20, 100)


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Look for cycles seldom, and never among what is there already.

    By default Python looks at every living object again and again while sentences are made, which takes a third of the
    time of reading them.

    Examples
    --------
    >>> with collecting_seldom():
    ...     gc.get_threshold()[0]
    200000
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
