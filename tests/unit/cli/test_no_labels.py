"""Answers that a limit left without labels, and answers that break hard rules: no command passes them on in silence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import lawful
from lawful.cli.main import run
from lawful.voting import explain_vote, vote_on

LABELS = [f"L{number}" for number in range(10)]
NOTHING_FOUND = (
    "a limit ended the search before it found any labels that obey the rules: raise --timeout or --max-states"
)
OR_SKIP = ", or leave such sequences out with --on-limit skip"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    for name in "ab":
        lines = [f"w{number} {rng.choice(LABELS)}" for number in range(60)]
        Path(f"{name}.conll").write_text("\n".join(lines) + "\n")
    each = [rule(label) for label in LABELS for rule in (six_times, once)]
    lawful.write_rules(lawful.Rules(each), "hard.toml")
    lawful.write_rules(lawful.Rules(lawful.at_least(1, "L0"), lawful.at_most(0, "L0")), "against.toml")


def six_times(label: str) -> lawful.Rule:
    return lawful.exactly(6, label)


def six_times_or_few(label: str) -> lawful.Rule:
    return six_times(label) | lawful.at_most(1, label)


def once(label: str) -> lawful.Rule:
    return lawful.at_most_segments(1, label)


@pytest.mark.parametrize("more", [[], ["--json"], ["--to", "fields"]])
def test_decoding(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    gold = lawful.read_corpus("a.conll")
    lawful.HMM().fit([one.tokens for one in gold], [one.labels for one in gold]).save("hmm.lawful")
    base = ["decode", "a.conll", "-m", "hmm.lawful", "-r", "hard.toml", "--max-states", "5"]
    assert run([*base, "--on-limit", "bounded", *more]) == 1
    shown = capsys.readouterr()
    assert shown.err == f"lawful: a.conll, line 1: {NOTHING_FOUND}{OR_SKIP}\n"


@pytest.mark.parametrize("more", [[], ["--json"], ["--to", "fields"], ["--confidence-column"]])
def test_decoding_may_leave_sequences_out(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    gold = lawful.read_corpus("a.conll")
    lawful.HMM().fit([one.tokens for one in gold], [one.labels for one in gold]).save("hmm.lawful")
    short = lawful.Sentence(("w1", "w2"), ("L1", "L2"))
    lawful.write_corpus([short, lawful.Sentence((), ()), *gold, short], "three.jsonl")
    each = [rule(label) for label in LABELS for rule in (six_times_or_few, once)]
    lawful.write_rules(lawful.Rules(each), "if_long.toml")
    base = ["decode", "three.jsonl", "-m", "hmm.lawful", "-r", "if_long.toml", "--max-states", "5"]
    assert run([*base, "--on-limit", "skip", "-o", "out", *more]) == 1
    told = f"lawful: 1 sequence was left out: {NOTHING_FOUND}\n  sequence 3 (three.jsonl, line 3)\n"
    assert capsys.readouterr().err == told
    assert len(Path("out").read_text().splitlines()) == 3


@pytest.mark.parametrize("more", [[], ["--json"], ["--explain"], ["--method", "linear"]])
def test_votes(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    base = ["vote", "a.conll", "b.conll", "-r", "hard.toml", "--max-states", "5", "--on-limit", "bounded"]
    assert run([*base, *more]) == 1
    shown = capsys.readouterr()
    assert shown.out == "" and shown.err == f"lawful: a.conll, line 1: {NOTHING_FOUND}{OR_SKIP}\n"


@pytest.mark.parametrize("more", [[], ["--explain"]])
def test_votes_may_leave_sequences_out(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for name in "ab":
        file = Path(f"{name}.conll")
        file.write_text(file.read_text() + "\nw1 L1\nw2 L2\n")
    each = [rule(label) for label in LABELS for rule in (six_times_or_few, once)]
    lawful.write_rules(lawful.Rules(each), "if_long.toml")
    base = ["vote", "a.conll", "b.conll", "-r", "if_long.toml", "--max-states", "5", "--on-limit", "skip"]
    assert run([*base, *more]) == 1
    shown = capsys.readouterr()
    assert f"lawful: 1 sequence was left out: {NOTHING_FOUND}\n  sequence 1 (a.conll, line 1)\n" in shown.err
    assert shown.out == ("" if more else "w1 L1\nw2 L2\n\n")


def test_nobody_agrees_where_everything_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    base = ["vote", "a.conll", "b.conll", "-r", "hard.toml", "--max-states", "5", "--explain"]
    assert run([*base, "--on-limit", "skip"]) == 1
    assert capsys.readouterr().err.startswith("lawful: 1 sequence was left out: ")


def test_a_limit_has_three_ends(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vote", "a.conll", "b.conll", "--on-limit", "skp"]) == 2
    assert capsys.readouterr().err == "lawful: --on-limit must be 'raise', 'bounded' or 'skip', got 'skp'\n"


def test_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    gold = lawful.read_corpus("a.conll")
    lawful.HMM().fit([one.tokens for one in gold], [one.labels for one in gold]).save("hmm.lawful")
    assert run(["report", "a.conll", "-m", "hmm.lawful", "-r", "hard.toml", "--timeout", "0.0001"]) == 1
    shown = capsys.readouterr()
    nothing_found = NOTHING_FOUND.removesuffix(" or --max-states")  # which this command does not have
    assert shown.out == "" and shown.err == f"lawful: a.conll, line 1: {nothing_found}\n"
    assert not Path("report.html").exists()


def test_an_explanation_does_not_invent_a_winner() -> None:
    lattices = [lawful.Lattice(np.random.default_rng(1).normal(size=(60, 10)), labels=LABELS)] * 2
    hard = lawful.read_rules("hard.toml")
    vote = vote_on(lattices, rules=hard, max_states=5, on_limit="bounded")
    explanation = explain_vote(vote)
    assert vote.labels == () and explanation.headline == "A limit ended the vote before any labels were found"
    assert str(explanation) == explanation.headline == explanation.to_dict()["headline"]


@pytest.mark.parametrize("more", [[], ["--explain"], ["--method", "repaired", "--json"]])
def test_a_vote_that_breaks_rules_says_so(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    base = ["vote", "a.conll", "b.conll", "-r", "against.toml", "--on-infeasible", "least-bad"]
    assert run([*base, *more]) == 0
    shown = capsys.readouterr()
    assert "1 sequence cannot obey all hard rules; the labels with the fewest" in shown.err
    if "--explain" in more:
        assert "no labels obey all hard rules, and these break" in shown.out and "best" not in shown.out
