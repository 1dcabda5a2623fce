"""Connections that end in time: uvicorn has no deadline for a request that never comes, nor for an answer that nobody reads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from lawful.playground.limits import Limits
from lawful.playground.replies import Refusal, to_json

__all__ = ["Connection"]


class Connection(H11Protocol):
    """One connection of the playground.

    A request must have come in whole `limits.receiving` seconds after its first byte, which may take `limits.idle` seconds; an answer must be
    read in `limits.sending` seconds. If too many connections are open, a new one takes the place of the one that has owed us a request for
    the longest time; if all have a request under way, the new one is refused.
    """

    def __init__(self, *arguments: Any, limits: Limits, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.limits = limits
        self.owing_since = 0.0
        self._request = _Deadline(self.loop, limits.receiving, self._late)
        self._answer = _Deadline(self.loop, limits.sending, lambda: self.transport.abort())

    @property
    def owes(self) -> bool:
        """Whether we wait for the client: no request has come, or not all of it."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    @property
    def has_begun(self) -> bool:
        """Whether a part of the request has come."""
        return self.conn.their_state is h11.SEND_BODY or bool(self.conn.trailing_data[0])

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Start the clock; make room if there are too many connections."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # so that we hear of any byte that the client does not take
        self.owing_since = self.loop.time()
        self.timeout_keep_alive_task = self.loop.call_later(self.limits.idle, self.timeout_keep_alive_handler)
        rivals = [one for one in self.connections if isinstance(one, Connection) and one is not self]
        rivals = [one for one in rivals if not one.transport.is_closing()]
        if len(rivals) >= self.limits.connections:
            owing = [one for one in rivals if one.owes]
            loser = min(owing, key=lambda one: one.owing_since) if owing else self
            loser.refuse(503, "busy", "too many connections at once; try again in a moment")

    def data_received(self, data: bytes) -> None:
        """Start the clock at the first byte of a request, and stop it at the last."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """The next request may have begun already."""
        super().on_response_complete()
        self.owing_since = self.loop.time()
        self._look()

    def pause_writing(self) -> None:
        """The client does not take what we send."""
        super().pause_writing()
        self._answer.set()

    def resume_writing(self) -> None:
        """The client has taken all that we sent."""
        super().resume_writing()
        self._answer.lift()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all clocks."""
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self._request.lift()
        self._answer.lift()

    def shutdown(self) -> None:
        """The server ends: wait for nobody who owes us something."""
        super().shutdown()
        if self.owes or self._answer.is_set:
            self.transport.abort()

    def refuse(self, status: int, kind: str, message: str) -> None:
        """Say why, if anything was asked, and close without waiting for the client."""
        if self.has_begun and self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = to_json(Refusal(status, kind, message).body)
            retry = b"retry-after: 1\r\n" if status == HTTPStatus.SERVICE_UNAVAILABLE else b""
            self.transport.write(
                b"HTTP/1.1 %d %s\r\nconnection: close\r\ncontent-type: application/json\r\n%scontent-length: %d\r\n\r\n%s"
                % (status, HTTPStatus(status).phrase.encode(), retry, len(body), body)
            )
        self.transport.close()
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def _look(self) -> None:
        if not self.owes:
            self._request.lift()
        elif self.has_begun:
            self._expect()

    def _expect(self) -> None:
        if not self._request.is_set:
            self.owing_since = self.loop.time()
            self._request.set()

    def _late(self) -> None:
        seconds = self.limits.receiving
        self.refuse(408, "slow", f"the request did not come in whole within {seconds:g} seconds")


class _Deadline:
    """Calls an action after some seconds, unless it is lifted before."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float, action: Callable[[], None]) -> None:
        self._loop, self._seconds, self._action = loop, seconds, action
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_set(self) -> bool:
        return self._timer is not None

    def set(self) -> None:
        if self._timer is None:
            self._timer = self._loop.call_later(self._seconds, self._pass)

    def lift(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _pass(self) -> None:
        self._timer = None
        self._action()
