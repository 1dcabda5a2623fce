"""From somebody's own file to a rule file, a model, labels and a report: the commands of the README, as written there."""

from __future__ import annotations

from pathlib import Path

import pytest

import lawful
from lawful.cli.main import run
from lawful.tasks import generate_citations

README = Path(__file__).parents[3] / "README.md"


def commands_of_the_readme() -> list[str]:
    section = README.read_text().split("## From a labelled file to a report")[1].split("\n## ")[0]
    return [line.strip() for line in section.splitlines() if line.startswith("    lawful ")]


def test_the_commands_follow_on_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    sentences = generate_citations(150, seed=11)
    lawful.write_corpus(sentences[:120], tmp_path / "gold.conll")
    lawful.write_corpus(sentences[120:], tmp_path / "test.conll")
    lines = commands_of_the_readme()
    assert len(lines) == 5
    for line in lines:
        _, name, *options = line.split()
        assert run([name, *options]) == 0, line
        assert capsys.readouterr().err == "", line
    gold, found = (lawful.read_corpus(tmp_path / name) for name in ("test.conll", "labelled.conll"))
    assert [one.tokens for one in found] == [one.tokens for one in gold]
    score = lawful.evaluate(gold, found)
    assert score.token_accuracy > 0.9
    hard = [rule for rule in lawful.read_rules(tmp_path / "rules.toml") if rule.price == "hard"]
    assert hard
    assert not any(rule.violations(one.labels, one.tokens) for rule in hard for one in found)
    assert "<html" in (tmp_path / "report.html").read_text()
