"""Formats of annotation tools: each is read as the tool writes it, and survives the way there and back."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import lawful
from lawful.corpus import find_fields
from lawful.errors import CorpusError, InputError
from lawful.tasks import generate_citations

TEXT = "Lee, A. On rules & <laws>. 1999."


def marked() -> list[lawful.Sentence]:
    """Texts with fields that begin and end inside of what blanks separate."""
    tokenizer = lawful.corpus.Tokenizer()
    first = tokenizer.sentence(TEXT)
    labels = ["B-author", "I-author", "I-author", "O", *["B-title", *["I-title"] * 5], "O", "B-date", "O"]
    plain = tokenizer.sentence("no field at all")
    return [first.with_labels(labels), plain.with_labels(["O"] * 4)]


def content(sentences: list[lawful.Sentence]) -> list[tuple[object, ...]]:
    return [(one.tokens, one.labels, one.context["text"], find_fields(one)) for one in sentences]


@pytest.mark.parametrize(
    ("format", "name"),
    [("doccano", "a.jsonl"), ("label-studio", "a.json"), ("brat", "a.ann"), ("tei", "a.tei.xml")],
)
def test_marked_texts_survive_the_way_there_and_back(format: str, name: str, tmp_path: Path) -> None:
    sentences = marked()
    assert lawful.write_corpus(sentences, tmp_path / name, format) == 2
    again = lawful.read_corpus(tmp_path / name, format)
    assert content(again) == content(sentences)
    lawful.write_corpus(again, tmp_path / f"again.{name}", format)
    assert (tmp_path / f"again.{name}").read_bytes() == (tmp_path / name).read_bytes()


@pytest.mark.parametrize(("format", "name"), [("xml", "a.xml"), ("huggingface", "rows.jsonl")])
def test_tokens_survive_the_way_there_and_back(format: str, name: str, tmp_path: Path) -> None:
    sentences = [*generate_citations(20, seed=1), *marked()]
    lawful.write_corpus(sentences, tmp_path / name, format)
    again = lawful.read_corpus(tmp_path / name, format)
    assert [(one.tokens, one.labels) for one in again] == [(one.tokens, one.labels) for one in sentences]
    if format == "xml":
        assert again[-2].context["text"] == TEXT


def test_documents_of_spacy_survive_the_way_there_and_back(tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    lawful.write_corpus(marked(), tmp_path / "a.spacy")
    assert content(lawful.read_corpus(tmp_path / "a.spacy")) == content(marked())


def test_doccano_s_other_spellings_are_read() -> None:
    spans = '{"id": 1, "label": "City", "start_offset": 3, "end_offset": 7}'
    for line in ('"labels": [[3, 7, "City"]]', f'"entities": [{spans}]', '"label": [[3, 7, "City"]]'):
        [one] = lawful.read_corpus(io.StringIO(f'{{"text": "to Bonn", {line}}}'), "doccano")
        assert one.labels == ("O", "B-City")


def test_an_export_of_label_studio_is_known_by_its_start(tmp_path: Path) -> None:
    result = [{"type": "labels", "value": {"start": 3, "end": 7, "text": "Bonn", "labels": ["City"]}}]
    task = {
        "id": 7, "annotations": [{"was_cancelled": True, "result": []}, {"result": result}],
        "predictions": [{"result": []}], "data": {"text": "to Bonn"},
    }  # fmt: skip
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task]))
    [one] = lawful.read_corpus(path)
    assert (one.labels, one.context["id"]) == (("O", "B-City"), 7)


def test_references_as_grobid_marks_them() -> None:
    text = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><listBibl>
      <bibl><author>Lee,
        <forename>A.</forename></author> <title level="a">On rules</title>. <title level="j">Journal</title>,<lb/>
        <biblScope unit="volume">12</biblScope>.</bibl>
    </listBibl></text></TEI>"""
    [one] = lawful.read_corpus(io.StringIO(text))
    assert one.context["text"] == "Lee, A. On rules. Journal, 12."
    assert [(field.name, field.text) for field in find_fields(one)] == [
        ("author", "Lee, A."), ("title.a", "On rules"), ("title.j", "Journal"), ("biblScope.volume", "12"),
    ]  # fmt: skip


def test_xml_with_text_that_nothing_labels() -> None:
    text = "<All><One>at <Number>12</Number> or <Street>Main St</Street> now</One></All>"
    with pytest.raises(CorpusError, match="text 'at' in <One> has no label; pass outside='O'"):
        lawful.read_corpus(io.StringIO(text))
    [one] = lawful.read_corpus(io.StringIO(text), outside="O")
    assert one.tokens == ("at", "12", "or", "Main", "St", "now")
    assert one.labels == ("O", "Number", "O", "Street", "Street", "O")


def test_names_of_numbered_tags() -> None:
    rows = '{"tokens": ["in", "Bonn"], "ner_tags": [0, 5]}\n'
    with pytest.raises(CorpusError, match="pass their names"):
        lawful.read_corpus(io.StringIO(rows), "huggingface")
    with pytest.raises(CorpusError, match="line 1: 'ner_tags' has 5, but there are 2 names"):
        lawful.read_corpus(io.StringIO(rows), "huggingface", names="O,B-LOC")


