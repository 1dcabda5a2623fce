"""Threads for work off the event loop, in lanes, so that short work does not wait for long work."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from lawful.playground.replies import Refusal

__all__ = ["Lane"]

Result = TypeVar("Result")


class Lane:
    """A few threads with a bounded queue.

    A thread cannot be stopped. A request that takes too long gets an error, but its thread runs on until the limits of
    its searches end it, and counts as busy until then.

    Examples
    --------
    >>> asyncio.run(Lane("doctest", threads=1, waiting=2, seconds=5.0).run(lambda: 1 + 1))
    2
    """

    def __init__(self, name: str, *, threads: int, waiting: int, seconds: float) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"lawful-{name}")
        self._most, self._seconds = threads + waiting, seconds
        self._count, self._lock = 0, threading.Lock()

    async def run(self, work: Callable[[], Result]) -> Result:
        """The result of the work; refused if too many requests wait already, or if it takes too long."""
        with self._lock:
            if self._count >= self._most:
                raise Refusal(503, "busy", "too many requests at once; try again in a moment")
            self._count += 1
        future = self._pool.submit(work)
        future.add_done_callback(self._done)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._seconds)
        except TimeoutError:
            raise Refusal(504, "timeout", f"no answer within {self._seconds:g} seconds") from None

    def close(self) -> None:
        """Take no more work."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _done(self, _: object) -> None:
        with self._lock:
            self._count -= 1
