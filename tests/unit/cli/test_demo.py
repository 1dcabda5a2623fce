from __future__ import annotations

from typer.testing import CliRunner

import bylaw
from bylaw.cli.app import app
from bylaw.cli.demo_corpus import ADDRESSES, CITATIONS

runner = CliRunner(env={"COLUMNS": "200"})


def test_the_demo_shows_before_after_reasons_and_prices() -> None:
    shown = runner.invoke(app, ["demo"])
    assert shown.exit_code == 0
    assert (
        "'1837' became title because of: fields end at punctuation or one title or one date" in shown.output
    )
    assert "dropping 'fields end at punctuation' would regain 0.30" in shown.output
    assert shown.output.count("4 of 4 answers are proved best") == 2


def test_every_rule_free_answer_of_the_demo_breaks_a_rule() -> None:
    for task in (CITATIONS, ADDRESSES):
        for sentence in task.sentences:
            lattice = task.lattice(sentence)
            plain = bylaw.decode(lattice).labels
            assert any(task.rules.violations(plain, lattice.tokens, lattice.context).values())


def test_version() -> None:
    assert runner.invoke(app, ["--version"]).output == f"bylaw {bylaw.__version__}\n"


def test_an_unknown_command_is_bad_input() -> None:
    assert runner.invoke(app, ["demon"]).exit_code == 2