@pytest.mark.parametrize(
    ("spans", "said"),
    [
        ('[[0, 2, "A"], [1, 3, "B"]]', "'A' from 0 to 2 and 'B' from 1 to 3 overlap"),
        ('[[0, 9, "A"]]', "'A' from 0 to 9 is not in a text of 7 characters"),
        ("[[0, 2]]", r"expected a span \[start, end, type\]"),
        ("3", None),
    ],
)
def test_spans_that_no_labels_can_say_are_refused_with_their_line(spans: str, said: str | None) -> None:
    source = io.StringIO(f'{{"text": "to Bonn", "label": {spans}}}')
    if said is None:
        assert lawful.read_corpus(source, "doccano")[0].labels == ("O", "O")
        return
    with pytest.raises(CorpusError, match=f"line 1: {said}"):
        lawful.read_corpus(source, "doccano")


def test_what_brat_can_say_and_columns_cannot(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("in Bonn\nto Ulm\n")
    for line, said in (
        ("T1\tCity 3 5;6 7\tBo n", "several pieces"),
        ("T1\tCity 3 10\tx", "goes over the end of line 1"),
        ("T1\tCity 30 40\tx", "line 1: 'City' from 30 on is beyond the end of a.txt"),
        ("T1\tCity 3 7\tUlm", "line 1: from 3 to 7 a.txt has 'Bonn', not 'Ulm'"),
        ("T1 City", "expected an entity"),
    ):
        (tmp_path / "a.ann").write_text(f"{line}\nR1\tin Arg1:T1 Arg2:T1\n")
        with pytest.raises(CorpusError, match=said):
            lawful.read_corpus(tmp_path / "a.ann")
    with pytest.raises(InputError, match=r"ends in \.ann"):
        lawful.write_corpus(marked(), tmp_path / "a.conll", "brat")


def test_a_model_is_trained_on_marked_texts_and_writes_them(
    made_texts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from lawful.cli.main import run

    model, out = str(made_texts / "m.lawful"), made_texts / "out.json"
    gold = str(made_texts / "gold.jsonl")
    assert run(["train", gold, "--format", "doccano", "-o", model, "--kind", "hmm"]) == 0
    assert (
        run(["decode", gold, "--format", "doccano", "-m", model, "--to", "label-studio", "-o", str(out)]) == 0
    )
    assert "title" in json.loads(out.read_text())[0]["predictions"][0]["result"][1]["value"]["labels"]


@pytest.fixture
def made_texts(tmp_path: Path) -> Path:
    lawful.write_corpus(marked() * 5, tmp_path / "gold.jsonl", "doccano")
    return tmp_path


def test_blank_lines_of_a_text_survive_brat(tmp_path: Path) -> None:
    text, marks = "\nin Bonn\n\n\nto Ulm\n", "T1\tCity 4 8\tBonn\nT2\tCity 14 17\tUlm\n"
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "a.ann").write_text(marks)
    sentences = lawful.read_corpus(tmp_path / "a.ann")
    assert [one.labels for one in sentences] == [("O", "B-City")] * 2
    lawful.write_corpus(sentences, tmp_path / "b.ann")
    assert ((tmp_path / "b.txt").read_text(), (tmp_path / "b.ann").read_text()) == (text, marks)


def hugging_face_parquet(path: Path, **columns: list[str]) -> None:
    """A file as `datasets` writes it: tags are numbers, and the schema knows their names."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    features = {
        key: {"feature": {"names": names, "_type": "ClassLabel"}, "_type": "Sequence"}
        for key, names in columns.items()
    }
    rows = {"id": ["0", "1"], "tokens": [["in", "Bonn"], ["Ulm"]]} | {key: [[0, 1], [1]] for key in columns}
    info = {"info": {"features": {"tokens": {"feature": {"dtype": "string"}}, **features}}}
    table = arrow.table(rows).replace_schema_metadata({"huggingface": json.dumps(info)})
    parquet.write_table(table, path)


def test_numbered_tags_of_a_parquet_file_have_the_names_of_its_schema(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    hugging_face_parquet(path, pos_tags=["APPR", "NE"], ner_tags=["O", "B-LOC"])
    first, second = lawful.read_corpus(path)
    assert (first.tokens, first.labels) == (("in", "Bonn"), ("O", "B-LOC"))
    assert (first.columns["pos_tags"], second.context["id"]) == (("APPR", "NE"), "1")
    assert [one.labels for one in lawful.read_corpus(path, labels="pos_tags")] == [("APPR", "NE"), ("NE",)]
    hugging_face_parquet(path, chunk_tags=["O", "B-NP"])
    assert lawful.read_corpus(path)[1].labels == ("B-NP",)
    hugging_face_parquet(path, ner_tags=["O"])
    with pytest.raises(lawful.InputError, match="'ner_tags' has 1, but there are 1 names"):
        lawful.read_corpus(path)
