"""The HTTP API and the page, as an ASGI application."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from lawful.playground.guarding import HEADERS, Guard
from lawful.playground.limits import Limits
from lawful.playground.openapi import openapi_document
from lawful.playground.processes.pool import Pool
from lawful.playground.replies import Refusal, to_json
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
EXPLAIN = re.compile(rb'"explain"\s*:\s*true')
Answer = Callable[["Request"], Awaitable["Response"]]


def make_application(pool: Pool, fixed_answers: Mapping[str, Any], limits: Limits, guard: Guard) -> Starlette:
    """The playground as an ASGI application: it checks and passes on, and leaves all other work to the pool.

    `fixed_answers` has what does not depend on a request, by its path.

    Examples
    --------
    >>> from lawful.playground.starter import starter_workbench
    >>> limits = Limits()
    >>> application = make_application(Pool(starter_workbench, limits), {}, limits, Guard("127.0.0.1"))
    >>> sorted(route.path for route in application.routes if "js" not in route.path)[:3]
    ['/', '/base.css', '/check']
    """
    from starlette.applications import Starlette
    from starlette.responses import Response
    from starlette.routing import Route

    def page(name: str, kind: str) -> Answer:
        async def answer(_: Request) -> Response:
            headers = HEADERS | {"cache-control": "no-cache"}
            return Response(_asset(name), media_type=kind, headers=headers)

        return _guarded(answer, guard, asks=False)

    def fixed(content: Any) -> Answer:
        body = to_json(content)

        async def answer(_: Request) -> Response:
            return _reply(200, body)

        return _guarded(answer, guard, asks=True)

    async def ask(request: Request) -> Response:
        path, body = request.url.path, await _body(request, limits.body)
        # Only for the order of work, so looking at the bytes is enough: the worker reads the JSON.
        slow = path == "/check" or EXPLAIN.search(body) is not None
        return _reply(*await pool.ask(path, body, slow=slow, gone=request.is_disconnected))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        pool.open()
        try:
            yield
        finally:
            pool.close()

    routes = [
        *(Route(path, _guarded(ask, guard, asks=True), methods=["POST"]) for path in ("/decode", "/check")),
        *(Route(path, page(*asset), methods=["GET"]) for path, asset in PAGES.items()),
        Route("/base.css", page("base.css", "text/css"), methods=["GET"]),
        *(Route(path, fixed(content), methods=["GET"]) for path, content in fixed_answers.items()),
        Route("/health", fixed({"status": "ok"}), methods=["GET"]),
        Route("/openapi.json", fixed(openapi_document()), methods=["GET"]),
    ]

    def missing(request: Request, error: Exception) -> Response:
        status = getattr(error, "status_code", 404)
        messages = {
            404: f"there is no {request.url.path[:100]}",
            405: f"{request.method} is not allowed here",
        }
        return _refuse(Refusal(status, "address", messages.get(status, "no")))

    return Starlette(routes=routes, lifespan=lifespan, exception_handlers={404: missing, 405: missing})


def _guarded(answer: Answer, guard: Guard, *, asks: bool) -> Answer:
    from starlette.requests import ClientDisconnect

    async def guarded(request: Request) -> Response:
        started = time.perf_counter()
        try:
            guard.check(request.headers, asks=asks)
            response = await answer(request)
        except Refusal as refusal:
            response = _refuse(refusal)
        except ClientDisconnect:
            response = _refuse(Refusal(400, "gone", "the request ended too early"))  # which nobody reads
        except Exception:
            log.exception("internal error")
            response = _refuse(Refusal(500, "internal", "this is a bug in lawful; see the log of the server"))
        response.headers["server-timing"] = f"total;dur={1e3 * (time.perf_counter() - started):.2f}"
        return response

    return guarded


async def _body(request: Request, most: int) -> bytes:
    """The body of a request; no more is read than is allowed."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "media_type", "the body must be JSON, sent with content-type: application/json")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise Refusal(413, "too_large", f"the body may have at most {most:,} bytes")
    return bytes(body)


def _refuse(refusal: Refusal) -> Response:
    response = _reply(refusal.status, to_json(refusal.body))
    if refusal.status == 503:
        response.headers["retry-after"] = "1"
    return response


def _reply(status: int, body: bytes) -> Response:
    from starlette.responses import Response

    return Response(body, status, HEADERS, "application/json")


@cache
def _asset(name: str) -> bytes:
    if name == "base.css":
        shared = (files("lawful.report") / "assets" / name).read_text(encoding="utf-8")
        return (shared + palette_css()).encode()
    return (files("lawful.playground") / "static" / name).read_bytes()
