"""Saving edited rules: only to the file that was named, only if asked for, and never for a stranger."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lawful.errors import InputError
from lawful.playground.http.saving import RuleTarget, fingerprint
from lawful.playground.http.serving import Playground
from lawful.playground.replies import Refusal
from lawful.playground.starter import starter_workbench

OLD = '[[rule]]\nname = "old"\nkind = "forbid"\nlabels = "note"\n'
NEW = '[[rule]]\nname = "new"\nkind = "forbid"\nlabels = "date"\n'


class Page:
    """Asks as the page does: with the token, and an origin."""

    def __init__(self, server: Playground, file: Path) -> None:
        self.server, self.file = server, file

    def ask(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        host = f"127.0.0.1:{self.server.port}"
        sent = {"Authorization": f"Bearer {self.server.token}", "Origin": f"http://{host}"}
        sent |= {"Content-Type": "application/json"} | {name.title(): text for name, text in headers.items()}
        connection = http.client.HTTPConnection(host, timeout=30)
        try:
            connection.request(
                "GET" if body is None else "POST", path, None if body is None else json.dumps(body), sent
            )
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read())
        finally:
            connection.close()

    def save(self, text: str, was: str, **headers: str) -> tuple[int, Any]:
        return self.ask("/save", {"rules": text, "was": was}, **headers)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    file = tmp_path_factory.mktemp("rules") / "rules.toml"
    file.write_text(OLD)
    playground = Playground(starter_workbench, target=RuleTarget(str(file)))
    thread = threading.Thread(target=playground.run)
    thread.start()
    yield Page(playground, file)
    playground.stop()
    thread.join(20)


@pytest.fixture
def page(server: Page) -> Page:
    server.file.write_text(OLD)
    return server


def test_the_page_saves_and_sees_what_it_saved(page: Page) -> None:
    status, answer = page.save(NEW, fingerprint(OLD))
    assert (status, answer) == (200, {"saved": "rules.toml", "fingerprint": fingerprint(NEW)})
    assert page.file.read_text() == NEW
    assert [path.name for path in page.file.parent.iterdir()] == ["rules.toml"]
    _, served = page.ask("/rules")
    assert served["text"] == NEW
    assert [rule["name"] for rule in served["rules"]] == ["new"]
    assert (served["saves_to"], served["fingerprint"]) == ("rules.toml", fingerprint(NEW))


def test_what_another_program_wrote_is_not_overwritten(page: Page) -> None:
    page.file.write_text("# by hand\n")
    status, answer = page.save(NEW, fingerprint(OLD))
    assert (status, answer["error"]["kind"]) == (409, "conflict")
    assert page.file.read_text() == "# by hand\n"


def test_a_page_that_is_opened_again_sees_what_another_program_wrote(page: Page) -> None:
    page.file.write_text(NEW)
    _, served = page.ask("/rules")
    assert (served["text"], served["valid"], [rule["name"] for rule in served["rules"]]) == (
        NEW,
        True,
        ["new"],
    )
    page.file.write_text("[[rule")
    _, served = page.ask("/rules")
    assert (served["text"], served["valid"], [rule["name"] for rule in served["rules"]]) == (
        "[[rule",
        False,
        ["new"],
    )
    status, _ = page.save(OLD, served["fingerprint"])
    assert status == 200
    _, served = page.ask("/rules")
    assert (served["text"], served["valid"]) == (OLD, True)


@pytest.mark.parametrize(
    "text",
    [
        "[[rule",
        '[[rule]]\nkind = "forbid"\nlabels = "nothing"\n',
        'include = ["other.toml"]\n',
        '[tests]\nw = { words_file = "words.txt" }\n',
    ],
)
def test_only_valid_rules_that_open_no_file_are_saved(page: Page, text: str) -> None:
    status, answer = page.save(text, fingerprint(OLD))
    assert status == 422
    assert answer["error"]["problems"]
    assert page.file.read_text() == OLD


def test_no_request_names_another_file(page: Page) -> None:
    status, _ = page.ask("/save", {"rules": NEW, "was": fingerprint(OLD), "file": "other.toml"})
    assert status == 422
    assert page.file.read_text() == OLD


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"authorization": "Bearer guessed"}, 401),
        ({"origin": "http://evil.example"}, 403),
        ({"host": "evil.example"}, 421),
        ({"content-type": "text/plain"}, 415),
    ],
)
def test_other_pages_and_people_cannot_save(page: Page, headers: dict[str, str], status: int) -> None:
    assert page.save(NEW, fingerprint(OLD), **headers)[0] == status
    assert page.file.read_text() == OLD


def test_reading_needs_the_token_too(page: Page) -> None:
    assert page.ask("/rules", authorization="")[0] == 401


def test_without_a_target_nothing_is_saved() -> None:
    server = Playground(starter_workbench)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        status, answer = Page(server, Path()).save(NEW, fingerprint(OLD))
        assert (status, answer["error"]["kind"]) == (403, "saving")
        _, served = Page(server, Path()).ask("/rules")
        assert served["saves_to"] is None
    finally:
        server.stop()
        thread.join(20)


def test_a_server_for_other_machines_saves_nothing() -> None:
    with pytest.raises(InputError, match="only by a server on this machine's own address"):
        Playground(starter_workbench, host="0.0.0.0", target=RuleTarget("rules.toml"))  # noqa: S104


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"rules\.toml was changed"):
        RuleTarget(str(tmp_path / "rules.toml")).save(NEW, fingerprint(OLD))
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(Refusal, match="folder was changed"):
        RuleTarget(str(folder)).save(NEW, fingerprint(""))
