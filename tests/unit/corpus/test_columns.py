from __future__ import annotations

import gzip
import io
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import lawful
from lawful.corpus import Sentence, read_columns, read_conllu, write_columns
from lawful.corpus.formats.columns import rows
from lawful.errors import CorpusError, FileError, InputError, MissingFileError, RaggedRowError

TEXT = "Confidence NN B-NP\nin IN B-PP\n\nBut CC O\n# # B-NP\n"


def read(text: str | bytes, **options) -> list[Sentence]:
    stream = io.StringIO(text) if isinstance(text, str) else io.BytesIO(text)
    return list(read_columns(stream, **options))


def written(sentences, **options) -> str:
    file = io.StringIO()
    write_columns(sentences, file, **options)
    return file.getvalue()


def test_columns_by_name() -> None:
    first, second = read(TEXT, columns="word,pos,chunk")
    assert first == Sentence(("Confidence", "in"), ("B-NP", "B-PP"), {"pos": ("NN", "IN")})
    assert (first.layout.names, first.layout.token, first.layout.label) == (
        ("word", "pos", "chunk"),
        "word",
        "chunk",
    )
    assert (second.tokens, list(second.lines)) == (("But", "#"), [4, 5])
    assert first.rows() == [{"word": "Confidence", "pos": "NN"}, {"word": "in", "pos": "IN"}]


def test_token_and_label_may_be_any_column() -> None:
    [one] = read("1\tB-X\tfoo\tNN\n2\tO\tbar\tVB\n", token=2, label=1)
    assert (one.tokens, one.labels, one.columns) == (
        ("foo", "bar"),
        ("B-X", "O"),
        {"1": ("1", "2"), "4": ("NN", "VB")},
    )
    assert written([one]) == "1\tB-X\tfoo\tNN\n2\tO\tbar\tVB\n\n"


def test_one_column_has_no_labels() -> None:
    [one] = read("a\nb\n")
    assert (one.tokens, one.labels) == (("a", "b"), None)
    assert written([one.with_labels(["X", "Y"])]) == "a X\nb Y\n\n"


def test_a_column_is_added_last() -> None:
    [one, _] = read(TEXT, columns="word,pos,chunk")
    assert written([one.with_column("guess", ["O", "O"])]) == "Confidence NN B-NP O\nin IN B-PP O\n\n"
    assert written([one], columns="chunk,word") == "B-NP Confidence\nB-PP in\n\n"


def test_tabs_keep_blanks_in_tokens_and_blanks_take_tabs() -> None:
    [one] = read("New York\tB-LOC\n")
    assert one.tokens == ("New York",)
    [two] = read("a  \t X\n", separator="whitespace")
    assert (two.tokens, two.labels) == (("a",), ("X",))


@pytest.mark.parametrize("space", ["\xa0", "\u2009", "\u3000", "\x1f", "\x0c", "\x85", "\u2028"])
def test_only_blanks_and_tabs_part_columns_and_only_line_feeds_lines(space: str) -> None:
    [one] = read(f"10{space}000 CD B-NP\nx NN O\n")
    assert one.tokens == (f"10{space}000", "x")
    assert written([one]) == f"10{space}000 CD B-NP\nx NN O\n\n"


@pytest.mark.parametrize(
    "text", [TEXT.replace("\n", "\r\n"), "\ufeff" + TEXT, TEXT.replace("\n\n", "\n \t \n\n"), TEXT.rstrip()]
)
def test_line_ends_byte_order_marks_and_blank_lines(text: str) -> None:
    expected = [(one.tokens, one.labels) for one in read(TEXT)]
    assert [(one.tokens, one.labels) for one in read(text)] == expected
    assert [(one.tokens, one.labels) for one in read(text.encode())] == expected


def test_gzip_by_its_first_bytes(tmp_path) -> None:
    (tmp_path / "x.dat").write_bytes(gzip.compress(TEXT.encode()))
    assert len(list(read_columns(tmp_path / "x.dat"))) == 2
    (tmp_path / "x.dat").write_bytes(gzip.compress(TEXT.encode())[:-12])
    with pytest.raises(CorpusError, match="damaged gzip"):
        list(read_columns(tmp_path / "x.dat"))


def test_comments_and_documents_are_kept_for_writing() -> None:
    text = "-DOCSTART- -X- O\n\n# one\na DT X\n#! two\nb NN Y\n\nc NN Y\n\n-DOCSTART- -X- O\n\nd NN X\n\n"
    found = read(text, comment="#")
    assert [one.tokens for one in found] == [("a", "b"), ("c",), ("d",)]
    assert [one.context for one in found] == [{"document": 0}, {"document": 0}, {"document": 1}]
    assert found[0].lines == (4, 6)
    assert written(found) == text
    assert read(text, comment="#", docstart="keep")[0].tokens == ("-DOCSTART-",)


def test_a_starred_name_takes_the_rest() -> None:
    found = read("He - (A0*)\nsaid say (V*)\n\nSo -\n\nx a * *\n", columns="word,verb,args*", label=None)
    assert [list(one.columns) for one in found] == [
        ["verb", "args.1"],
        ["verb"],
        ["verb", "args.1", "args.2"],
    ]


