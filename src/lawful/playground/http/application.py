"""The HTTP API and the page, as an ASGI application."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from lawful.playground.http.guarding import HEADERS, Guard
from lawful.playground.http.help_page import help_page
from lawful.playground.http.openapi import openapi_document
from lawful.playground.http.saving import RuleTarget, fingerprint
from lawful.playground.limits import Limits
from lawful.playground.processes.pool import Pool, PoolAnswer
from lawful.playground.replies import Refusal, to_json
from lawful.report.drawing.colours import palette_css

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["PAGES", "Home", "make_application"]

log = logging.getLogger("lawful.playground")

MODULES = (
    "api", "colouring", "details", "editor", "elements", "explanation", "files", "main", "rules", "strips", "texts", "votes",
)  # fmt: skip
PAGES = {
    "/": ("index.html", "text/html"),
    "/playground.css": ("playground.css", "text/css"),
    **{f"/{name}.js": (f"{name}.js", "text/javascript") for name in MODULES},
}
SLOW = re.compile(rb'"(explain|probabilities)"\s*:\s*true')
Answer = Callable[["Request"], Awaitable["Response"]]
Check = Callable[[bytes], Awaitable[PoolAnswer]]


class Home:
    """What the page starts with; and the rule file, if it may be written.

    Parameters
    ----------
    served : dict
        The rule file that is served, its rules, the labels and their colours.
    examples : list of dict
    target : RuleTarget, optional
    """

    def __init__(
        self, served: dict[str, Any], examples: list[dict[str, Any]], target: RuleTarget | None = None
    ) -> None:
        self.examples, self._served, self._target = to_json(examples), served, target
        self._saving = asyncio.Lock()

    async def rules(self, check: Check) -> bytes:
        """The answer to `GET /rules`. If the file may be saved, what another program wrote to it is served too."""
        if self._target is not None:
            text = await asyncio.to_thread(self._target.read)
            if text is not None and text != self._served["text"]:
                checked = await check(to_json({"rules": text, "was": ""}))
                # Rules with errors are shown in the editor; the switches stay those of the last valid ones.
                valid = json.loads(checked.body)["rules"] if checked.status == 200 else self._served["rules"]
                self._served = {**self._served, "text": text, "rules": valid, "valid": checked.status == 200}
        name = None if self._target is None else self._target.path.name
        told = {"saves_to": name, "fingerprint": fingerprint(self._served["text"]), "valid": True}
        return to_json(told | self._served)

    async def save(self, body: bytes, check: Check) -> tuple[int, bytes]:
        """Save the rules of a request, once a worker has read and checked it."""
        if self._target is None:
            raise Refusal(403, "saving", "this server was started without --save")
        async with self._saving:
            checked = await check(body)
            if checked.status != 200:
                return checked.status, checked.body
            content = json.loads(checked.body)  # written by our worker
            saved = await asyncio.to_thread(self._target.save, content["text"], content["was"])
            self._served = {**self._served, "text": content["text"], "rules": content["rules"], "valid": True}
        return 200, to_json(saved)


def make_application(pool: Pool, home: Home, limits: Limits, guard: Guard) -> Starlette:
    """The playground as an ASGI application: it checks and passes on, and leaves all other work to the pool.

    Examples
    --------
    >>> from lawful.playground.starter import starter_workbench
    >>> limits, bench = Limits(), starter_workbench()
    >>> home = Home(bench.served, bench.examples)
    >>> application = make_application(Pool(starter_workbench, limits), home, limits, Guard("127.0.0.1"))
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

    def fixed(content: Callable[[], bytes]) -> Answer:
        async def answer(_: Request) -> Response:
            return _reply(200, content())

        return _guarded(answer, guard, asks=True)

    async def ask(request: Request) -> Response:
        path, body = request.url.path, await _body(request, limits.body)
        # Only for the order of work, so looking at the bytes is enough: the worker reads the JSON.
        slow = path == "/check" or SLOW.search(body) is not None
        answer = await pool.ask(path, body, slow=slow, gone=request.is_disconnected)
        response = _reply(answer.status, answer.body)
        response.headers["server-timing"] = f"wait;dur={1e3 * answer.waited:.2f}"
        return response

    def check(request: Request) -> Check:
        return lambda body: pool.ask("/save", body, slow=True, gone=request.is_disconnected)

    async def save(request: Request) -> Response:
        return _reply(*await home.save(await _body(request, limits.body), check(request)))

    async def rules(request: Request) -> Response:
        return _reply(200, await home.rules(check(request)))

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
        Route("/save", _guarded(save, guard, asks=True), methods=["POST"]),
        Route("/base.css", page("base.css", "text/css"), methods=["GET"]),
        Route("/help", page("help.html", "text/html"), methods=["GET"]),
        Route("/rules", _guarded(rules, guard, asks=True), methods=["GET"]),
        Route("/examples", fixed(lambda: home.examples), methods=["GET"]),
        Route("/health", fixed(lambda: to_json({"status": "ok"})), methods=["GET"]),
        Route("/openapi.json", fixed(lambda: to_json(openapi_document())), methods=["GET"]),
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
        response.headers.append("server-timing", f"total;dur={1e3 * (time.perf_counter() - started):.2f}")
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
    if name == "help.html":
        return help_page().encode()
    if name == "base.css":
        shared = (files("lawful.report") / "assets" / name).read_text(encoding="utf-8")
        return (shared + palette_css()).encode()
    return (files("lawful.playground") / "static" / name).read_bytes()
