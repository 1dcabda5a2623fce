"""The server of the playground, which runs until it is stopped."""

from __future__ import annotations

import secrets
import socket
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import quote

from lawful.errors import InputError, MissingExtraError
from lawful.playground.guarding import Guard, is_loopback
from lawful.playground.workbench import Workbench

if TYPE_CHECKING:
    import uvicorn

__all__ = ["Playground", "needed_packages"]

IDLE = 30  # seconds that a connection may stay open without a request


def needed_packages() -> None:
    """Raise `MissingExtraError` if the extra `serve` is not installed."""
    for name in ("starlette", "uvicorn"):
        if find_spec(name) is None:
            raise MissingExtraError("the playground", name, "serve")


class Playground:
    """A server for one workbench. It is bound to its address as soon as it is created.

    Parameters
    ----------
    workbench : Workbench
    host : str
        The address to bind to. Any but a loopback address needs a token; one is generated if none is given.
    port : int
        0 takes any free port.
    token : str, optional
    """

    def __init__(
        self, workbench: Workbench, *, host: str = "127.0.0.1", port: int = 0, token: str | None = None
    ) -> None:
        needed_packages()
        self.host = host
        self.token = token or (None if is_loopback(host) else secrets.token_urlsafe(24))
        self._socket = _bind(host, port)
        self.port: int = self._socket.getsockname()[1]
        self._server = _make_server(workbench, Guard(host, self.token))

    @property
    def address(self) -> str:
        """The address to open in a browser. The token is in the fragment (#), which browsers do not send."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        if self.host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
            name = socket.gethostname()
        fragment = f"#token={quote(self.token)}" if self.token else ""
        return f"http://{name}:{self.port}/{fragment}"

    def run(self, started: Callable[[], None] | None = None) -> None:
        """Serve until Ctrl-C, or until `stop` is called from another thread."""
        interval = sys.getswitchinterval()
        sys.setswitchinterval(0.0005)  # an answer takes 1 ms; by default a thread waits 5 ms for its turn
        try:
            if started is not None:
                started()  # the socket listens already: early requests only wait a moment
            self._server.run(sockets=[self._socket])
        finally:
            sys.setswitchinterval(interval)
            self.close()

    def close(self) -> None:
        """Release the address."""
        self._socket.close()

    def stop(self) -> None:
        """End `run` once the requests under way are answered."""
        self._server.should_exit = True


def _make_server(workbench: Workbench, guard: Guard) -> uvicorn.Server:
    import uvicorn

    from lawful.playground.application import make_application

    return uvicorn.Server(
        uvicorn.Config(
            make_application(workbench, guard),
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            limit_concurrency=workbench.limits.waiting + 64,
            timeout_keep_alive=IDLE,
            timeout_graceful_shutdown=3,
            h11_max_incomplete_event_size=32_768,
        )
    )


def _bind(host: str, port: int) -> socket.socket:
    listener: socket.socket | None = None
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(256)
    except OSError as error:
        if listener is not None:
            listener.close()
        raise InputError(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
    return listener
