"""`lawful decode`: the labels, where they are written, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import lawful
from lawful.cli.main import run


def predicted(made, rules: str | None = None, **options: object) -> list[list[str]]:
    """What the library says, without the command line."""
    gold = lawful.read_corpus(made.test)
    held = None if rules is None else lawful.read_rules(rules)
    return lawful.load_model(made.model).predict([one.tokens for one in gold], held, **options)


def labels_in(path: Path, **options: object) -> list[list[str]]:
    return [list(one.labels or ()) for one in lawful.read_corpus(path, **options)]


@pytest.mark.parametrize("rules", [False, True])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_labels_are_those_of_the_library(made, tmp_path: Path, rules: bool, jobs: str) -> None:
    out = tmp_path / "out.conll"
    more = ["--rules", made.rules] if rules else []
    assert run(["decode", made.test, "--model", made.model, *more, "-o", str(out), "--jobs", jobs]) == 0
    assert labels_in(out) == predicted(made, made.rules if rules else None)
    assert predicted(made) != predicted(made, made.rules)
    gold = lawful.read_corpus(made.test)
    assert [one.labels for one in gold] == [one.columns["2"] for one in lawful.read_corpus(out)]


def test_stdin_to_stdout_in_small_parts(
    made, give_stdin: Callable[[bytes], None], capsys: pytest.CaptureFixture[str]
) -> None:
    give_stdin(Path(made.test).read_bytes())
    assert run(["decode", "-m", made.model, "-r", made.rules, "--batch-tokens", "50"]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    found = [line.split("\t")[2] for line in shown.out.splitlines() if line]
    assert found == [label for labels in predicted(made, made.rules) for label in labels]


def test_replace_and_unlabelled_input(made, tmp_path: Path) -> None:
    out, bare = tmp_path / "out.conll", tmp_path / "bare.conll"
    assert run(["decode", made.test, "-m", made.model, "--label-column", "replace", "-o", str(out)]) == 0
    assert labels_in(out) == predicted(made)
    assert {len(line.split("\t")) for line in out.read_text().splitlines() if line} == {2}
    lines = Path(made.test).read_text().splitlines()
    bare.write_text("\n".join(line.split("\t")[0] for line in lines) + "\n")
    assert run(["decode", str(bare), "-m", made.model, "-o", str(tmp_path / "two")]) == 0
    assert (tmp_path / "two").read_text() == out.read_text().replace("\t", " ")


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet", "columns"])
def test_formats_out_and_in_again(made, tmp_path: Path, format: str) -> None:
    out, again = tmp_path / f"out.{format}", tmp_path / "again.conll"
    assert (
        run(["decode", made.jsonl, "-m", made.model, "-r", made.rules, "-o", str(out), "--to", format]) == 0
    )
    found = lawful.read_corpus(out, format)
    assert [list(one.labels or ()) for one in found] == predicted(made, made.rules)
    gold = "gold" if format != "columns" else "2"
    assert [one.columns[gold] for one in found] == [one.labels for one in lawful.read_corpus(made.test)]
    assert (
        run(["decode", str(out), "--format", format, "-m", made.model, "-o", str(again), "--to", "columns"])
        == 0
    )
    assert labels_in(again) == predicted(made)


def test_details_as_json(made, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["decode", made.test, "-m", made.model, "-r", made.rules, "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    plain, ruled = predicted(made), predicted(made, made.rules)
    assert [one["decoding"]["plain_labels"] for one in records] == plain
    for one, before, after in zip(records, plain, ruled, strict=True):
        assert one["labels"] == after
        assert one["decoding"]["changed"] == [t for t in range(len(after)) if before[t] != after[t]]
        assert one["decoding"]["status"] == "optimal"
        assert (one["decoding"]["loss"] > 0) or before == after


def test_the_explain_column_has_what_was_changed(
    made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.conll"
    assert (
        run(["decode", made.test, "-m", made.model, "-r", made.rules, "--explain-column", "-o", str(out)])
        == 0
    )
    found = lawful.read_corpus(out, columns="token,plain,gold,label")
    for one, before, after in zip(found, predicted(made), predicted(made, made.rules), strict=True):
        assert list(one.labels or ()) == after
        restored = [was if was != "_" else now for was, now in zip(one.columns["plain"], after, strict=True)]
        assert restored == before
    assert (
        run(["evaluate", str(out), "--json"]) == 0
    )  # gold and predicted are side by side, as without the column
    right = lawful.evaluate(lawful.read_corpus(made.test), predicted(made, made.rules)).token_accuracy
    assert json.loads(capsys.readouterr().out)["token_accuracy"] == right


def test_options_reach_the_decoder(made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.conll"
    base = ["decode", made.test, "-m", made.model, "-o", str(out)]
    assert run([*base, "-r", made.rules, "--max-loss", "0.0", "--on-exceed", "plain"]) == 0
    assert labels_in(out) == predicted(made)
    assert run([*base, "-r", made.rules, "--solver", "relaxation"]) == 0
    assert labels_in(out) == predicted(made, made.rules)
    capsys.readouterr()
    assert run([*base, "-r", made.rules, "--max-loss", "0.0", "--on-exceed", "raise"]) == 1
    assert "--on-exceed plain" in capsys.readouterr().err
    assert run([*base, "--solver", "magic"]) == 2
    assert "magic" in capsys.readouterr().err
    assert run([*base, "--on-limit", "ignore"]) == 2
    assert run([*base, "--jobs", "0"]) == 2


def test_what_cannot_hold_is_told_with_its_line(
    made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, out = tmp_path / "clash.toml", tmp_path / "out.conll"
    rules.write_text(
        '[[rule]]\nname = "no title"\nkind = "forbid"\nlabels = "title"\n'
        '[[rule]]\nname = "titles"\nkind = "at_least"\nn = 1\nlabels = "title"\n'
    )
    out.write_text("as it was")
    base = ["decode", made.test, "-m", made.model, "-r", str(rules), "-o", str(out)]
    assert run(base) == 1
    printed = capsys.readouterr().err
    assert printed.startswith(f"lawful: {made.test}, line 1: rules 'no title', 'titles' cannot all hold")
    assert "--on-infeasible least-bad" in printed
    assert out.read_text() == "as it was"
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []
    assert run([*base, "--on-infeasible", "least-bad"]) == 0
    assert "40 sequences cannot obey all hard rules" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{test}", "-m", "{test}"], "this is not a model file of lawful"),
        (["{test}", "-m", "none.lawful"], "none.lawful: cannot be opened: No such file"),
        (["none.conll", "-m", "{model}"], "none.conll: cannot be opened"),
        (["{folder}", "-m", "{model}"], "this is a folder"),
        (["{test}", "-m", "{model}", "-r", "{test}"], "test.conll, line 1"),
        (["-", "-m", "{model}", "-r", "-"], "only one of the files can be stdin"),
        (["{test}", "-m", "{model}", "--to", "text"], "--to text: the formats that can be written are"),
        (["{test}", "-m", "{model}", "--format", "exel"], "unknown --format 'exel'"),
        (["{test}", "-m", "{model}", "--label-column", "both"], "--label-column must be add or replace"),
        (["{jsonl}", "-m", "{model}", "--columns", "a,b"], "--columns is not an option of the format 'jsonl'"),
        (["{test}", "-m", "{model}", "--token", "0"], "columns are counted from 1"),
        (["{test}", "-m", "{model}", "--columns", "word"], "expected 1 column"),
        (["{test}", "-m", "{model}", "--features", "x.toml"], "x.toml"),
        (["{test}", "-m", "{model}", "--cluster", "tcp://127.0.0.1:9"], "no Dask scheduler answers"),
        (["{test}"], "model"),
    ],
)  # fmt: skip
def test_bad_input_is_told_without_a_traceback(
    made,
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("lawful.cli.work.running.cluster.SECONDS_TO_ANSWER", 0.5)
    assert run(["decode", *(one.format(**made._asdict()) for one in arguments)]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert "Traceback" not in printed and "bug in lawful" not in printed


def test_a_context_rule_sees_the_sentence_s_context(made, tmp_path: Path) -> None:
    rules, out, source = tmp_path / "r.toml", tmp_path / "out.jsonl", tmp_path / "in.jsonl"
    rules.write_text('[[rule]]\nkind = "uniform"\n')
    source.write_text(
        '{"tokens": ["J", ".", "Smith", ".", "Notes"], "spans": [[0, 5]]}\n{"tokens": [], "spans": []}\n'
    )
    assert run(["decode", str(source), "-m", made.model, "-r", str(rules), "-o", str(out)]) == 0
    first, second = (json.loads(line) for line in out.read_text().splitlines())
    assert len(set(first["labels"])) == 1
    assert second == {"tokens": [], "labels": [], "spans": []}


def test_prices_beside_a_perceptron_are_warned_about(
    made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "perceptron.lawful"
    train = ["train", made.gold, "-o", str(model), "--algorithm", "averaged_perceptron"]
    assert run([*train, "--max-iterations", "2"]) == 0
    hard = tmp_path / "hard.toml"
    hard.write_text('[[rule]]\nkind = "at_most_segments"\nn = 1\nlabels = "title"\n')
    for rules, told in ((made.rules, 1), (str(hard), 0)):
        assert run(["decode", made.test, "-m", str(model), "-r", rules, "-o", str(tmp_path / "out")]) == 0
        assert capsys.readouterr().err.count("lawful.learning.calibrate(model, held_out)") == told
