"""The HTTP API: answers, refusals, headers."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import jsonschema
import pytest

from lawful.errors import InputError, InternalError
from lawful.playground.http.application import PAGES
from lawful.playground.http.guarding import Guard
from lawful.playground.http.openapi import openapi_document
from lawful.playground.http.serving import Playground
from lawful.playground.processes.worker import answer
from lawful.playground.starter import starter_workbench

BENCH = starter_workbench()
EVERYWHERE = "0.0.0.0"  # noqa: S104 - with a token


@dataclass
class Reply:
    status: int
    headers: Mapping[str, str]
    text: str

    def json(self) -> Any:
        return json.loads(self.text)


class Client:
    """Asks a server that runs in a thread, over a real connection, with the headers as they are given."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.putrequest(method, path, skip_host="host" in headers)
            if body is not None:
                headers = {"content_type": "application/json", "content_length": str(len(body)), **headers}
            for name, value in headers.items():
                connection.putheader(name.replace("_", "-"), value.encode())
            connection.endheaders(body)
            reply = connection.getresponse()
            return Reply(reply.status, reply.headers, reply.read().decode())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Reply:
        return self.ask("GET", path, **headers)

    def post(self, path: str, held: Any, **headers: str) -> Reply:
        return self.ask("POST", path, json.dumps(held).encode(), **headers)


@contextmanager
def serving(**options: Any) -> Iterator[Client]:
    server = Playground(starter_workbench, **options)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield Client(server.port)
    finally:
        server.stop()
        thread.join(20)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with serving() as found:
        yield found


def valid(path: str, method: str, status: int, body: Any) -> None:
    """Holds an answer against the OpenAPI document."""
    document = openapi_document()
    schema = document["paths"][path][method]["responses"][str(status)]["content"]["application/json"][
        "schema"
    ]
    jsonschema.validate(body, {**schema, "components": document["components"]})


def test_every_answer_is_as_documented(client: Client) -> None:
    text = BENCH.examples[0]["text"]
    asked = {
        "/decode": {"text": text, "explain": True, "runners_up": 1},
        "/check": {"draw": ["one date"], "analyse": True},
    }
    for path, body in asked.items():
        reply = client.post(path, body)
        assert reply.status == 200
        valid(path, "post", 200, reply.json())
    for path in ("/rules", "/examples", "/health", "/openapi.json"):
        reply = client.get(path)
        assert reply.status == 200
        valid(path, "get", 200, reply.json())


def test_wrong_rules_are_told_with_their_lines(client: Client) -> None:
    reply = client.post("/decode", {"text": "a", "rules": '[[rule]]\nkind = "forbid"\nlabels = "titel"'})
    assert reply.status == 422
    valid("/decode", "post", 422, reply.json())
    error = reply.json()["error"]
    assert error["kind"] == "rules"
    assert (error["problems"][0]["line"], error["problems"][0]["suggestion"]) == (3, "title")
    checked = client.post("/check", {"rules": '[[rule]]\nkind = "forbid"\nlabels = "titel"'})
    assert checked.status == 200
    valid("/check", "post", 200, checked.json())
    assert checked.json()["ok"] is False


@pytest.mark.parametrize("path", [*PAGES, "/base.css"])
def test_pages_are_served_and_locked_down(client: Client, path: str) -> None:
    reply = client.get(path)
    assert reply.status == 200
    policy = reply.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in reply.headers
    if path == "/":
        assert "<script>" not in reply.text
        assert " onclick" not in reply.text
        assert "style=" not in reply.text


@pytest.mark.parametrize(
    ("headers", "status", "kind"),
    [
        ({"host": "evil.example"}, 421, "host"),
        ({"host": "127.0.0.1.evil.example:8000"}, 421, "host"),
        ({"host": ""}, 421, "host"),
        ({"host": "[::1"}, 421, "host"),
        ({"origin": "http://evil.example"}, 403, "origin"),
        ({"origin": "null"}, 403, "origin"),
        ({"content_type": "text/plain"}, 415, "media_type"),
    ],
)
def test_foreign_pages_are_refused(client: Client, headers: dict[str, str], status: int, kind: str) -> None:
    reply = client.post("/decode", {"text": "a"}, **headers)
    assert (reply.status, reply.json()["error"]["kind"]) == (status, kind)


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_this_machine_is_answered(client: Client, host: str) -> None:
    assert client.get("/health", host=host, origin=f"http://{host}").status == 200


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        (b"{", 400, "json"),
        (b"\xff\xfe", 400, "json"),
        (b"[" * 200_000, 400, "json"),
        (b'{"text": "' + b"a" * 500_000 + b'"}', 413, "too_large"),
        (b'{"text": 1}', 422, "input"),
        (b"[]", 422, "input"),
        (b'{"text": "a", "prices": {"x": NaN}}', 422, "input"),
    ],
)
def test_bad_bodies_are_refused(client: Client, body: bytes, status: int, kind: str) -> None:
    reply = client.ask("POST", "/decode", body)
    assert (reply.status, reply.json()["error"]["kind"]) == (status, kind)


def test_other_addresses_and_methods_are_told_as_json(client: Client) -> None:
    assert client.get("/nothing").json()["error"]["kind"] == "address"
    assert client.get("/../../etc/passwd").status == 404
    assert client.get("/decode").status == 405
    assert client.ask("OPTIONS", "/decode", origin="http://evil.example").status == 405


def test_outside_loopback_questions_need_the_token() -> None:
    with pytest.raises(ValueError, match="needs a token"):
        Guard(EVERYWHERE)
    with serving(host=EVERYWHERE, token="secret") as client:  # noqa: S106 - a test's
        assert client.get("/", host="box.example").status == 200  # the page itself says nothing
        assert client.get("/rules").status == 401
        for wrong in ("wrong", "sécret", ""):
            assert client.get("/rules", authorization=f"Bearer {wrong}").status == 401
        assert client.get("/rules", authorization="Bearer secret").status == 200


def test_a_connection_that_says_nothing_blocks_nobody(client: Client) -> None:
    idle = [http.client.HTTPConnection("127.0.0.1", client.port) for _ in range(20)]
    for one in idle:
        one.connect()
    assert client.get("/health").status == 200
    for one in idle:
        one.close()


@pytest.mark.parametrize("error", [InternalError("secret"), RuntimeError("secret")])
def test_bugs_are_told_without_their_secrets(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    monkeypatch.setattr(BENCH, "decode", lambda question: (_ for _ in ()).throw(error))
    status, body = answer(BENCH, "/decode", b'{"text": "a"}')
    assert status == 500
    assert json.loads(body)["error"]["kind"] == "internal"
    assert b"secret" not in body
    assert "secret" in caplog.text


def test_an_address_in_use_is_told() -> None:
    first = Playground(starter_workbench)
    try:
        with pytest.raises(InputError, match=f"cannot listen on 127.0.0.1 port {first.port}"):
            Playground(starter_workbench, port=first.port)
    finally:
        first.close()


def test_a_server_for_others_makes_a_token_that_only_its_address_tells() -> None:
    found = Playground(starter_workbench, host=EVERYWHERE)
    try:
        assert found.token is not None
        assert len(found.token) >= 32
        assert found.address.endswith(f"#token={found.token}")
    finally:
        found.close()
