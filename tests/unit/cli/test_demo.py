from __future__ import annotations

import pytest

import bylaw
from bylaw.cli.demo_corpus import ADDRESSES, CITATIONS
from bylaw.cli.front import run


def test_the_demo_shows_before_after_reasons_and_prices(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo"]) == 0
    shown = capsys.readouterr().out
    assert "'1837' became title because of: fields end at punctuation or one title or one date" in shown
    assert "dropping 'fields end at punctuation' would regain 0.30" in shown
    assert shown.count("4 of 4 answers are proved best") == 2


def test_every_rule_free_answer_of_the_demo_breaks_a_rule() -> None:
    for task in (CITATIONS, ADDRESSES):
        for sentence in task.sentences:
            lattice = task.lattice(sentence)
            plain = bylaw.decode(lattice).labels
            assert any(task.rules.violations(plain, lattice.tokens, lattice.context).values())
