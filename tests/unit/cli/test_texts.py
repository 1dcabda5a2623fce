"""Text in, fields out: the same tokens by every door."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import lawful
from lawful.cli.main import run

TEXT = "Lee, A. and Oh, B. (1999). On rules and lattices. Journal of Rules, 12, 3-14."


def test_lines_of_text_become_fields(made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "refs.txt"
    source.write_text(f"{TEXT}\n\nOh, B. (2001). Notes on labels.\n")
    assert run(["decode", str(source), "-m", made.model, "-r", made.rules]) == 0
    printed = capsys.readouterr()
    assert "is read as text, one sequence a line" in printed.err
    first, second = map(json.loads, printed.out.splitlines())
    assert first["text"] == TEXT
    for record in (first, second):
        for fields in record["fields"].values():
            assert all(record["text"][field["start"] : field["end"]] == field["text"] for field in fields)
    table = tmp_path / "refs.csv"
    assert (
        run(["decode", str(source), "-m", made.model, "-r", made.rules, "--format", "text", "-o", str(table)])
        == 0
    )
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    assert rows[0]["author"] == " | ".join(field["text"] for field in first["fields"]["author"])
    assert set(first["fields"]) <= set(rows[0])


def test_every_door_cuts_a_text_alike(made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = lawful.load_model(made.model)
    tokens = list(model.cut_texts([TEXT])[0].tokens)
    labels = model.predict([TEXT])[0]
    lines = tmp_path / "refs.txt"
    lines.write_text(f"{TEXT}\n")
    objects = tmp_path / "refs.jsonl"
    objects.write_text(json.dumps({"text": TEXT}))
    for path, more in ((lines, ["--format", "text", "--to", "jsonl"]), (objects, [])):
        assert run(["decode", str(path), "-m", made.model, *more]) == 0
        record = json.loads(capsys.readouterr().out)
        assert (record["tokens"], record["labels"]) == (tokens, labels)
        assert [TEXT[start:end] for start, end in record["offsets"]] == tokens
    assert run(["explain", "-m", made.model, "-r", made.rules, "--text", TEXT, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["tokens"] == tokens


def test_texts_in_a_column(made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows with an id each are no sequences of one token: a whole title was one."""
    tokens = lawful.load_model(made.model).cut_texts([TEXT])[0].tokens
    table, objects = tmp_path / "refs.csv", tmp_path / "refs.jsonl"
    table.write_text(f'id,ref,price\n7,"{TEXT}",9\n8,"Oh, B. (2001). Notes on labels.",\n')
    objects.write_text(json.dumps({"id": "7", "ref": TEXT, "price": "9"}) + "\n")
    for path in (table, objects):
        assert run(["decode", str(path), "-m", made.model, "--token", "ref", "--json"]) == 0
        record = json.loads(capsys.readouterr().out.splitlines()[0])
        assert (tuple(record["tokens"]), record["id"], record["price"]) == (tokens, "7", "9")
    fields = tmp_path / "fields.csv"
    assert (
        run(["decode", str(table), "-m", made.model, "--token", "ref", "--to", "fields", "-o", str(fields)])
        == 0
    )
    rows = list(csv.DictReader(io.StringIO(fields.read_text())))
    assert [(row["text"][:2], row["id"], row["price"]) for row in rows] == [("Le", "7", "9"), ("Oh", "8", "")]
    assert rows[0]["author"]


def test_a_table_of_one_column_says_how_it_is_read(
    made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "refs.csv"
    table.write_text(f'ref\n"{TEXT}"\n')
    assert run(["decode", str(table), "-m", made.model]) == 2
    assert "the only one is 'ref'. If each row is a text, name it (--token NAME" in capsys.readouterr().err
    assert run(["decode", str(table), "-m", made.model, "--token", "ref", "--to", "fields"]) == 0
    assert json.loads(capsys.readouterr().out)["text"] == TEXT


def test_a_tokenizer_can_be_chosen(made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "m.lawful")
    assert run(["train", made.gold, "-o", out, "--tokenizer", "blanks", "--kind", "hmm"]) == 0
    assert "texts are cut into tokens by 'blanks'" in capsys.readouterr().out
    assert lawful.load_model(out).cut_texts(["Lee, A."])[0].tokens == ("Lee,", "A.")
    source = tmp_path / "refs.txt"
    source.write_text("Lee, A.\n")
    arguments = [
        "decode",
        str(source),
        "-m",
        out,
        "--format",
        "text",
        "--to",
        "jsonl",
        "--tokenizer",
        "marks",
    ]
    assert run(arguments) == 0
    assert json.loads(capsys.readouterr().out)["tokens"] == ["Lee", ",", "A", "."]
    assert run([*arguments[:-1], "("]) == 2
    assert "no regular expression" in capsys.readouterr().err


@pytest.fixture
def with_columns(tmp_path: Path) -> str:
    gold = tmp_path / "gold.conll"
    gold.write_text("to TO O\nBonn NE City\n\nin IN O\nUlm NE City\n\n" * 8)
    return str(gold)


def test_a_model_of_more_columns_than_words_says_so_once(
    with_columns: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = str(tmp_path / "m.lawful")
    assert run(["train", with_columns, "-o", model, "--kind", "crf"]) == 0
    assert "it reads the column 2 besides words, so it cannot label plain text" in capsys.readouterr().out
    source = tmp_path / "t.txt"
    source.write_text("to Bonn\n")
    for arguments in (
        ["decode", str(source), "-m", model, "--format", "text"],
        ["explain", "-m", model, "--text", "to Bonn"],
        ["serve", "--no-open", "-m", model],
    ):
        assert run(arguments) == 2
        assert "it reads the column 2, which a text does not have" in capsys.readouterr().err


def test_train_columns_leaves_columns_out(
    with_columns: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = str(tmp_path / "m.lawful")
    assert run(["train", with_columns, "--columns", "word,_,label", "-o", model, "--kind", "crf"]) == 0
    assert run(["explain", "-m", model, "--text", "to Ulm", "--json"]) == 0
    capsys.readouterr()
    assert run(["decode", with_columns, "-m", model]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "to TO O O"


def test_a_model_that_chose_its_templates_in_python_labels_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = lawful.CRF(max_iterations=5).fit([["in", "Bonn"], ["to", "Ulm"]], [["O", "City"], ["O", "City"]])
    model.save(tmp_path / "model.lawful")
    (tmp_path / "texts.txt").write_text("in Bonn\n", encoding="utf-8")
    arguments = [str(tmp_path / "texts.txt"), "-m", str(tmp_path / "model.lawful"), "--format", "text"]
    assert run(["decode", *arguments, "--to", "columns"]) == 0
    assert capsys.readouterr().out.split() == ["in", "O", "Bonn", "City"]


def test_a_table_without_header_is_perhaps_a_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = lawful.HMM().fit([["in", "Bonn"]], [["O", "City"]])
    model.save(tmp_path / "model.lawful")
    (tmp_path / "texts.csv").write_text("in Bonn\nto Ulm\n", encoding="utf-8")
    assert run(["decode", str(tmp_path / "texts.csv"), "-m", str(tmp_path / "model.lawful")]) == 2
    assert "--format text" in capsys.readouterr().err
