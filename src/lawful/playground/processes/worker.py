"""One worker: a process that answers one request after the other until the server ends it."""

from __future__ import annotations

import json
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from lawful.errors import LawfulError
from lawful.playground.processes.frames import Frame, read_frame
from lawful.playground.processes.memory import limit_memory, used_memory
from lawful.playground.questions import read_check, read_decode, read_save
from lawful.playground.replies import Refusal, refusal_of, to_json
from lawful.playground.workbench import Workbench

__all__ = ["LAST", "READY", "answer", "work"]

READY = "ready"
LAST = "last"  # follows the status of an answer after which the worker ends itself

log = logging.getLogger("lawful.playground")


def work(link: socket.socket, make_workbench: Callable[[], Workbench]) -> None:
    """Make a workbench and answer what comes over the link, until the server closes it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    workbench = make_workbench()
    budget = workbench.limits.memory
    enough = used_memory() + budget // 2
    limit_memory(budget)
    with (
        link,
        link.makefile("rb") as stream,
        suppress(ConnectionError),
    ):  # the server may have ended meanwhile
        link.sendall(Frame(READY, b"").to_bytes())
        while (question := read_frame(stream)) is not None:
            status, body = answer(workbench, question.word, question.body)
            # What is kept between requests must leave the next one most of its budget.
            last = status == OUT_OF_MEMORY.status or used_memory() > enough
            link.sendall(Frame(f"{status} {LAST}" if last else f"{status}", body).to_bytes())
            if last:
                return


OUT_OF_MEMORY = Refusal(
    507, "memory", "this needs more memory than a request may have; a shorter text or smaller rules need less"
)


def answer(workbench: Workbench, path: str, body: bytes) -> tuple[int, bytes]:
    """The status and the JSON for a request.

    Examples
    --------
    >>> from lawful.playground.starter import starter_workbench
    >>> answer(starter_workbench(), "/decode", b"{}")
    (422, b'{"error":{"kind":"input","message":"give either text or tokens"}}')
    """
    try:
        content = to_json(_answer(workbench, path, body))
        if len(content) > workbench.limits.answer:
            raise Refusal(422, "limit", f"the answer has more than {workbench.limits.answer:,} bytes")
        return 200, content
    except Refusal as refusal:
        reported = refusal
    except MemoryError:
        reported = OUT_OF_MEMORY
    except LawfulError as error:
        reported = refusal_of(error)
        if reported.status == 500:
            log.exception("internal error")
    except Exception:
        log.exception("internal error")
        reported = Refusal(500, "internal", "this is a bug in lawful; see the log of the server")
    return reported.status, to_json(reported.body)


def _answer(workbench: Workbench, path: str, body: bytes) -> dict[str, Any]:
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        raise Refusal(400, "json", "the body is not JSON") from None
    if path == "/save":
        return workbench.check_for_saving(read_save(content, workbench.limits))
    if path == "/check":
        return workbench.check(read_check(content, workbench.limits))
    return workbench.decode(read_decode(content, workbench.limits, workbench.tokenizer))


def _end_with_the_server() -> None:
    """End this process when the server has ended without ending its workers, as after `kill -9`."""
    from multiprocessing import parent_process

    server = parent_process()
    if server is not None:
        server.join()
        os._exit(1)
