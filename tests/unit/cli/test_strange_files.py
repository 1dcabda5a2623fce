"""What people really have: other people's CSV, files from Windows, files that are no corpora, outputs that cannot be written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import lawful
from lawful.cli.main import run

SOURCE = str(Path(lawful.__file__).parents[1])
Shown = pytest.CaptureFixture[str]


@pytest.fixture
def folder(made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With a model of words alone, and one that looks at a column."""
    monkeypatch.chdir(tmp_path)
    for number, more in (("2", ""), ("3", " NN")):
        text = "\n".join(
            f"{token}{more} {label}" if token else ""
            for token, _, label in (
                line.partition("\t") for line in Path(made.test).read_text().splitlines()[:300]
            )
        )
        Path(f"{number}.conll").write_text(text + "\n")
    Path("3.conll").write_text(Path("3.conll").read_text().replace("and NN", "and CC"))
    for number in "23":
        assert run(["train", f"{number}.conll", "-o", f"{number}.lawful", "--max-iterations", "3"]) == 0
    return tmp_path


class TestCsv:
    TEXT = "nr,word,pos,ner,note\n7,in,IN,O,x\n7,Bonn,NE,City,y\n9,Ulm,NE,City,z\n"

    @pytest.fixture(autouse=True)
    def trained(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("my.csv").write_text(self.TEXT)
        assert run(["train", "my.csv", "--sequence", "nr", "-o", "m.lawful"]) == 0

    def test_columns_and_names_of_sequences_stay(self, capsys: Shown) -> None:
        assert run(["decode", "my.csv", "--sequence", "nr", "-m", "m.lawful", "-o", "out.csv"]) == 0
        assert Path("out.csv").read_text() == (
            "nr,word,pos,ner,note,predicted\n7,in,IN,O,x,O\n7,Bonn,NE,City,y,City\n9,Ulm,NE,City,z,City\n"
        )
        more = ["--sequence", "nr", "--label-column", "replace", "-o", "again.csv"]
        assert run(["decode", "my.csv", "-m", "m.lawful", *more]) == 0
        assert Path("again.csv").read_text() == self.TEXT

    def test_evaluate_finds_what_decode_added(self, capsys: Shown) -> None:
        Path("out.csv").write_text(
            "nr,word,pos,ner,note,predicted\n7,in,IN,O,x,O\n7,Bonn,NE,City,y,O\n9,Ulm,NE,City,z,O\n"
        )
        names = ["--sequence", "nr", "--token", "word", "--label", "ner"]
        for asked in (["my.csv", "out.csv", *names], ["my.csv", "out.csv", "--sequence", "nr"]):
            capsys.readouterr()
            assert run(["evaluate", *asked, "--json"]) == 0
            assert json.loads(capsys.readouterr().out)["token_accuracy"] == pytest.approx(1 / 3)
        assert run(["evaluate", "out.csv", *names, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["token_accuracy"] == pytest.approx(1 / 3)

    def test_rows_of_one_token_need_a_sequence(self, capsys: Shown) -> None:
        capsys.readouterr()
        assert run(["train", "my.csv", "-o", "x.lawful"]) == 2
        printed = capsys.readouterr().err
        assert "my.csv, line 2: each row has one token ('word')" in printed and "--sequence NAME" in printed
        assert "of nr, pos, ner, note" in printed
        assert run(["train", "my.csv", "-o", "x.lawful", "--sequence", "none"]) == 0
        assert "from 3 sequences" in capsys.readouterr().out

    def test_a_model_of_columns_says_where_they_are_in_other_formats(self, capsys: Shown) -> None:
        Path("bare.jsonl").write_text('{"tokens": ["in", "Bonn"]}\n')
        assert run(["train", "my.csv", "--sequence", "nr", "-o", "p.lawful", "--features", "f.toml"]) == 2
        Path("f.toml").write_text('templates = ["lower", { column = "pos" }]\n')
        assert run(["train", "my.csv", "--sequence", "nr", "-o", "p.lawful", "--features", "f.toml"]) == 0
        capsys.readouterr()
        assert run(["decode", "bare.jsonl", "-m", "p.lawful"]) == 2
        printed = capsys.readouterr().err
        assert "p.lawful was trained on the columns word, pos, ner, note" in printed
        assert 'In JSONL the columns are under "columns"' in printed


@pytest.mark.parametrize("change", ["crlf", "bom", "latin-1"])
def test_files_of_other_systems_give_the_same(folder: Path, change: str, capsys: Shown) -> None:
    text = Path("2.conll").read_text().replace(" author", " Verfässer")
    data = {
        "crlf": text.replace("\n", "\r\n").encode(), "bom": b"\xef\xbb\xbf" + text.encode(), "latin-1": text.encode("latin-1"),
    }[change]  # fmt: skip
    Path("plain.conll").write_text(text, encoding="utf-8")
    Path("other.conll").write_bytes(data)
    more = ["--text-encoding", "latin-1"] if change == "latin-1" else []
    capsys.readouterr()
    assert run(["decode", "plain.conll", "-m", "2.lawful"]) == 0
    wanted = capsys.readouterr().out
    assert run(["decode", "other.conll", "-m", "2.lawful", *more]) == 0
    assert capsys.readouterr().out == wanted


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a " * 500_000 + b"O\n", "bad.conll, line 1: 500,001 columns, more than 4,096: there must be one token per line"),
        (b"a" * 1_000_000 + b" X\n", "bad.conll, line 1: position 0: token 'aaa"),
        (b"Z\xfcrich O\n", "byte 0xfc at 2 is not utf-8; convert the file, or name its encoding (--text-encoding latin-1)"),
        (bytes(range(256)) * 20, "bad.conll, line"),
        ("a O\n".encode("utf-16"), "this is UTF-16 text"),
    ],
    ids=["columns", "token", "latin-1", "binary", "utf-16"],
)  # fmt: skip
def test_what_is_no_corpus_is_told_in_a_line(folder: Path, data: bytes, message: str, capsys: Shown) -> None:
    Path("bad.conll").write_bytes(data)
    capsys.readouterr()
    assert run(["decode", "bad.conll", "-m", "3.lawful", "-o", "out.conll"]) == 2
    printed = capsys.readouterr().err
    assert message in printed and len(printed) < 400 and "bug in lawful" not in printed
    assert not Path("out.conll").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "2.conll", "--max-iterations", "1", "-o"],
        ["decode", "2.conll", "-m", "2.lawful", "-o"],
        ["mine", "2.conll", "-o"],
        ["lint", "{rules}", "2.conll", "--write-prices"],
        ["report", "2.conll", "-m", "2.lawful", "-r", "{rules}", "--limit", "1", "-o"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_output_that_cannot_be_written(folder: Path, made, arguments: list[str], capsys: Shown) -> None:
    command = [one.format(**made._asdict()) for one in arguments]
    for place, why in (("no/where", "there is no folder no"), (".", "it is a folder, not a file")):
        assert run([*command, place]) == 2
        assert f"lawful: {place}: cannot be written: {why}" in capsys.readouterr().err


def test_decode_may_write_over_its_input(folder: Path) -> None:
    assert run(["decode", "2.conll", "-m", "2.lawful", "-o", "wanted.conll"]) == 0
    assert run(["decode", "2.conll", "-m", "2.lawful", "-o", "2.conll"]) == 0
    assert Path("2.conll").read_bytes() == Path("wanted.conll").read_bytes()
    model = Path("2.lawful").read_bytes()
    assert run(["decode", "2.conll", "-m", "2.lawful", "-o", "./2.lawful"]) == 2  # but not over its model
    assert Path("2.lawful").read_bytes() == model


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--on-infeasible", "least_bda"], "--on-infeasible must be 'raise' or 'least-bad', got 'least_bda'"),
        (["--on-exceed", "x"], "--on-exceed must be 'plain' or 'raise', got 'x'"),
    ],
)
def test_choices_are_told_as_they_are_typed(
    folder: Path, options: list[str], message: str, capsys: Shown
) -> None:
    assert run(["decode", "2.conll", "-m", "2.lawful", *options]) == 2
    assert message in capsys.readouterr().err


