"""The workers of a server: requests wait for their turn, and a worker that takes too long is replaced."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import signal
import socket
import threading
from collections.abc import Awaitable, Callable
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from typing import NamedTuple

from lawful.playground.limits import Limits
from lawful.playground.processes.frames import Frame, receive_frame
from lawful.playground.processes.worker import LAST, READY, work
from lawful.playground.replies import Refusal
from lawful.playground.workbench import Workbench

__all__ = ["Pool", "PoolAnswer"]

STARTING = 120.0  # seconds in which a worker must have loaded its model
LONG = 0.2  # seconds of waiting after which a client may have left

log = logging.getLogger("lawful.playground")


class PoolAnswer(NamedTuple):
    """The status and the body of an answer, and the seconds that its request waited for a worker."""

    status: int
    body: bytes
    waited: float


class Pool:
    """A few worker processes.

    A worker has one request at a time. It is killed if the answer takes too long, and replaced whenever it has ended.
    Explanations and checks, which take longer than labelling, never occupy all workers (unless there is only one).

    Parameters
    ----------
    make_workbench : callable
        Called in every worker. It is sent there, so it must be a function of a module, or a `functools.partial` of one.
    limits : Limits
    """

    def __init__(self, make_workbench: Callable[[], Workbench], limits: Limits) -> None:
        self._make_workbench, self._limits = make_workbench, limits
        # The last one in is the first one out, because it is most likely to have the rules of the next request compiled.
        self._idle: asyncio.LifoQueue[_Worker | None] = asyncio.LifoQueue()
        self._slow = asyncio.Semaphore(max(1, limits.workers - 1))
        self._workers: set[_Worker] = set()
        self._chores: set[asyncio.Task[None]] = set()
        self._waiting = 0
        self._missing = 0  # workers that could not be started
        self._opened = asyncio.Event()  # when the first worker is ready, or when there will be none
        self._closed = False

    def open(self) -> None:
        """Start the workers. Requests that come before they are ready wait for them."""
        for _ in range(self._limits.workers):
            self._start()

    async def ask(
        self, path: str, body: bytes, *, slow: bool, gone: Callable[[], Awaitable[bool]]
    ) -> PoolAnswer:
        """An answer; `Refusal` if there is no turn, or no answer, in time.

        `gone` says whether the client has left while its request waited.
        """
        if self._closed:
            raise _stopping()
        if self._waiting >= self._limits.waiting:
            raise _busy()
        for _ in range(self._missing):
            self._start()
        self._missing = 0
        async with contextlib.AsyncExitStack() as turn:
            began = asyncio.get_running_loop().time()
            self._waiting += 1
            try:
                await self._opened.wait()
                async with asyncio.timeout(self._limits.queueing):
                    if slow:
                        await turn.enter_async_context(self._slow)
                    worker = await self._next_worker()
            except TimeoutError:
                raise _busy() from None
            finally:
                self._waiting -= 1
            turn.callback(self._take_back, worker)
            waited = asyncio.get_running_loop().time() - began
            if waited > LONG and await gone():
                raise Refusal(503, "gone", "nobody waits for the answer")
            return PoolAnswer(*await self._ask(worker, Frame(path, body)), waited)

    def close(self) -> None:
        """Kill the workers; requests that wait are refused."""
        if self._closed:
            return
        self._closed = True
        self._opened.set()
        for _ in range(self._waiting):
            self._idle.put_nowait(None)
        for chore in self._chores:
            chore.cancel()
        for worker in self._workers:
            worker.kill()

    async def _next_worker(self) -> _Worker:
        while not self._closed:
            worker = await self._idle.get()
            if worker is None:
                break
            if worker.is_fit:
                return worker
            self._take_back(worker)  # it has ended while it was idle
        raise _stopping()

    async def _ask(self, worker: _Worker, question: Frame) -> tuple[int, bytes]:
        seconds = self._limits.answering
        try:
            async with asyncio.timeout(seconds):
                reply = await worker.ask(question)
        except TimeoutError:
            raise Refusal(504, "timeout", f"no answer within {seconds:g} seconds") from None
        except (EOFError, OSError):
            raise (_stopping() if self._closed else _died()) from None
        return int(reply.word.split()[0]), reply.body

    def _take_back(self, worker: _Worker) -> None:
        if worker.is_fit:
            self._idle.put_nowait(worker)
            return
        worker.kill()
        self._workers.discard(worker)
        if not self._closed:
            self._start(after=worker)

    def _start(self, after: _Worker | None = None) -> None:
        chore = asyncio.get_running_loop().create_task(self._start_one(after))
        self._chores.add(chore)
        chore.add_done_callback(self._chores.discard)

    async def _start_one(self, after: _Worker | None) -> None:
        if after is not None:
            await after.ended()
        worker: _Worker | None = None
        try:
            worker = await _Worker.start(self._make_workbench)
            self._workers.add(worker)
            async with asyncio.timeout(STARTING):
                await worker.ready()
        except Exception:
            log.exception("a worker could not be started; the next request tries again")
            self._missing += 1
            self._opened.set()
            if worker is not None:
                worker.kill()
                self._workers.discard(worker)
            return
        self._idle.put_nowait(worker)
        self._opened.set()


def _busy() -> Refusal:
    return Refusal(503, "busy", "too many requests at once; try again in a moment")


def _stopping() -> Refusal:
    return Refusal(503, "stopping", "the server is being stopped")


def _died() -> Refusal:
    message = "the process that worked on this has ended before it had an answer, perhaps for lack of memory"
    return Refusal(500, "died", message)


class _Worker:
    """A process and the link to it."""

    def __init__(
        self, process: BaseProcess, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._process, self._reader, self._writer = process, reader, writer
        self._busy = True

    @classmethod
    async def start(cls, make_workbench: Callable[[], Workbench]) -> _Worker:
        ours, theirs = socket.socketpair()
        # spawn, not fork: threads may be running. Daemons are ended with the server even if nobody else does.
        process = multiprocessing.get_context("spawn").Process(
            target=work, args=(theirs, make_workbench), name="lawful-worker", daemon=True
        )
        try:
            await _apart(lambda: _start_quietly(process, theirs))
            return cls(process, *await asyncio.open_connection(sock=ours))
        except BaseException:
            ours.close()  # the process ends when it finds nobody there
            raise

    @property
    def is_fit(self) -> bool:
        """Whether it can take a request."""
        return not self._busy and not self._reader.at_eof() and self._process.is_alive()

    async def ready(self) -> None:
        """Return when it has loaded its model."""
        if (await receive_frame(self._reader)).word != READY:
            raise EOFError
        self._busy = False

    async def ask(self, question: Frame) -> Frame:
        """The answer to a request; `EOFError` or `OSError` if the process ends instead."""
        self._busy = True  # until there is an answer: one that is given up is not fit for the next request
        self._writer.write(question.to_bytes())
        await self._writer.drain()
        reply = await receive_frame(self._reader)
        self._busy = LAST in reply.word
        return reply

    def kill(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._writer.close()

    async def ended(self) -> None:
        """Return when the process, which was killed, has ended."""
        while self._process.is_alive():
            await asyncio.sleep(0.02)


async def _apart(work: Callable[[], None]) -> None:
    """Do work in a thread, for which nobody waits when the server ends: starting a process takes as long as sending it a model."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def settle(error: Exception | None) -> None:
        if done.cancelled():
            return
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)

    def run() -> None:
        error: Exception | None = None
        try:
            work()
        except Exception as raised:  # noqa: BLE001 - it is raised again where it is waited for
            error = raised
        with contextlib.suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(settle, error)

    threading.Thread(target=run, name="lawful-starter", daemon=True).start()
    await done


def _start_quietly(process: BaseProcess, theirs: socket.socket) -> None:
    """Start a process that does not see Ctrl-C while it starts, and give it its end of the link."""
    with theirs:
        if not hasattr(signal, "pthread_sigmask"):  # Windows
            process.start()
            return
        resource_tracker.ensure_running()  # now, because starting it unblocks signals
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
