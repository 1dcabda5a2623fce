from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pyarrow
import pytest
from hypothesis import given, strategies as st
from pyarrow import parquet

import lawful
from lawful import Sentence
from lawful.corpus import (
    read_csv,
    read_jsonl,
    read_parquet,
    read_tagged_text,
    read_xml,
    write_csv,
    write_jsonl,
    write_tei,
    write_xml,
)
from lawful.corpus.registry import guess_format
from lawful.errors import CorpusError, InputError, MissingFileError

SENTENCES = [
    Sentence(("né", "b c"), ("X", "Y"), {"pos": ("DT", "NN")}, {"id": 7, "spans": [[0, 2]]}),
    Sentence(("d",), ("X",), {"pos": ("NN",)}, {}),
]


@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz", "parquet", "conll", "conll.gz"])
def test_every_format_comes_back_by_its_name(tmp_path, suffix: str) -> None:
    path = tmp_path / f"corpus.{suffix}"
    assert lawful.write_corpus(SENTENCES, path) == 2
    corpus = lawful.open_corpus(path, **({"columns": "token,pos,label"} if "conll" in suffix else {}))
    for _ in range(2):  # a path can be read again
        found = list(corpus)
        assert [(one.tokens, one.labels, one.columns) for one in found] == [
            (one.tokens, one.labels, one.columns) for one in SENTENCES
        ]
        assert "conll" in suffix or [one.context for one in found] == [one.context for one in SENTENCES]
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("content", "format"),
    [
        (b'\xef\xbb\xbf{"tokens": []}', "jsonl"),
        (b"{ DT O\n", "columns"),
        (b"# text = a\n1\ta" + b"\t_" * 8 + b"\n", "conllu"),
        (b"<All>\n<One><X>1</X></One></All>", "xml"),
        (b"<?xml version='1.0'?><A/>", "xml"),
        (b"< SYM O\n", "columns"),
        (b"a DT O\n", "columns"),
        (b"", "columns"),
    ],
)
def test_a_format_is_guessed_from_how_a_file_begins(tmp_path, content: bytes, format: str) -> None:
    for data in (content, gzip.compress(content)):
        (tmp_path / "file").write_bytes(data)
        assert guess_format(tmp_path / "file") == format
        stream = io.BytesIO(data)
        assert guess_format(stream) == format
        assert stream.tell() == 0


def test_standard_input_and_output() -> None:
    code = "import lawful; lawful.write_corpus(lawful.open_corpus('-'), '-', format='jsonl')"
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, input=b"caf\xc3\xa9 X\nb Y\n", capture_output=True, timeout=60, check=True)
    assert json.loads(done.stdout) == {"tokens": ["café", "b"], "labels": ["X", "Y"]}


def test_a_stream_is_answered_before_it_ends() -> None:
    code = (
        "import lawful, sys\n"
        "for one in lawful.open_corpus('-', 'columns'): print(one.tokens, flush=True); sys.stdout.flush()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        process.stdin.write(b"a X\n\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"('a',)\n"
        process.stdin.close()
        assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("name", ["out.conll", "out.jsonl", "out.conll.gz", "out.parquet"])
def test_an_interrupted_write_leaves_what_was_there(tmp_path, name: str) -> None:
    def interrupted():
        yield from SENTENCES * 2000
        raise KeyboardInterrupt

    (tmp_path / name).write_text("before")
    with pytest.raises(KeyboardInterrupt):
        lawful.write_corpus(interrupted(), tmp_path / name)
    assert [one.name for one in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "before"


def test_writing_keeps_links_and_permissions(tmp_path) -> None:
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    real.write_text("")
    real.chmod(0o640)
    link.symlink_to(real)
    lawful.write_corpus(SENTENCES, link)
    assert link.is_symlink() and len(real.read_text().splitlines()) == 2
    assert real.stat().st_mode & 0o777 == 0o640
    with pytest.raises(MissingFileError, match="cannot be written: there is no folder"):
        lawful.write_corpus(SENTENCES, tmp_path / "no" / "folder.jsonl")


def test_the_callers_file_stays_open() -> None:
    binary, text = io.BytesIO(), io.StringIO()
    for file in (binary, text):
        write_jsonl(SENTENCES[1:], file)
        write_jsonl(SENTENCES[1:], file)
    assert binary.getvalue().decode() == text.getvalue()
    assert len(text.getvalue().splitlines()) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("[]", "expected an object"),
        ('{"labels": []}', "no 'tokens' and no 'text'; the keys are 'labels'"),
        ('{"tokens": "ab"}', "'tokens' must be a list of strings, got str"),
        ('{"tokens": ["a", 3]}', "position 1 is 3"),
        ('{"tokens": ["a"], "labels": []}', "1 tokens, but 0 in 'labels'"),
        ('{"tokens": ["a"], "columns": {"pos": ["a", "b"]}}', "1 tokens, but 2 in 'columns.pos'"),
        ('{"tokens": ["a"], "columns": 3}', "'columns' must be an object"),
        (r'{"tokens": ["\ud800"]}', "surrogate"),
        ("[" * 100_000, "not JSON"),
        ('{"tokens": ' + "1" * 5000 + "}", "not JSON|must be a list"),
    ],
)
def test_bad_json_lines_name_the_line(text: str, said: str) -> None:
    with pytest.raises(CorpusError, match=said) as caught:
        list(read_jsonl(io.StringIO('{"tokens": ["ok"]}\n\n' + text)))
    assert caught.value.line == 3


