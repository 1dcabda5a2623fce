"""`bylaw serve`."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import bylaw
from bylaw.cli.front import run

SOURCE = str(Path(bylaw.__file__).parents[1])


def test_it_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    model = bylaw.HMM().fit([["a", "b"]], [["X", "Y"]])
    model.save(tmp_path / "m.bylaw")
    (tmp_path / "r.toml").write_text('[[rule]]\nname = "no X"\nkind = "forbid"\nlabels = "X"\n')
    command = [sys.executable, "-m", "bylaw", "serve", "--no-open", "--model", "m.bylaw", "--rules", "r.toml"]
    server = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": SOURCE}
    )
    try:
        assert server.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:(\d+)/", server.stdout.readline())
        assert address is not None
        connection = http.client.HTTPConnection("127.0.0.1", int(address[1]), timeout=20)
        connection.request("POST", "/decode", '{"tokens": ["a", "b"]}', {"content-type": "application/json"})
        answer = json.load(connection.getresponse())
        connection.close()
        assert (answer["labels"], answer["plain_labels"]) == (["Y", "Y"], ["X", "Y"])
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0
    finally:
        server.kill()
        server.communicate()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--model", "nowhere.bylaw"], "nowhere.bylaw"),
        (["--rules", "nowhere.toml"], "nowhere.toml"),
        (["--rules", "-"], "not from stdin"),
        (["--port", "99999"], "--port"),
        (["--host", "no.such.host.invalid"], "cannot listen on no.such.host.invalid"),
    ],
)
def test_bad_input_is_told(options: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--no-open", *options]) == 2
    assert told in capsys.readouterr().err


def test_without_the_extra_it_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bylaw.report.playground.serving.find_spec", lambda name: None)
    assert run(["serve", "--no-open"]) == 2
    assert "pip install 'bylaw[serve]'" in capsys.readouterr().err
