"""`lawful decode` with scores that come with the input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import lawful
from lawful.cli.main import run

LABELS = {
    "labels": ["O", "City"],
    "transitions": [[0.5, 0.0], [0.0, -1.0]],
    "start": [0.0, 0.2],
    "end": [0.1, 0.0],
}
SCORES = [[2.0, 0.1], [0.3, 1.5], [0.0, 1.0]]


def test_labels_are_those_of_the_lattice(
    tmp_path: Path, give_stdin: Callable[[bytes], None], capsys: pytest.CaptureFixture[str]
) -> None:
    model, rules = tmp_path / "labels.json", tmp_path / "rules.toml"
    model.write_text(json.dumps(LABELS))
    rules.write_text('[[rule]]\nkind = "at_most"\nn = 1\nlabels = "City"\n')
    record = json.dumps({"tokens": ["in", "Bonn", "Oxford"], "scores": SCORES})
    lattice = lawful.Lattice(
        SCORES, LABELS["transitions"], labels=LABELS["labels"], start=LABELS["start"], end=LABELS["end"]
    )
    for more, wanted in (
        ([], lawful.decode(lattice)),
        (["-r", str(rules)], lawful.decode(lattice, lawful.at_most(1, "City"))),
    ):
        give_stdin(f"{record}\n".encode())
        assert run(["decode", "-m", str(model), "--json", *more]) == 0
        data = json.loads(capsys.readouterr().out)
        assert (tuple(data["labels"]), data["decoding"]["score"]) == (wanted.labels, wanted.score)


@pytest.mark.parametrize(
    ("labels", "record", "message"),
    [
        ("{", "", "labels.json: not JSON"),
        ("{}", "", "expected an object with the labels"),
        ('{"labels": ["A"], "wieghts": 1}', "", "unknown key 'wieghts'"),
        ('{"labels": ["A"], "transitions": [[1, 2]]}', "", "labels.json: transitions"),
        ('{"labels": ["A"]}', '{"tokens": ["a"]}', "<stdin>, line 1: each line of the input must have scores"),
        ('{"labels": ["A"]}', '{"tokens": ["a"], "scores": []}', "1 tokens, but 0 rows of scores"),
        ('{"labels": ["A"]}', '{"tokens": ["a"], "scores": [[1, 2]]}', "emissions"),
        ('{"labels": ["A"]}', '{"tokens": ["a"], "scores": [["x"]]}', "emissions"),
        ('{"labels": ["A"]}', '{"tokens": ["a"], "scores": [[NaN]]}', "nan"),
    ],
)  # fmt: skip
def test_bad_input(
    tmp_path: Path, labels: str, record: str, message: str, give_stdin: Callable[[bytes], None],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (tmp_path / "labels.json").write_text(labels)
    give_stdin(f"{record}\n".encode())
    assert run(["decode", "-m", str(tmp_path / "labels.json"), "--format", "jsonl"]) == 2
    printed = capsys.readouterr().err
    assert message in printed and "bug in lawful" not in printed


def test_a_largest_loss_without_rules(
    tmp_path: Path, give_stdin: Callable[[bytes], None], capsys: pytest.CaptureFixture[str]
) -> None:
    model, rules = tmp_path / "labels.json", tmp_path / "rules.toml"
    model.write_text(json.dumps(LABELS))
    rules.write_text("")
    for more in ([], ["-r", str(rules)], ["-r", str(rules), "--on-exceed", "raise"]):
        give_stdin(json.dumps({"tokens": ["in", "Bonn", "Oxford"], "scores": SCORES}).encode())
        assert run(["decode", "-m", str(model), "--json", "--max-loss", "0", *more]) == 0
        assert json.loads(capsys.readouterr().out)["decoding"]["loss"] == 0.0


@pytest.mark.parametrize("command", ["decode", "explain"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_many_rules_that_contradict_each_other(
    tmp_path: Path,
    command: str,
    jobs: int,
    give_stdin: Callable[[bytes], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    labels = [f"F{index}" for index in range(12)]
    model, rules = tmp_path / "labels.json", tmp_path / "rules.toml"
    model.write_text(json.dumps({"labels": labels}))
    rules.write_text("".join(f'[[rule]]\nkind = "at_least"\nn = 1\nlabels = "{label}"\n' for label in labels))
    give_stdin(json.dumps({"tokens": list("abcdef"), "scores": [[0.0] * 12] * 6}).encode())
    more = ["--jobs", str(jobs)] if command == "decode" else []
    assert run([command, "-m", str(model), "-r", str(rules), "--timeout", "30", *more]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("at_least(1, ") == 7
    assert "cannot all hold by the end of the sequence (each of them is needed" in shown.err