def test_a_file_without_the_context_that_a_rule_needs(folder: Path, capsys: Shown) -> None:
    Path("r.toml").write_text(
        '[[rule]]\nkind = "label_at"\nposition = { context = "verb" }\nlabels = "title"\n'
    )
    assert run(["decode", "2.conll", "-m", "2.lawful", "-r", "r.toml"]) == 2
    assert "in JSONL, as the key 'verb' beside the tokens" in capsys.readouterr().err


@pytest.mark.parametrize("over", ["2.conll", "./2.lawful", "r.toml"])
def test_a_report_is_not_written_over_what_it_tells_of(folder: Path, made, over: str, capsys: Shown) -> None:
    Path("r.toml").write_bytes(Path(made.rules).read_bytes())
    before = Path(over).read_bytes()
    assert run(["report", "2.conll", "-m", "2.lawful", "-r", "r.toml", "-o", over]) == 2
    assert f"the output {over} would overwrite the input" in capsys.readouterr().err
    assert Path(over).read_bytes() == before


@pytest.mark.parametrize("command", ["evaluate 2.conll 2.conll --rules r.toml", "lint r.toml 2.conll"])
def test_rules_about_labels_that_nobody_has(folder: Path, command: str, capsys: Shown) -> None:
    Path("r.toml").write_text('[[rule]]\nkind = "forbid"\nlabels = "autor"\n')
    capsys.readouterr()
    assert run(command.split()) == 0
    assert capsys.readouterr().err == (
        "lawful: r.toml, line 1: no sequence has the label 'autor', so this rule always holds; did you mean 'author'?\n"
    )
    Path("r.toml").write_text('labels = ["autor", "title"]\n[[rule]]\nkind = "forbid"\nlabels = "autor"\n')
    assert run(command.split()) == 0  # declared: it may be rare
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", ["train 2.conll", "mine 2.conll", "lint r.toml 2.conll"])
@pytest.mark.parametrize(
    ("output", "message"),
    [("2.conll", "would overwrite the input 2.conll"), ("no/out", "there is no folder no")],
)
def test_outputs_that_cannot_be_are_refused_before_the_work(
    folder: Path, command: str, output: str, message: str, capsys: Shown
) -> None:
    Path("r.toml").write_text("")
    before = Path("2.conll").read_bytes()
    option = "--write-prices" if command.startswith("lint") else "-o"
    assert run([*command.split(), option, output]) == 2
    assert message in capsys.readouterr().err
    assert Path("2.conll").read_bytes() == before


