"""Which requests are answered: host, origin and token are checked; and the security headers of our pages."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urlsplit

from lawful.playground.replies import Refusal

__all__ = ["HEADERS", "Guard", "is_loopback"]

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}


@lru_cache(maxsize=256)
def is_loopback(host: str) -> bool:
    """Whether a host name or address is a loopback address of this machine.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """Refuses requests that another page, or another person, may have sent.

    On a loopback address, the Host header must name a loopback address: a page whose name was made to point to this
    machine (DNS rebinding) sends its own name. On any other address, requests need the token instead.

    Parameters
    ----------
    host : str
        The address that the server is bound to.
    token : str, optional
        The secret that requests must carry, as `Authorization: Bearer TOKEN`.

    Examples
    --------
    >>> Guard("127.0.0.1").check({"host": "evil.example"}, asks=True)
    Traceback (most recent call last):
    lawful.playground.replies.Refusal: this server answers to localhost, not to 'evil.example'
    """

    def __init__(self, host: str, token: str | None = None) -> None:
        if token is None and not is_loopback(host):
            raise ValueError("a server that other machines can reach needs a token")
        self.host, self.token = host, token

    def check(self, headers: Mapping[str, str], *, asks: bool) -> None:
        """Raise `Refusal` unless this request may be answered; `asks` is true for the API, false for the page."""
        host = headers.get("host", "")
        name = _name(host)
        if is_loopback(self.host) and not is_loopback(name):
            raise Refusal(421, "host", f"this server answers to localhost, not to {name[:100]!r}")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            raise Refusal(403, "origin", "pages from other origins may not use this server")
        if asks and self.token is not None:
            token = headers.get("authorization", "").removeprefix("Bearer ")
            if not hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode()):
                raise Refusal(401, "token", "this server needs a token: open the address that it printed")


@lru_cache(maxsize=256)
def _name(host: str) -> str:
    """A Host header without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
