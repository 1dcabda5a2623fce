"""Columns of brackets: what they mean, what is refused and where, and that they come back as they were."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from lawful.corpus import Sentence, column_spans, read_brackets, write_brackets
from lawful.errors import BracketError, CorpusError, InputError


def test_nested_brackets() -> None:
    assert read_brackets(["(S(NP*", "*)", "(VP*)", "*)"]) == [("S", 0, 4), ("NP", 0, 2), ("VP", 2, 3)]
    assert read_brackets([]) == []


def test_brackets_that_close_with_their_names() -> None:
    column = ["(S*", "(S*", "(S*", "*S)S)", "*S)"]
    assert read_brackets(column) == [("S", 0, 5), ("S", 1, 4), ("S", 2, 4)]
    assert write_brackets(read_brackets(column), 5, named=True) == tuple(column)
    assert read_brackets(["(S(NP*NP)", "*S)"]) == [("S", 0, 2), ("NP", 0, 1)]


@pytest.mark.parametrize(
    ("column", "position", "problem"),
    [
        (["*", "(A*"], 1, "the bracket of 'A' is never closed"),
        (["(A*", "(B*", "*)"], 0, "the bracket of 'A' is never closed"),
        (["*", "*)"], 1, "'*)' closes a bracket that was never opened"),
        (["(A*))"], 0, "'(A*))' closes a bracket that was never opened"),
        (["(S*", "*NP)"], 1, "'*NP)' closes 'NP', but expected 'S', opened at token 0"),
        (["(S*", "(NP*", "*S)NP)"], 2, "'*S)NP)' closes 'S', but expected 'NP', opened at token 1"),
    ],
)
def test_brackets_that_do_not_fit_together(column: list[str], position: int, problem: str) -> None:
    with pytest.raises(BracketError) as caught:
        read_brackets(column)
    assert (caught.value.position, caught.value.problem) == (position, problem)


@pytest.mark.parametrize("cell", ["", "A0", "(A0", "A0)", "(*)", "()", "**", "*(A", "(A)*", "(A *)", "-"])
def test_what_is_no_bracket(cell: str) -> None:
    with pytest.raises(BracketError, match=r"^token 1: expected brackets such as .* got"):
        read_brackets(["(A*)", cell])


def test_an_error_in_a_sentence_names_file_line_and_column() -> None:
    sentence = Sentence(("a", "b"), None, {"args.1": ("(V*", "*")}, source="dev.txt", lines=(11, 12))
    with pytest.raises(CorpusError, match=r"^dev.txt, line 11: column 'args.1': the bracket of 'V' is never"):
        column_spans(sentence, "args.1")
    with pytest.raises(InputError, match=r"^dev.txt, line 11: no column 'args.2'; the columns are args.1"):
        column_spans(sentence, "args.2")
    with pytest.raises(CorpusError, match=r"^the text: column 'x': token 1: '\*\)' closes"):
        column_spans(Sentence(("a", "b"), None, {"x": ("*", "*)")}), "x")


@pytest.mark.parametrize(
    ("spans", "problem"),
    [
        ([("A", 0, 2), ("B", 1, 3)], "crosses"),
        ([("A", 0, 4)], "does not fit a sequence of 3 tokens"),
        ([("A", 1, 1)], "does not fit"),
        ([("A*", 0, 1)], "cannot be the name of a bracket"),
        ([("", 0, 1)], "cannot be the name of a bracket"),
    ],
)
def test_spans_that_brackets_cannot_describe(spans: list[tuple[str, int, int]], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        write_brackets(spans, 3)


@st.composite
def nested(draw: st.DrawFn) -> tuple[list[tuple[str, int, int]], int]:
    """Spans that do not cross, outer ones first, over some tokens."""
    length = draw(st.integers(1, 8))

    def inside(start: int, end: int, depth: int) -> list[tuple[str, int, int]]:
        spans = []
        while start < end and depth:
            start = draw(st.integers(start, end))
            stop = draw(st.integers(start, end))
            if start < stop:
                spans.append((draw(st.sampled_from(["S", "NP", "A-1", "é", "$"])), start, stop))
                spans += inside(start, stop, depth - 1)
            start = stop + 1
        return spans

    return inside(0, length, 3), length


@given(nested(), st.booleans())
def test_brackets_come_back(spans_and_length: tuple[list[tuple[str, int, int]], int], named: bool) -> None:
    spans, length = spans_and_length
    column = write_brackets(spans, length, named=named)
    assert read_brackets(column) == spans
    assert write_brackets(read_brackets(column), length, named=named) == column


@given(st.lists(st.text("()*AS ", max_size=6), max_size=5))
def test_any_text_is_read_or_refused(column: list[str]) -> None:
    try:
        spans = read_brackets(column)
    except BracketError as error:
        assert 0 <= error.position < len(column)
    else:
        assert read_brackets(write_brackets(spans, len(column))) == spans
