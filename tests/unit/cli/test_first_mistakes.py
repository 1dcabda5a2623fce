"""What a newcomer gets wrong with files of their own: each error names the file and the line, and says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

import lawful
from lawful.cli.main import run

Shown = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.conll", "2 qty\nflour\n", "a.conll, line 2: expected 2 columns separated by whitespace, found 1: 'flour'; a line is one token with its label, and a blank line"),
        ("a.conll", "2\tqty\nflour name\n", "a.conll, line 2: expected 2 columns separated by '\\t', found 1: 'flour name'; pass --separator whitespace"),
        ("a.jsonl", '{"text": "2 cups", "label": [[0, 1, "qty"]]}', "a.jsonl, line 1: there are no gold labels; marked spans of a text, as doccano exports them, are read with --format doccano"),
        ("a.jsonl", '{"tokens": ["2"], "ner_tags": [1]}', "are read with --format huggingface"),
        ("a.jsonl", '{"text": "2 cups"}', "a.jsonl, line 1: there are no gold labels; each line needs 'labels', as many as tokens"),
        ("a.csv", "sequence;token;label\n1;2;qty\n", "a.csv, line 1: no column 'token'; is 'sequence;token;label' separated by something else? Then say so (--separator ';',"),
        ("a.csv", "2,qty\ncups,unit\n", "a.csv, line 1: no column 'token'; the columns are 2, qty: name that of the tokens or texts (--token NAME"),
        ("a.xml", "<All><One><qty>2</qty> of the <name>flour</name></One></All>", "a.xml, line 1: text 'of the' in <One> has no label; pass --outside O"),
        ("a.ann", "T1\tqty 0 1\t2\n", "a.txt: the text that a.ann marks is expected here"),
    ],
)  # fmt: skip
def test_gold_that_cannot_be_read(
    name: str, text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Shown
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text)
    assert run(["train", name, "-o", "m.lawful"]) == 2
    assert said in capsys.readouterr().err
    assert not Path("m.lawful").exists()


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    lawful.write_corpus([lawful.Sentence(("2", "cups", "flour"), ("qty", "unit", "name"))] * 4, "gold.conll")
    assert run(["train", "gold.conll", "--kind", "hmm", "-o", "m.lawful"]) == 0
    return "m.lawful"


def test_texts_with_as_many_words_are_no_columns_in_silence(model: str, capsys: Shown) -> None:
    Path("texts.txt").write_text("2 cups flour\n3 cups milk\n")
    assert run(["decode", "texts.txt", "-m", model, "-o", "out.txt"]) == 0
    assert "texts.txt is read as columns, one token a line" in capsys.readouterr().err
    assert run(["decode", "texts.txt", "-m", model, "--format", "text", "-o", "out.csv"]) == 0
    assert capsys.readouterr().err == ""
    assert Path("out.csv").read_text().splitlines()[1].startswith("2 cups flour,flour,7:12")
    Path("one.txt").write_text("2 qty\ncups unit\nflour name\n")
    assert run(["decode", "one.txt", "-m", model, "-o", "out.txt"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--label", "nolabel"], "gold.conll, line 1: the label column 'nolabel' is not among"),
        (["--token", "7"], "gold.conll, line 1: the token is to be the 7th column, but there are 2"),
        (["--timeout", "-1"], "--timeout must be a number above 0, got -1.0"),
    ],
)
def test_options_that_do_not_fit(options: list[str], said: str, model: str, capsys: Shown) -> None:
    capsys.readouterr()
    assert run(["decode", "gold.conll", "-m", model, *options]) == 2
    assert capsys.readouterr().err.startswith(f"lawful: {said}")


def test_a_report_tells_of_rules_that_cannot_be_obeyed(model: str, capsys: Shown) -> None:
    lawful.write_rules(
        [lawful.forbid("qty"), lawful.at_least(1, "qty")], "rules.toml", labels=["name", "qty", "unit"]
    )
    assert run(["report", "gold.conll", "-m", model, "-r", "rules.toml"]) == 0
    assert "; 4 cannot obey all hard rules, and break as few as they can" in capsys.readouterr().out


def test_plain_types_become_chunks(model: str, capsys: Shown) -> None:
    Path("flat.conll").write_text("2 qty\n1/2 qty\nof O\nflour name\n")
    assert run(["convert", "flat.conll", "--to", "BILOU"]) == 2
    assert "`lawful convert --from flat`" in capsys.readouterr().err
    assert run(["convert", "flat.conll", "--from", "flat", "--to", "BILOU", "-o", "chunks.conll"]) == 0
    assert Path("chunks.conll").read_text() == "2 B-qty\n1/2 L-qty\nof O\nflour U-name\n\n"


def test_tokens_may_be_empty(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"tokens": ["2", ""], "labels": ["qty", "name"]}\n')
    assert run(["train", str(tmp_path / "a.jsonl"), "-o", str(tmp_path / "m.lawful")]) == 0


def test_a_tokenizer_with_a_wrong_name_is_no_expression(model: str, capsys: Shown) -> None:
    Path("texts.txt").write_text("2 cups\n3 cups flour\n")
    assert run(["decode", "texts.txt", "-m", model, "--tokenizer", "wrds"]) == 2
    assert "unknown tokenizer 'wrds'; did you mean 'words'?" in capsys.readouterr().err
    assert (
        run(
            ["decode", "texts.txt", "-m", model, "--tokenizer", "[0-9]+", "-o", "out.jsonl", "--to", "fields"]
        )
        == 0
    )
    assert Path("out.jsonl").read_text().startswith('{"text": "2 cups", "fields": {"qty"')


def test_texts_without_tokens_stay(model: str) -> None:
    Path("texts.txt").write_text("2 cups\ncups of flour\n")
    assert (
        run(
            ["decode", "texts.txt", "-m", model, "--tokenizer", "[0-9]+", "-o", "out.jsonl", "--to", "fields"]
        )
        == 0
    )
    assert Path("out.jsonl").read_text().splitlines()[1] == '{"text": "cups of flour", "fields": {}}'


def test_models_of_other_labels_are_told_in_a_vote(model: str, capsys: Shown) -> None:
    Path("few.conll").write_text("2 qty\nflour name\n")
    assert run(["train", "few.conll", "--kind", "hmm", "-o", "few.lawful"]) == 0
    capsys.readouterr()
    assert run(["vote", "gold.conll", "-m", model, "-m", "few.lawful", "-o", "out.conll"]) == 0
    assert (
        "lawful: few.lawful does not know the label 'unit', and gives it no chance" in capsys.readouterr().err
    )


def test_the_scheme_that_is_named_must_fit(model: str, capsys: Shown) -> None:
    Path("flat.conll").write_text("2 qty\nflour name\n")
    assert run(["convert", "flat.conll", "--from", "BIO", "--to", "BILOU"]) == 2
    assert "flat.conll, line 1: 'qty' is none of BIO, whose tags are" in capsys.readouterr().err