def test_context_that_is_no_json_is_refused() -> None:
    with pytest.raises(CorpusError, match="the context is not JSON"):
        write_jsonl([Sentence(("a",), context={"set": {1}})], io.StringIO())


@pytest.mark.parametrize("given", [Sentence(("a",)), "a b", None])
def test_a_corpus_is_a_list_of_sentences(given: object, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a corpus is a list of Sentences, got"):
        lawful.write_corpus(given, tmp_path / "out.conll")  # type: ignore[arg-type]


def test_csv_a_row_a_token() -> None:
    text = 'Sentence #,Word,POS,Tag\nSentence: 1,"a, b",DT,O\n,c,NN,B-X\nSentence: 2,d,NN,O\n'
    found = list(read_csv(io.StringIO(text)))
    assert [(one.tokens, one.labels) for one in found] == [(("a, b", "c"), ("O", "B-X")), (("d",), ("O",))]
    assert found[0].columns == {"POS": ("DT", "NN")}
    assert (found[0].context, found[0].lines) == ({"Sentence #": "Sentence: 1"}, (2, 3))


def test_csv_a_row_a_sequence() -> None:
    [one] = read_csv(io.StringIO("id;tokens;labels\n9;a b;X Y\n"), separator=";")
    assert (one.tokens, one.labels, one.context) == (("a", "b"), ("X", "Y"), {"id": "9"})
    [two] = read_csv(io.StringIO("text\na b\n"))
    assert (two.tokens, two.labels) == (("a", "b"), None)
    [cut] = read_csv(io.StringIO("id,text\n7,a b.\n"), tokenizer="words")
    assert cut.tokens == ("a", "b", ".") and cut.context["id"] == "7" and cut.context["text"] == "a b."
    with pytest.raises(CorpusError, match="each row has one token"):
        list(read_csv(io.StringIO("word\na\nb\n"), tokenizer="words"))
    [aligned] = read_csv(io.StringIO("id,text,label\n7,a b,X Y\n"))
    assert (aligned.tokens, aligned.labels) == (("a", "b"), ("X", "Y"))
    with pytest.raises(
        CorpusError, match=r"line 2: each row has a 'id' of its own.*--label none.*--sequence 'id'"
    ):
        read_csv(io.StringIO("id,text,label\n7,a b,good\n8,c,bad\n"))
    [word] = read_csv(io.StringIO("id,word,label\n7,a b,X\n"))
    assert (word.tokens, word.labels) == (("a b",), ("X",))
    [named] = read_csv(io.StringIO("id,text\n7,a b\n"), sequence="id")
    assert named.tokens == ("a b",)


@pytest.mark.parametrize(
    ("text", "options", "line", "said"),
    [
        ("", {}, 1, "no header"),
        ("a,a\n", {}, 1, "'a' appears twice"),
        ("x,y\n", {"token": "word"}, 1, "no column 'word'; the columns are x, y"),
        ("sequence,token\n1,a\n2,b\n1,c\n", {}, 4, "sequence '1' appears again"),
        ("sequence,token\n1,a\n1\n", {}, 3, "expected 2 columns"),
        ("sequence,token,label\n1,a,\n", {}, 2, "the label"),
        ('sequence,token\n1,"a\n', {}, 2, "not CSV"),
        ("tokens,labels\na b,X\n", {}, 2, "2 tokens, but 1"),
        ("sequence,token\n" + "1,a\n" * 5, {"max_tokens": 3}, 2, "max_tokens=3"),
    ],
)
def test_bad_csv_names_the_line(text: str, options: dict, line: int, said: str) -> None:
    with pytest.raises(CorpusError, match=said) as caught:
        list(read_csv(io.StringIO(text), **options))
    assert caught.value.line == line


def test_grouped_rows_may_be_as_many_as_max_tokens_says() -> None:
    text = "sequence,token\n1,a\n" + "2,b\n,c\n,d\n" + "3,e\n"
    assert [len(one.tokens) for one in read_csv(io.StringIO(text), max_tokens=3)] == [1, 3, 1]
    rows = read_csv(io.StringIO(text), max_tokens=2)
    assert next(rows).tokens == ("a",)
    with pytest.raises(CorpusError, match="sequence '2' has more than max_tokens=2 rows; raise it") as caught:
        next(rows)
    assert caught.value.line == 3  # where that sequence begins


def test_parquet_a_row_a_token_and_damage(tmp_path) -> None:
    table = pyarrow.table({"s": [1, 1, 2], "token": ["a", "b", "c"], "label": ["X", "Y", "X"]})
    parquet.write_table(table, tmp_path / "t.parquet")
    found = list(read_parquet(tmp_path / "t.parquet", sequence="s"))
    assert [(one.tokens, one.labels) for one in found] == [(("a", "b"), ("X", "Y")), (("c",), ("X",))]
    with pytest.raises(CorpusError, match="no column 'tokens'"):
        list(read_parquet(tmp_path / "t.parquet"))
    data = (tmp_path / "t.parquet").read_bytes()
    (tmp_path / "t.parquet").write_bytes(data[: len(data) // 2])
    with pytest.raises(CorpusError, match="not a Parquet file"):
        list(read_parquet(tmp_path / "t.parquet"))
    with pytest.raises(CorpusError, match="same columns"):
        lawful.write_corpus([SENTENCES[0], Sentence(("a",))], tmp_path / "u.parquet")


def xml(text: str, **options) -> list[Sentence]:
    return list(read_xml(io.BytesIO(text.encode()), **options))


def test_xml_of_parserator() -> None:
    text = "<C>\n <S><Number>12</Number> <Street>A &amp; B\n</Street></S>\n <S/>\n <S><Zip>1</Zip></S></C>"
    first, second = xml(text)
    assert (first.tokens, first.labels) == (("12", "A", "&", "B"), ("Number", "Street", "Street", "Street"))
    assert (first.context, second.lines) == ({"text": "12 A & B", "element": "C/S"}, (5,))
    file = io.StringIO()
    assert write_xml([first, second], file) == 2
    assert file.getvalue().startswith("<C>\n<S><Number>12</Number> <Street>A</Street> <Street>&amp;</Street>")
    assert file.getvalue().endswith("<S><Zip>1</Zip></S>\n</C>\n")


def test_xml_of_sentences_that_were_no_xml() -> None:
    cut = Sentence(
        ("Straße",), ("Gebäude",), {}, {"text": "Straße.", "offsets": [(0, 6)], "element": "<x>/y"}
    )
    for sentences, text in (
        ([], "<Sequences>\n</Sequences>\n"),
        ([cut], "<Sequences>\n<Sequence><Gebäude>Straße</Gebäude>.</Sequence>\n</Sequences>\n"),
    ):
        file = io.StringIO()
        write_xml(sentences, file)
        assert file.getvalue() == text
        assert xml(text, outside="O")[: len(sentences)] or not sentences


@pytest.mark.parametrize("write", [write_xml, write_tei])
def test_what_xml_cannot_hold_is_refused(write: Callable[..., int]) -> None:
    for bad, said in (
        (Sentence(("a\x01",), ("X",)), r"'\\x01' in 'a\\x01' cannot stand in XML"),
        (Sentence(("a",), ("1 x",)), "'1 x' cannot be the name of an element"),
        *([(Sentence(("a",)), "there are no labels")] if write is write_xml else []),
    ):
        with pytest.raises(CorpusError, match=said):
            write([bad], io.StringIO())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('<!DOCTYPE x [<!ENTITY a "aaaa">]><C><S><X>&a;</X></S></C>', "DOCTYPE"),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><C/>', "DOCTYPE"),
        ("<C><S><X>&a;</X></S></C>", "undefined entity"),
        ("<C><S><X>a</X>", "no element found|unclosed"),
        ("<C><S>free <X>a</X></S></C>", "text 'free' in <S> has no label"),
        ("<C><S><X><Y>a</Y></X></S></C>", "<Y> inside <X>"),
        ("plain", "not XML"),
        ("<C><S><X>a b c</X></S></C>", "max_tokens=2"),
    ],
)
def test_bad_xml_is_refused(text: str, said: str) -> None:
    with pytest.raises(CorpusError, match=said) as caught:
        xml(text, max_tokens=2)
    assert caught.value.line == 1


def test_an_empty_token_is_not_written_where_it_cannot_be_read() -> None:
    with pytest.raises(CorpusError, match="token 1 is empty, which CSV cannot tell"):
        write_csv([Sentence(("a", ""), ("X", "Y"))], io.StringIO())


def test_tagged_text() -> None:
    text = "<0.1@x>\nTime: <stime>3:30 PM</stime>-<etime>5</etime>\n\n<sentence>By <speaker>Dr. Li</speaker></sentence>."
    one = read_tagged_text(io.StringIO(text), fields=["stime", "etime", "speaker"], ignored=["sentence"])
    spans = [(span.type, one.tokens[span.start : span.end]) for span in lawful.schemes.find_spans(one.labels)]
    assert spans == [("stime", ("3", ":", "30", "PM")), ("etime", ("5",)), ("speaker", ("Dr", ".", "Li"))]
    at = one.tokens.index("Time")
    assert (one.columns["space"][at : at + 3], one.lines[at]) == (("|", "", "_"), 2)
    assert one.columns["space"][one.tokens.index("By")] == "||"
    for bad, said in [
        ("<stime>a", "has no end"),
        ("a</stime>", "no end"),
        ("<stime><etime>", "</stime> was expected"),
    ]:
        with pytest.raises(CorpusError, match=said):
            read_tagged_text(io.StringIO(bad), fields=["stime", "etime"])


def test_what_a_format_cannot_do_is_said() -> None:
    with pytest.raises(InputError, match="unknown format 'conll'"):
        lawful.open_corpus("x", "conll")
    with pytest.raises(InputError, match="'jsonl' has no option 'columns'"):
        lawful.read_corpus(io.StringIO("{}"), "jsonl", columns="a")
    with pytest.raises(InputError, match="cannot write the format 'text'"):
        lawful.write_corpus([], "x.txt", "text")
    with pytest.raises(InputError, match="expected a path"):
        lawful.read_corpus(3, "columns")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5), st.lists, max_leaves=4
)


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), max_size=4),
    st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), json_values, max_size=3),
)
def test_json_lines_come_back(tokens: list[str], context: dict) -> None:
    context = {key: value for key, value in context.items() if key not in ("tokens", "labels", "columns")}
    file = io.StringIO()
    try:
        write_jsonl([Sentence(tokens, tokens, {}, context)], file)
    except (CorpusError, UnicodeEncodeError):
        return
    [again] = read_jsonl(io.StringIO(file.getvalue()))
    assert again == Sentence(tokens, tokens, {}, context)


