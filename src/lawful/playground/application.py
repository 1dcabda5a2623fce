"""The HTTP API and the page, as an ASGI application."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from lawful.errors import LawfulError
from lawful.playground.guarding import HEADERS, Guard
from lawful.playground.lanes import Lane
from lawful.playground.openapi import openapi_document
from lawful.playground.questions import read_check, read_decode
from lawful.playground.replies import Refusal, refusal_of
from lawful.playground.workbench import Workbench
from lawful.report.drawing.colours import palette_css

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["PAGES", "make_application"]

log = logging.getLogger("lawful.playground")

PAGES = {
    "/": ("index.html", "text/html"),
    "/playground.css": ("playground.css", "text/css"),
    **{
        f"/{name}.js": (f"{name}.js", "text/javascript")
        for name in ("api", "editor", "elements", "explanation", "main", "rules", "strips", "texts")
    },
}
Answer = Callable[["Request"], Awaitable["Response"]]


def make_application(workbench: Workbench, guard: Guard) -> Starlette:
    """The playground as an application that any ASGI server can run.

    Examples
    --------
    >>> from lawful.playground.starter import starter_workbench
    >>> application = make_application(starter_workbench(), Guard("127.0.0.1"))
    >>> sorted(route.path for route in application.routes if "js" not in route.path)[:3]
    ['/', '/base.css', '/check']
    """
    from starlette.applications import Starlette
    from starlette.responses import Response
    from starlette.routing import Route

    limits = workbench.limits
    quick = Lane("quick", threads=2, waiting=limits.waiting, seconds=limits.answering)
    slow = Lane("slow", threads=2, waiting=limits.waiting // 8, seconds=limits.answering)

    def page(name: str, kind: str) -> Answer:
        async def answer(_: Request) -> Response:
            headers = HEADERS | {"cache-control": "no-cache"}
            return Response(_asset(name), media_type=kind, headers=headers)

        return _guarded(answer, guard, asks=False)

    def fixed(make: Callable[[], Any]) -> Answer:
        async def answer(_: Request) -> Response:
            return _reply(200, make())

        return _guarded(answer, guard, asks=True)

    async def decode(request: Request) -> Response:
        question = read_decode(await _body(request, limits.body), limits)
        if workbench.is_quick(question):  # giving it to a thread would take as long as answering it
            return _reply(200, workbench.decode(question))
        lane = slow if question.explain else quick
        return _reply(200, await lane.run(lambda: workbench.decode(question)))

    async def check(request: Request) -> Response:
        question = read_check(await _body(request, limits.body), limits)
        return _reply(200, await slow.run(lambda: workbench.check(question)))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        quick.close()
        slow.close()

    routes = [
        Route("/decode", _guarded(decode, guard, asks=True), methods=["POST"]),
        *(Route(path, page(*asset), methods=["GET"]) for path, asset in PAGES.items()),
        Route("/base.css", page("base.css", "text/css"), methods=["GET"]),
        Route("/check", _guarded(check, guard, asks=True), methods=["POST"]),
        Route("/rules", fixed(lambda: workbench.served), methods=["GET"]),
        Route("/examples", fixed(lambda: workbench.examples), methods=["GET"]),
        Route("/health", fixed(lambda: {"status": "ok"}), methods=["GET"]),
        Route("/openapi.json", fixed(openapi_document), methods=["GET"]),
    ]

    def missing(request: Request, error: Exception) -> Response:
        status = getattr(error, "status_code", 404)
        messages = {
            404: f"there is no {request.url.path[:100]}",
            405: f"{request.method} is not allowed here",
        }
        return _reply(status, Refusal(status, "address", messages.get(status, "no")).body)

    return Starlette(routes=routes, lifespan=lifespan, exception_handlers={404: missing, 405: missing})


def _guarded(answer: Answer, guard: Guard, *, asks: bool) -> Answer:
    async def guarded(request: Request) -> Response:
        started = time.perf_counter()
        try:
            guard.check(request.headers, asks=asks)
            response = await answer(request)
        except Refusal as refusal:
            response = _reply(refusal.status, refusal.body)
        except LawfulError as error:
            reported = refusal_of(error)
            if reported.status == 500:
                log.exception("internal error")
            response = _reply(reported.status, reported.body)
        except Exception:
            log.exception("internal error")
            message = "this is a bug in lawful; see the log of the server"
            response = _reply(500, Refusal(500, "internal", message).body)
        response.headers["server-timing"] = f"total;dur={1e3 * (time.perf_counter() - started):.2f}"
        return response

    return guarded


async def _body(request: Request, most: int) -> Any:
    """The JSON of a request; no more is read than is allowed."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "media_type", "the body must be JSON, sent with content-type: application/json")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise Refusal(413, "too_large", f"the body may have at most {most:,} bytes")
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise Refusal(400, "json", "the body is not JSON") from None


def _reply(status: int, content: Any) -> Response:
    from starlette.responses import Response

    body = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Response(body, status, HEADERS, "application/json")


@cache
def _asset(name: str) -> bytes:
    if name == "base.css":
        shared = (files("lawful.report") / "assets" / name).read_text(encoding="utf-8")
        return (shared + palette_css()).encode()
    return (files("lawful.playground") / "static" / name).read_bytes()
