"""Decoding batches in this process and in worker processes of this machine; the answers come in order."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Protocol

from lawful.cli.boundary import Failure
from lawful.cli.work.running.batches import Answers, Batch, BatchDecoder, Work

__all__ = ["Decoded", "decode_here", "in_order"]

TOKENS_HERE = 500_000  # for a smaller corpus, starting processes takes longer than they save

Decoded = tuple[Batch, Answers]


class Promise(Protocol):
    """A future of any executor."""

    def result(self) -> Answers:
        """Wait for the answers."""

    def cancel(self) -> Any:
        """Do not begin the work, if it has not begun."""


def in_order(submit: Callable[[Batch], Promise], batches: Iterable[Batch], width: int) -> Iterator[Decoded]:
    """Every batch with its answers, in order; at most `width` batches are under way, so that memory stays bounded.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from lawful.corpus import Sentence
    >>> with ThreadPoolExecutor() as pool:
    ...     decoded = in_order(lambda batch: pool.submit(Answers, [("X",)] * len(batch)), [[Sentence(("a",))]] * 3, 2)
    ...     print([answers.labels for _, answers in decoded])
    [[('X',)], [('X',)], [('X',)]]
    """
    waiting: deque[tuple[Batch, Promise]] = deque()
    try:
        for batch in batches:
            waiting.append((batch, submit(batch)))
            if len(waiting) >= width:
                first, promise = waiting.popleft()
                yield first, promise.result()
        while waiting:
            first, promise = waiting.popleft()
            yield first, promise.result()
    finally:
        for _, promise in waiting:
            promise.cancel()


def decode_here(
    batches: Iterable[Batch], decoder: BatchDecoder, work: Work, *, jobs: int
) -> Iterator[Decoded]:
    """Decode on this machine: with threads in the core, and with processes once the corpus turns out to be large."""
    batches = iter(batches)
    left = TOKENS_HERE
    for batch in batches:
        yield batch, decoder.decode(batch)
        left -= sum(map(len, batch))
        if left < 0 and jobs > 1:
            break
    following = next(batches, None)
    if following is not None:
        yield from _by_processes(chain([following], batches), work, jobs)


def _by_processes(batches: Iterable[Batch], work: Work, jobs: int) -> Iterator[Decoded]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    # spawn, not fork: threads of the core may be running
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_start, initargs=(work,))
    try:
        yield from in_order(lambda batch: pool.submit(_decode, batch), batches, 2 * jobs)
    except BrokenProcessPool:
        raise Failure(
            "a worker process died, perhaps because memory ran out; fewer --jobs need less memory"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


_decoder: list[BatchDecoder] = []  # of this worker process


def _start(work: Work) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    _decoder[:] = [BatchDecoder(work, jobs=1)]


def _decode(batch: Batch) -> Answers:
    return _decoder[0].decode(batch)