@given(st.sampled_from(["columns", "conllu", "jsonl", "csv", "xml"]), st.binary(max_size=120))
def test_any_bytes_in_any_format_are_read_or_refused(format: str, data: bytes) -> None:
    with suppress(InputError):
        list(lawful.open_corpus(io.BytesIO(data), format))


def test_a_table_becomes_columns_in_the_usual_order(tmp_path: Path) -> None:
    """A header says what is what; columns have none, so the token comes first and the label last."""
    (tmp_path / "in.csv").write_text("sequence,label,token,pos\n1,X,a,DT\n2,Y,b,NN\n")
    sentences = lawful.read_corpus(tmp_path / "in.csv")
    lawful.write_corpus(sentences, tmp_path / "out.conll")
    assert (tmp_path / "out.conll").read_text() == "a\tDT\tX\n\nb\tNN\tY\n\n"


@pytest.mark.parametrize("encoding", ["klingon", "utf-7", "shift_jis"])
def test_xml_in_an_encoding_that_cannot_be_read(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><All><One><X>a</X></One></All>'
    with pytest.raises(CorpusError, match="the text, line 1: not XML that can be read"):
        list(read_xml(io.BytesIO(text.encode())))


def test_a_text_under_another_key_takes_no_place_of_others() -> None:
    record, key = '{"id": 7, "address": "to Bonn", "text": "a note", "c": "a"}', "address"
    [sentence] = read_jsonl(io.StringIO(record), tokens=key)
    known = sentence.context
    assert (known["id"], known["text_"], known["text"], known["c"]) == (7, "a note", "to Bonn", "a")
    table = io.StringIO('id,address,text\n1,"to Bonn, 1999",a note\n2,"to Rome, 2001",another\n')
    sentence, _ = read_csv(table, token=key, tokenizer="words")
    assert (sentence.context["text_"], sentence.context["text"]) == ("a note", "to Bonn, 1999")
