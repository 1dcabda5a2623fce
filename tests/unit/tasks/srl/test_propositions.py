"""Propositions in columns: read, written back, and what is wrong with a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawful.corpus import Sentence, read_columns, write_columns
from lawful.errors import CorpusError, InputError, MissingDataError
from lawful.schemes import Span
from lawful.tasks import load
from lawful.tasks.srl import proposition_spans, read_propositions, write_roles
from lawful.tasks.srl.conll_wsj import read_sentences

TEXT = """He PRP B-NP PRP (NP*) (S* * - - (A0*) (A0*)
wants VBZ B-VP VBZ (VP* * * 01 want (V*) *
to TO I-VP TO * (S* * - - (A1* *
sell VB I-VP VB *) * * 01 sell * (V*)
grain NN B-NP NN (NP*) *S)S) * - - *) (A1*)

No DT O DT * * * - -

Sold VBN B-VP VBN (VP*) (S*S) * 01 sell (V*)

"""
PARSES = """PRP (S1(S(NP*)
VBZ (VP*
TO (S(VP*
VB (VP*
NN (NP*)))))))

DT (S1*)

VBN (S1(VP*))

"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "srl_conll_wsj").mkdir()
    (tmp_path / "srl_conll_wsj" / "dev.20.txt").write_text(TEXT)
    (tmp_path / "srl_conll_wsj" / "dev.20.parses.txt").write_text(PARSES)
    return tmp_path / "srl_conll_wsj"


def test_a_small_corpus(folder: Path) -> None:
    sentences = list(read_sentences(folder, "dev", parses=True))
    assert [sentence.tokens for sentence in sentences] == [
        ("He", "wants", "to", "sell", "grain"),
        ("No",),
        ("Sold",),
    ]
    assert sentences[0].columns["parse"][0] == "(S1(S(NP*)"
    first, second = proposition_spans(sentences[0], predicate="verb")
    assert first == [Span("A0", 0, 1), Span("V", 1, 2), Span("A1", 2, 5)]
    assert second == [Span("A0", 0, 1), Span("V", 3, 4), Span("A1", 4, 5)]
    assert proposition_spans(sentences[1], predicate="verb") == []
    assert [one.context["lemma"] for one in load("srl_conll_wsj", "dev", folder.parent)] == [
        "want",
        "sell",
        "sell",
    ]


def test_roles_are_written_as_they_were_read(folder: Path) -> None:
    sentences = list(read_sentences(folder, "dev"))
    again = [
        write_roles(sentence, proposition_spans(sentence, predicate="verb"), predicate="verb")
        for sentence in sentences
    ]
    write_columns(again, folder / "copy.txt")
    assert (folder / "copy.txt").read_text() == TEXT


def test_roles_of_ones_own_are_written_into_an_unlabelled_file(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("He -\nleft leave\n\nNo -\n\n")
    sentences = list(read_columns(tmp_path / "x.txt", columns="word,verb", label=None))
    written = [write_roles(sentences[0], [[Span("A0", 0, 1)]], predicate="verb"), sentences[1]]
    write_columns(written, tmp_path / "y.txt")
    assert (tmp_path / "y.txt").read_text() == "He - (A0*)\nleft leave (V*)\n\nNo -\n\n"
    with pytest.raises(InputError, match=r"x.txt, line 1: 1 verbs, but roles of 0"):
        write_roles(sentences[0], [], predicate="verb")


def test_parses_that_are_missing_or_not_aligned(folder: Path) -> None:
    parses = folder / "dev.20.parses.txt"
    parses.write_text(PARSES.replace("DT (S1*)\n\n", ""))
    with pytest.raises(CorpusError, match=r"dev.20.parses.txt: there are 2 parses, but more sentences"):
        list(read_sentences(folder, "dev", parses=True))
    parses.write_text(PARSES.replace("DT (S1*)", "DT (S1*\nDT *)"))
    with pytest.raises(
        CorpusError, match=r"txt, line 7: parse 1 has 2 tokens, but .*dev.20.txt, line 7\) has 1"
    ):
        list(read_sentences(folder, "dev", parses=True))
    parses.unlink()
    with pytest.raises(MissingDataError, match=r"dev.20.parses.txt: the role layers"):
        list(read_sentences(folder, "dev", parses=True))


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("want (V*) *", "want * *", 2, r"column 'args.1': expected \(V\*\) over the verb 'want', found '\*'"),
        ("want (V*) *", "want (A2*) *", 2, r"expected \(V\*\) over the verb 'want', found '\(A2\*\)'"),
        ("want (V*)", "- (V*)", 1, "1 verbs in column 'verb', but 2 columns of arguments"),
        (
            "grain NN B-NP NN (NP*) *S)S) * - - *)",
            "grain NN B-NP NN (NP*) *S)S) * - - *",
            3,
            "'A1' is never closed",
        ),
        (
            "grain NN B-NP NN (NP*) *S)S) * - - *)",
            "grain NN B-NP NN (NP*) *S)S) * - - *A0)",
            5,
            "expected 'A1'",
        ),
    ],
)
def test_a_damaged_file(folder: Path, old: str, new: str, line: int, problem: str) -> None:
    (folder / "dev.20.txt").write_text(TEXT.replace(old, new, 1))
    with pytest.raises(CorpusError, match=problem) as caught:
        load("srl_conll_wsj", "dev", folder.parent)
    assert caught.value.line == line
    assert caught.value.source.endswith("dev.20.txt")


def test_a_verb_of_several_words() -> None:
    columns = {"verb": ("-", "fed_up"), "args.1": ("(V*", "*)")}
    assert len(proposition_spans(Sentence(("fed", "up"), None, columns), predicate="verb")) == 1
    columns = {"verb": ("-", "up"), "args.1": ("(V*)", "(C-V*)")}
    assert len(proposition_spans(Sentence(("fed", "up"), None, columns), predicate="verb")) == 1


def test_nested_arguments_cannot_be_labels() -> None:
    columns = {"verb": ("-", "go"), "args.1": ("(A1(A2*)", "(V*))")}
    with pytest.raises(CorpusError, match=r"column 'args.1': .* overlaps"):
        list(read_propositions(Sentence(("a", "b"), None, columns), predicate="verb", context={}))


def test_a_column_that_is_not_there() -> None:
    with pytest.raises(InputError, match="no column 'verb' of verbs; the columns are none"):
        proposition_spans(Sentence(("a",)), predicate="verb")
