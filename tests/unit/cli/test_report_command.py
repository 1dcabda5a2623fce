"""`lawful report`."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

import lawful
from lawful.cli.main import run
from lawful.tasks import generate_citations

RULES = """
[[rule]]
name = "one title"
kind = "at_most_segments"
n = 1
labels = "title"

[[rule]]
name = "starts"
kind = "starts_with"
labels = ["author", "editor"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    train = generate_citations(30, seed=1)
    lawful.HMM().fit([s.tokens for s in train], [s.labels for s in train]).save(tmp_path / "m.lawful")
    lawful.write_corpus(generate_citations(10, seed=2), tmp_path / "gold.jsonl")
    (tmp_path / "rules.toml").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


ASK = ["report", "gold.jsonl", "--model", "m.lawful", "--rules", "rules.toml"]


def test_it_writes_a_page(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ASK, "-o", "out.html", "--limit", "3"]) == 0
    page = (folder / "out.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "The 3 most interesting of 10 sequences" in page
    assert capsys.readouterr().out.startswith("out.html: ")


def test_json_goes_to_stdout(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ASK, "--json", "--no-gold"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["sequences"], data["before"]) == (10, None)
    assert [one["rule"] for one in data["rules"]] == ["one title", "starts"]
    assert not (folder / "report.html").exists()


def test_it_reads_stdin_and_writes_stdout(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (folder / "gold.jsonl").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text), encoding="utf-8"))
    assert run(["report", "-", *ASK[2:], "--format", "jsonl", "-o", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({1: "nowhere.conll"}, "nowhere.conll"),
        ({3: "rules.toml"}, "rules.toml"),
        ({5: "m.lawful"}, "m.lawful"),
    ],
)
def test_bad_input_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str], change: dict[int, str], message: str
) -> None:
    asked = [change.get(place, word) for place, word in enumerate(ASK)]
    assert run([*asked, "-o", "out.html"]) == 2
    assert message in capsys.readouterr().err
    assert not (folder / "out.html").exists()


def test_a_rule_for_an_unknown_label_is_told_with_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "rules.toml").write_text(RULES.replace('"title"', '"titel"'))
    assert run(ASK) == 2
    message = capsys.readouterr().err
    assert "line 6" in message
    assert "did you mean 'title'" in message


def test_an_interrupted_run_leaves_the_old_page(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "report.html").write_text("old")

    def interrupt(found: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("lawful.cli.commands.report.render_report", interrupt)
    assert run(ASK) == 130
    assert (folder / "report.html").read_text() == "old"
    assert sorted(path.name for path in folder.iterdir()) == [
        "gold.jsonl",
        "m.lawful",
        "report.html",
        "rules.toml",
    ]
