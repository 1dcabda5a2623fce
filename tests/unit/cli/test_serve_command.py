"""`lawful serve`."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import lawful
from lawful.cli.main import run

SOURCE = str(Path(lawful.__file__).parents[1])
PATIENCE = 120


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lawful.HMM().fit([["a", "b"]], [["X", "Y"]]).save(tmp_path / "m.lawful")
    (tmp_path / "r.toml").write_text('[[rule]]\nname = "no X"\nkind = "forbid"\nlabels = "X"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def server(folder: Path) -> Iterator[subprocess.Popen[str]]:
    command = [
        sys.executable,
        "-m",
        "lawful",
        "serve",
        "--no-open",
        "--model",
        "m.lawful",
        "--rules",
        "r.toml",
    ]
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": SOURCE},
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def port_of(server: subprocess.Popen[str]) -> int:
    """Where it listens, once it says so."""
    assert server.stdout is not None
    address = re.search(r"http://127\.0\.0\.1:(\d+)/", server.stdout.readline())
    assert address is not None
    return int(address[1])


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_told_to_end(server: subprocess.Popen[str], sent: signal.Signals) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port_of(server), timeout=PATIENCE)
    connection.request("POST", "/decode", '{"tokens": ["a", "b"]}', {"content-type": "application/json"})
    answer = json.load(connection.getresponse())
    connection.close()
    assert (answer["labels"], answer["plain_labels"]) == (["Y", "Y"], ["X", "Y"])
    server.send_signal(sent)
    _, printed = server.communicate(timeout=PATIENCE)
    assert (server.returncode, printed) == (0 if sent == signal.SIGINT else 143, "")


def test_ctrl_c_while_a_browser_is_connected(server: subprocess.Popen[str]) -> None:
    with socket.create_connection(("127.0.0.1", port_of(server)), timeout=PATIENCE) as browser:
        browser.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert browser.recv(12) == b"HTTP/1.1 200"
        server.send_signal(signal.SIGINT)
        _, printed = server.communicate(timeout=PATIENCE)
    assert (server.returncode, printed) == (0, "")


def test_a_port_that_is_taken_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["serve", "--no-open", "--port", str(port)]) == 2
    assert f"cannot listen on 127.0.0.1 port {port}: Address already in use" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "nowhere.lawful"], "nowhere.lawful: cannot be opened: No such file"),
        (["--model", "r.toml"], "r.toml: this is not a model file of lawful"),
        (["--rules", "nowhere.toml"], "nowhere.toml: cannot be read: No such file"),
        (["--rules", "m.lawful"], "m.lawful: this is not UTF-8 text"),
        (["--rules", "-"], "not from stdin"),
        (["--model", "m.lawful", "--rules", "typo.toml"], "typo.toml, line 2, rule 1, key 'kind'"),
        (["--model", "m.lawful", "--rules", "other.toml"], "other.toml, line 3, rule 1, key 'labels': unknown label 'Q'"),
        (["--model", "m.lawful", "--features", "r.toml"], "already contains its features"),
        (["--port", "99999"], "--port"),
        (["--port", "http"], "--port"),
        (["--host", "no.such.host.invalid"], "cannot listen on no.such.host.invalid"),
    ],
)  # fmt: skip
def test_bad_input_is_told(
    folder: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "typo.toml").write_text('[[rule]]\nkind = "forbit"\nlabels = "X"\n')
    (folder / "other.toml").write_text('[[rule]]\nkind = "forbid"\nlabels = "Q"\n')
    assert run(["serve", "--no-open", *options]) == 2
    printed = capsys.readouterr().err
    assert message in printed and "bug in lawful" not in printed


def test_without_the_extra_it_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("lawful.playground.http.serving.find_spec", lambda name: None)
    assert run(["serve", "--no-open"]) == 2
    assert "pip install '.[serve]'" in capsys.readouterr().err
