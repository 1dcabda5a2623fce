"""What a JSONL line says about its sequence reaches the rules of every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lawful.cli.main import run

# All tokens are alike, so only the context can say which of them is the verb.
VERBS = [0, 2, 1, 2]
RULES = """\
[[rule]]
name = "verb"
kind = "label_at"
position = { context = "verb" }
labels = "V"

[[rule]]
kind = "exactly"
n = 1
labels = "V"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    records = [
        {"tokens": ["x"] * 3, "labels": ["V" if t == verb else "O" for t in range(3)], "verb": verb}
        for verb in VERBS
    ]
    (tmp_path / "gold.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (tmp_path / "rules.toml").write_text(RULES)
    assert (
        run(["train", str(tmp_path / "gold.jsonl"), "-o", str(tmp_path / "m.lawful"), "--kind", "hmm"]) == 0
    )
    return tmp_path


def arguments(folder: Path, command: str) -> list[str]:
    return [
        command,
        str(folder / "gold.jsonl"),
        "-m",
        str(folder / "m.lawful"),
        "-r",
        str(folder / "rules.toml"),
    ]


def test_decode(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run([*arguments(folder, "decode"), "--label-column", "replace"]) == 0
    written = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["labels"].index("V") for record in written] == VERBS


def test_explain(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run([*arguments(folder, "explain"), "--all", "--json"]) == 0
    explained = json.loads(capsys.readouterr().out)
    assert [list(entry["labels"]).index("V") for entry in explained] == VERBS


def test_train_scores_the_dev_data_under_rules(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, rules = str(folder / "gold.jsonl"), str(folder / "rules.toml")
    capsys.readouterr()
    options = ["--kind", "hmm", "--dev", gold, "--rules", rules, "--json"]
    assert run(["train", gold, "-o", str(folder / "again.lawful"), *options]) == 0
    assert json.loads(capsys.readouterr().out)["dev_with_rules"]["token_accuracy"] == 1.0


def test_evaluate_counts_with_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = folder / "gold.jsonl"
    records = [json.loads(line) for line in gold.read_text().splitlines()]
    records[0]["labels"] = ["O", "V", "O"]
    wrong = folder / "wrong.jsonl"
    wrong.write_text("".join(json.dumps(record) + "\n" for record in records))
    capsys.readouterr()
    assert run(["evaluate", str(gold), str(wrong), "--rules", str(folder / "rules.toml"), "--json"]) == 0
    counted = json.loads(capsys.readouterr().out)["violations"]
    assert (counted["verb"]["gold"], counted["verb"]["predicted"]) == (0, 1)


def test_lint_and_report_beside_a_model(folder: Path) -> None:
    rules, gold, model = (str(folder / name) for name in ("rules.toml", "gold.jsonl", "m.lawful"))
    assert run(["lint", rules, gold, "--model", model]) == 0
    assert run([*arguments(folder, "report"), "-o", str(folder / "report.html")]) == 0
    assert "verb" in (folder / "report.html").read_text()