@pytest.mark.parametrize(
    ("text", "options", "line", "said"),
    [
        ("a X\nb\n", {}, 2, "expected 2 columns separated by whitespace, found 1: 'b'"),
        ("a X\n\nb Y Z\n", {}, 3, "expected 2 columns separated by whitespace, found 3: 'b Y Z'"),
        ("a X\n", {"columns": "word,pos,chunk"}, 1, "expected 3 columns (word, pos, chunk) separated by whitespace, found 2"),
        ("a X\nb Y\n", {"separator": "tab", "columns": "word,tag"}, 1, r"separated by '\t', found 1"),
        ("a\n", {"columns": "word,verb,args*", "label": None}, 1, "expected at least 2 columns"),
        ("a v *\nb -\n", {"columns": "word,verb,args*", "label": None}, 2, "expected 3 columns (word, verb, args.1)"),
    ],
)  # fmt: skip
def test_ragged_rows_name_line_expected_and_found(text: str, options: dict, line: int, said: str) -> None:
    with pytest.raises(RaggedRowError) as caught:
        read(text, **options)
    assert caught.value.line == line
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (b"a X\nb\0 Y\n", 2, "NUL"),
        (b"a X\n\nb\xff Y\n", 3, "byte 0xff at 2 is not utf-8"),
        (b"\xff\xfea\0", 1, "UTF-16"),
        (b"a\tX\n\tY\n", 2, "the token is empty"),
        (b"a\tX\nb\t\n", 2, "the label is empty"),
        (b"a X\rb Y\r", 1, "carriage return"),
    ],
)
def test_bad_text_names_its_line(text: bytes, line: int, said: str) -> None:
    with pytest.raises(CorpusError, match=said) as caught:
        read(text)
    assert caught.value.line == line


def test_another_encoding() -> None:
    assert read("caf\xe9 X\n".encode("latin-1"), encoding="latin-1")[0].tokens == ("café",)
    with pytest.raises(InputError, match="unknown encoding"):
        read(b"a X", encoding="nonsense")


