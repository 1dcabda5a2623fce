"""The server of the playground, which runs until it is stopped."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import quote

from lawful.errors import InputError, MissingExtraError
from lawful.playground.http.guarding import Guard, is_loopback
from lawful.playground.http.saving import RuleTarget
from lawful.playground.workbench import Workbench

if TYPE_CHECKING:
    import uvicorn

__all__ = ["Playground", "needed_packages"]

STOPPING = 1  # seconds for the last answers, once the server is told to end


def needed_packages() -> None:
    """Raise `MissingExtraError` if the extra `serve` is not installed."""
    for name in ("starlette", "uvicorn"):
        if find_spec(name) is None:
            raise MissingExtraError("the playground", name, "serve")


class Playground:
    """A server. It is bound to its address as soon as it is created.

    Requests are answered by worker processes, which are started by `run`. A script that calls it should do so under `if __name__ == "__main__":`,
    as with all of `multiprocessing`.

    Parameters
    ----------
    make_workbench : callable
        Makes the workbench: once here, and once in every worker. It is sent there, so it must be a function of a module, or a
        `functools.partial` of one.
    host : str
        The address to bind to. Any but a loopback address needs a token; one is generated if none is given.
    port : int
        0 takes any free port.
    token : str, optional
    target : RuleTarget, optional
        The rule file that the page may write. Then every request needs a token, since other users of this machine could send them
        too, and the address must be a loopback address.
    """

    def __init__(
        self,
        make_workbench: Callable[[], Workbench],
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        token: str | None = None,
        target: RuleTarget | None = None,
    ) -> None:
        needed_packages()
        if target is not None and not is_loopback(host):
            raise InputError(
                f"rules can be saved only by a server on this machine's own address (127.0.0.1), not on {host}"
            )
        workbench = make_workbench()
        self.host = host
        needed = target is not None or not is_loopback(host)
        self.token = token or (secrets.token_urlsafe(24) if needed else None)
        self._socket = _bind(host, port)
        self.port: int = self._socket.getsockname()[1]
        self._server = _make_server(make_workbench, workbench, Guard(host, self.token), target)

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
        try:
            if started is not None:
                started()  # the socket listens already: early requests only wait a moment
            self._server.run(sockets=[self._socket])
        finally:
            self.close()

    def close(self) -> None:
        """Release the address."""
        self._socket.close()

    def stop(self) -> None:
        """End `run` within two seconds. Requests under way are refused."""
        self._server.should_exit = True


def _make_server(
    make_workbench: Callable[[], Workbench], workbench: Workbench, guard: Guard, target: RuleTarget | None
) -> uvicorn.Server:
    import uvicorn

    from lawful.playground.http.application import Home, make_application
    from lawful.playground.http.connections import Connection
    from lawful.playground.processes.pool import Pool

    limits = workbench.limits
    pool = Pool(make_workbench, limits)
    home = Home(workbench.served, workbench.examples, target)

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            pool.close()  # first: uvicorn waits until all requests are answered, and now they are
            await super().shutdown(sockets)

    return Server(
        uvicorn.Config(
            make_application(pool, home, limits, guard),
            http=partial(Connection, limits=limits),  # type: ignore[arg-type]  # it is only called
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            timeout_keep_alive=limits.idle,  # type: ignore[arg-type]  # fractions work as well
            timeout_graceful_shutdown=STOPPING,
            h11_max_incomplete_event_size=32_768,
        )
    )


def _bind(host: str, port: int) -> socket.socket:
    listener: socket.socket | None = None
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # With TCP by name asyncio turns off Nagle's algorithm, which would hold half of each answer back for 40 ms.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(256)
    except OSError as error:
        if listener is not None:
            listener.close()
        raise InputError(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
    return listener
