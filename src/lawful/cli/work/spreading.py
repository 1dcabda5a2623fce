"""Parts of a corpus worked on here or by processes of this machine; the answers come in order."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Protocol

from lawful.cli.boundary import Failure
from lawful.cli.work.parts import Answers, PartDecoder, Work
from lawful.corpus import Sentence

__all__ = ["Done", "decode_here", "in_order"]

TOKENS_HERE = 500_000  # in a small corpus, starting processes would take longer than they save

Part = list[Sentence]
Done = tuple[Part, Answers]


class Promise(Protocol):
    """A future, of whatever executor."""

    def result(self) -> Answers:
        """What it will be."""

    def cancel(self) -> Any:
        """Not to be worked on any more."""


def in_order(submit: Callable[[Part], Promise], parts: Iterable[Part], width: int) -> Iterator[Done]:
    """Every part with its answers, in order; at most `width` parts are under way, so that memory stays bounded.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor() as pool:
    ...     found = in_order(lambda part: pool.submit(Answers, [("X",)] * len(part)), [[Sentence(("a",))]] * 3, 2)
    ...     print([answers.labels for _, answers in found])
    [[('X',)], [('X',)], [('X',)]]
    """
    waiting: deque[tuple[Part, Promise]] = deque()
    try:
        for part in parts:
            waiting.append((part, submit(part)))
            if len(waiting) >= width:
                first, promise = waiting.popleft()
                yield first, promise.result()
        while waiting:
            first, promise = waiting.popleft()
            yield first, promise.result()
    finally:
        for _, promise in waiting:
            promise.cancel()


def decode_here(parts: Iterable[Part], decoder: PartDecoder, work: Work, *, jobs: int) -> Iterator[Done]:
    """Decode on this machine: with threads in the core, and with processes once the corpus is seen to be large."""
    parts = iter(parts)
    left = TOKENS_HERE
    for part in parts:
        yield part, decoder.decode(part)
        left -= sum(map(len, part))
        if left < 0 and jobs > 1:
            break
    following = next(parts, None)
    if following is not None:
        yield from _by_processes(chain([following], parts), work, jobs)


def _by_processes(parts: Iterable[Part], work: Work, jobs: int) -> Iterator[Done]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    # spawn, not fork: threads of the core may be running
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_start, initargs=(work,))
    try:
        yield from in_order(lambda part: pool.submit(_decode, part), parts, 2 * jobs)
    except BrokenProcessPool:
        raise Failure(
            "a worker process ended without an answer, perhaps for lack of memory; fewer --jobs need less"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


_worker: list[PartDecoder] = []  # of a worker process


def _start(work: Work) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started us
    _worker[:] = [PartDecoder(work, jobs=1)]


def _decode(part: Part) -> Answers:
    return _worker[0].decode(part)