def test_limits() -> None:
    with pytest.raises(CorpusError, match="more than 100 characters") as caught:
        read("a X\n" + "b" * 101 + " X\n", max_line=100)
    assert caught.value.line == 2
    with pytest.raises(CorpusError, match="more than 16,777,216 characters"):
        read(b"b" * (1 << 25))
    with pytest.raises(CorpusError, match="more than 3 lines begins here") as caught:
        read("a X\n\n" + "b X\n" * 4, max_tokens=3)
    assert caught.value.line == 3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"token": "form"}, "token column 'form' is not among"),
        ({"label": 7}, "the label is to be the 8th column, but there are 3"),
        ({"columns": "a,a,b"}, "'a' appears twice"),
        ({"label": 0}, "cannot hold both"),
        ({"separator": ""}, "separator must be"),
        ({"docstart": "drop"}, "docstart must be"),
        ({"comment": ""}, "comment must be"),
        ({"columns": ""}, "columns must be names"),
    ],
)
def test_options_that_make_no_sense(options: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(TEXT, **options)


def test_a_missing_file_is_named(tmp_path) -> None:
    with pytest.raises(MissingFileError, match=r"nothing\.conll: cannot be opened: No such file"):
        list(read_columns(tmp_path / "nothing.conll"))
    with pytest.raises(FileError, match="cannot be"):
        list(read_columns(tmp_path))


CONLLU = (
    "# newdoc id = d\n# text = du café\n"
    "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tde\tde\tADP\tIN\t_\t3\tcase\t_\t_\n"
    "2\tle\tle\tDET\tDT\t_\t3\tdet\t_\t_\n"
    "2.1\tx\tx\tVERB\t_\t_\t_\t_\t0:root\t_\n"
    "3\tcafé\tcafé\tNOUN\tNN\t_\t0\troot\t_\tSpaceAfter=No\n\n"
)


def test_what_was_no_conllu_becomes_conllu(tmp_path: Path) -> None:
    text = Sentence(("to", "Bonn"), ("O", "City"), {"lemma": ("to", "Bonn")}, {"text": "to  Bonn"})
    lawful.write_corpus([text, Sentence(("x",))], tmp_path / "a.conllu")
    first, second = lawful.read_corpus(tmp_path / "a.conllu")
    assert (first.tokens, first.labels, first.columns["lemma"]) == (text.tokens, text.labels, ("to", "Bonn"))
    assert (first.columns["id"], first.columns["head"]) == (("1", "2"), ("_", "_"))
    assert (first.context, second.labels) == ({"text": "to Bonn"}, ("_",))


def test_conllu_comes_back_as_it_was() -> None:
    [one] = read_conllu(io.StringIO(CONLLU), label="xpos")
    assert (one.tokens, one.labels, list(one.lines)) == (("de", "le", "café"), ("IN", "DT", "NN"), [4, 5, 7])
    assert one.context == {"newdoc id": "d", "text": "du café"}
    assert written([one]) == CONLLU
    assert written([one.with_labels(["A", "B", "C"])]) == (
        CONLLU.replace("ADP\tIN", "ADP\tA").replace("DET\tDT", "DET\tB").replace("NOUN\tNN", "NOUN\tC")
    )
    with pytest.raises(RaggedRowError, match="expected 10 columns"):
        list(read_conllu(io.StringIO("1\ta\tb\n")))


def test_what_cannot_be_written_in_columns_is_refused() -> None:
    for token in ("New York", "a\nb", "", "a\tb", "a\rb", "\0"):
        with pytest.raises(CorpusError, match="write JSONL instead"):
            written([Sentence(("x", token), ("A", "B"))], separator="whitespace")
    assert written([Sentence(("New York",), ("X",))]) == "New York\tX\n\n"
    with pytest.raises(CorpusError, match="no column 'pos'"):
        written([Sentence(("x",))], columns=["token", "pos"])


def test_a_sentence_checks_itself_and_travels() -> None:
    with pytest.raises(InputError, match="2 tokens, but 1 labels"):
        Sentence(("a", "b"), ("X",))
    with pytest.raises(InputError, match="but 1 in column 'pos'"):
        Sentence(("a", "b"), None, {"pos": ("X",)})
    with pytest.raises(InputError, match="position 1 is 3"):
        Sentence(["a", 3])
    with pytest.raises(InputError, match="got the string"):
        Sentence("ab")
    [one, _] = read(TEXT, columns="word,pos,chunk")
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - a worker process gets it so
    assert len({one, one.with_labels(one.labels)}) == 1


@pytest.mark.parametrize("separator", ["\t", " "])
def test_equal_strings_of_a_large_file_are_one_object(monkeypatch, separator: str) -> None:
    monkeypatch.setattr(rows, "_FREE", 10)
    monkeypatch.setattr(rows, "_TRIAL", 64)
    text = "the DT B-NP\nman NN I-NP\n\n".replace(" ", separator)
    found = read(text * 1000)
    assert len(found) == 1000
    assert found[-1].tokens[0] is found[9].tokens[0] and found[-1].labels[1] is found[9].labels[1]
    unlike = read("".join(f"w{number} x{number} B-NP\n\n".replace(" ", separator) for number in range(1000)))
    assert [one.tokens[0] for one in unlike] == [f"w{number}" for number in range(1000)]
    assert unlike[-1].labels[0] is unlike[-2].labels[0]


STREAM = """
import io, resource, sys
from lawful.corpus import read_columns
from lawful.corpus.formats.columns import rows
rows._FREE, rows._MOST_ROWS, rows._MOST_STRINGS = 1000, 1000, 4000

class Endless(io.RawIOBase):
    def __init__(self): self.at = 0
    def readable(self): return True
    def read(self, size=-1):
        lines = [f"word{self.at + t} T{t % 40} L{t % 3}" + "\\n" * (1 + (t % 10 == 9)) for t in range(10_000)]
        self.at += 10_000
        return "".join(lines).encode()

seen, marks = 0, []
for sentence in read_columns(Endless()):
    seen += len(sentence)
    if seen % 60_000 == 0:
        marks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        if len(marks) == 2:
            break
print(marks[1] - marks[0])
"""


def test_memory_stays_bounded_while_streaming() -> None:
    done = subprocess.run([sys.executable, "-c", STREAM], capture_output=True, timeout=120, check=True)
    assert int(done.stdout) < 3000  # kilobytes more, for 60,000 further tokens that are all different


words = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\0\t"), min_size=1, max_size=6
)
plain = words.map(lambda word: word.replace(" ", "_")).filter(lambda word: not word.startswith("-DOCSTART-"))


@given(
    st.lists(st.lists(st.tuples(plain, plain, plain), min_size=1, max_size=5), max_size=4),
    st.sampled_from("\t "),
)
def test_columns_come_back(table, separator: str) -> None:
    sentences = [
        Sentence([row[0] for row in rows], [row[2] for row in rows], {"pos": [row[1] for row in rows]})
        for rows in table
    ]
    text = written(sentences, separator=separator)
    if text.startswith("\ufeff") or any(line.isspace() for line in text.split("\n") if line):
        return
    again = read(text.encode(), columns="token,pos,label", separator=separator)
    assert again == sentences


@given(st.binary(max_size=200), st.sampled_from([None, "tab", " ", "|"]))
def test_any_bytes_are_read_or_refused(data: bytes, separator: str | None) -> None:
    try:
        found = read(data, separator=separator)
    except InputError:
        return
    assert all(one.tokens and "" not in one.tokens for one in found)


def test_what_would_begin_a_document_is_written_only_where_it_stood() -> None:
    made = [Sentence(("a",), ("X",)), Sentence(("-DOCSTART-", "b"), ("X", "X"))]
    with pytest.raises(
        CorpusError, match="a sequence that begins with -DOCSTART- cannot be written in columns"
    ):
        write_columns(made, io.StringIO())
    text = "-DOCSTART- X\na X\n\n"
    kept, written = read_columns(io.StringIO(text), docstart="keep"), io.StringIO()
    assert write_columns(kept, written) == 1
    assert written.getvalue() == text