def test_a_rule_about_an_unknown_label_is_told_before_training(folder: Path, capsys: Shown) -> None:
    Path("r.toml").write_text('[[rule]]\nkind = "forbid"\nlabels = "autor"\n')
    assert run(["train", "2.conll", "--dev", "2.conll", "--rules", "r.toml", "-o", "new.lawful"]) == 2
    printed = capsys.readouterr().err
    assert "r.toml" in printed and "did you mean 'author'?" in printed
    assert not Path("new.lawful").exists()


def test_mine_has_one_stdout(folder: Path, capsys: Shown) -> None:
    assert run(["mine", "2.conll", "--json", "-o", "-"]) == 2
    assert "would both write to stdout" in capsys.readouterr().err
    assert run(["mine", "2.conll", "--families", ","]) == 2
    assert "no families of rules" in capsys.readouterr().err


def test_explain_advises_only_what_can_be_done(folder: Path, capsys: Shown) -> None:
    Path("r.toml").write_text(
        '[[rule]]\nkind = "forbid"\nlabels = "title"\n[[rule]]\nkind = "at_least"\nn = 1\nlabels = "title"\n'
    )
    for more in ([], ["-n", "1"]):
        capsys.readouterr()
        assert run(["explain", "2.conll", "-m", "2.lawful", "-r", "r.toml", *more]) == 1
        assert "or run `lawful decode` with --on-infeasible least-bad for" in capsys.readouterr().err


def test_a_rule_file_without_rules(folder: Path, capsys: Shown) -> None:
    Path("r.toml").write_text("")
    capsys.readouterr()
    assert run(["rules", "r.toml"]) == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "r.toml has no rules\n")


@pytest.mark.parametrize(
    "command", ["decode {test} -m {model}", "explain {test} -m {model} -r {rules} --all", "mine {gold}"]
)
def test_a_reader_that_leaves_is_no_error(made, command: str) -> None:
    words = command.format(**made._asdict()).split()
    writer = subprocess.Popen(
        [sys.executable, "-m", "lawful", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": SOURCE},
    )  # fmt: skip
    assert writer.stdout is not None and writer.stderr is not None
    writer.stdout.close()
    with writer.stderr as stderr:
        printed = stderr.read()
    assert (writer.wait(timeout=120), printed) == (1, b"")
