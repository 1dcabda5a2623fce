"""Columns that are read a stretch at a time, against the same columns read sequence by sequence."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from lawful import _core
from lawful.corpus import Layout, Sentence, read_columns
from lawful.corpus.formats.columns import reading as columns, writing as columns_writer
from lawful.corpus.formats.columns.writing import format_columns
from lawful.errors import CorpusError, LawfulError

FIELDS = st.text(st.sampled_from("ab#é-\xa0\u3000\x1c|"), min_size=1, max_size=3)
ODD_LINES = st.sampled_from(
    [
        "",
        " ",
        "\t",
        "\xa0",
        "# c",
        "-DOCSTART- X",
        "a",
        " a X",
        "a  X",
        "a X ",
        "a\tX",
        "a|X",
        "||",
        "|X",
        "a X Y",
    ]
)


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Mostly even columns, with something in them that may not be."""
    mark = draw(st.sampled_from([" ", "\t", "|", "aa"]))
    width = draw(st.integers(1, 3))
    row = st.lists(FIELDS, min_size=width, max_size=width).map(mark.join)
    lines = draw(st.lists(st.one_of(row, row, row, st.just(""), ODD_LINES), max_size=12))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    options: dict[str, Any] = {
        "separator": draw(st.sampled_from([None, mark])),
        "comment": draw(st.sampled_from([None, "#"])),
        "docstart": draw(st.sampled_from(["skip", "keep"])),
        "label": draw(st.sampled_from([-1, None])),
        "columns": draw(st.sampled_from([None, "word,rest*"])),
        "token": draw(st.sampled_from([0, 0, 1])),
        "max_tokens": draw(st.sampled_from([3, 1 << 18])),
    }
    return draw(st.sampled_from(["", "\ufeff"])) + end.join(lines) + draw(st.sampled_from(["", end])), options


def everything(text: str, options: dict[str, Any]) -> list[Any]:
    """All that is read, with what equality does not look at, and the error at the end."""
    found: list[Any] = []
    try:
        for one in read_columns(io.BytesIO(text.encode()), **options):
            found.append((one, list(one.lines), one.layout, one.source))
            # what a reader makes is what the checked constructor makes
            assert one == Sentence(one.tokens, one.labels, one.columns, one.context, between=one.between)
            assert {type(part) for part in (one.tokens, one.labels or (), *one.columns.values())} == {tuple}
    except LawfulError as error:
        found.append((type(error), str(error)))
    return found


@settings(max_examples=300, deadline=None)
@given(texts())
def test_a_stretch_at_once_reads_what_its_sequences_read(given: tuple[str, dict[str, Any]]) -> None:
    text, options = given
    quick = everything(text, options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "even_stretch", lambda *_: None)
        assert quick == everything(text, options)


@pytest.mark.parametrize(("mark", "name"), [(" ", None), ("\t", None), ("|", "|")])
def test_even_files_are_read_at_once(mark: str, name: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the test above would compare the slow way with itself."""
    monkeypatch.setattr(columns, "cut_paragraphs", None)
    text = "\n\n".join("\n".join(f"w{i}{mark}DT{mark}O" for i in range(n)) for n in range(1, 200))
    found = list(read_columns(io.StringIO(text), separator=name))
    assert list(map(len, found)) == list(range(1, 200))
    assert found[-1].location(198) == f"the text, line {text.count(chr(10)) + 1}: "


@settings(max_examples=300, deadline=None)
@given(st.lists(texts(), min_size=1, max_size=2))
def test_sentences_written_together_are_those_written_one_by_one(
    given: list[tuple[str, dict[str, Any]]],
) -> None:
    sentences = [one for text, options in given for one in read_again(text, options)]
    together = io.StringIO()
    try:
        columns_writer.write_columns(sentences, together)
    except CorpusError:
        return  # told by the test below
    alone = "".join(format_columns(one, columns_writer.layout_of(one)) for one in sentences)
    assert together.getvalue() == ("\ufeff" if alone.startswith("\ufeff") else "") + alone


def read_again(text: str, options: dict[str, Any]) -> list[Sentence]:
    return [one[0] for one in everything(text, options) if isinstance(one[0], Sentence)]


def test_even_files_are_written_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns_writer, "format_columns", None)
    text = "\n\n".join("\n".join(f"w{i} DT O" for i in range(n)) for n in range(1, 600)) + "\n\n"
    written = io.StringIO()
    columns_writer.write_columns(read_columns(io.StringIO(text)), written)
    assert written.getvalue() == text


def test_a_byte_order_mark_that_is_a_token_stays() -> None:
    written = io.BytesIO()
    columns_writer.write_columns([Sentence(("\ufeff\ufeffa",), ("X",))], written)
    (again,) = read_columns(io.BytesIO(written.getvalue()))
    assert again.tokens == ("\ufeff\ufeffa",)


VALUES = st.one_of(st.just(""), st.text(st.sampled_from("ab \t\n\r|é\xa0"), max_size=3))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=1, max_size=4),
    st.integers(1, 3),
    st.sampled_from(" \t|"),
)
def test_what_is_written_is_what_can_be_read_again(
    rows: list[tuple[str, str, str]], width: int, mark: str
) -> None:
    """Values that would be read as others are refused, whatever is looked for in the whole text only."""
    columns = list(zip(*rows, strict=True))[:width]
    names = ["word", "pos", "chunk"][:width]
    layout = Layout(tuple(names), "word", None, mark)
    sentence = Sentence(columns[0], None, dict(zip(names[1:], columns[1:], strict=True)), layout=layout)
    bad = {mark, "\n", "\r", *(["\t"] if mark == " " else [])}
    refused = any(bad & set(value) for column in columns for value in column) or any(
        "" in column for column in (columns if mark == " " else columns[:1])
    )
    try:
        text = format_columns(sentence, layout)
    except CorpusError:
        assert refused
        return
    assert not refused
    assert text == "".join(mark.join(row[:width]) + "\n" for row in rows) + "\n"


def test_short_strings_are_never_taken_for_each_other() -> None:
    rng = np.random.default_rng(0)
    letters = list("ab\x01é語")
    words = {"".join(rng.choice(letters, size=size)) for size in rng.integers(1, 10, size=20_000)}
    rows = list(words) * 2
    [(column,)] = _core.ColumnCutter("\t").cut("\n".join(rows), 1, [len(rows)], [True]) or [()]
    assert list(column) == rows
