"""Every corpus, read whole: the counts that its papers and its README give. `make test-corpora` runs this.

The corpora are others' and not in the repository; LAWFUL_DATA names the folder that holds them.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from lawful.corpus import column_spans, read_frames, write_brackets, write_columns
from lawful.corpus.trees import sentence_tree, write_tree
from lawful.schemes import find_spans
from lawful.tasks import TASKS, find_repeats, load
from lawful.tasks.srl import (
    conll_wsj as srl_conll_wsj,
    ewt_propbank as srl_ewt_propbank,
    proposition_spans,
    write_roles,
)
from lawful.tasks.task import data_folder

if not os.environ.get("LAWFUL_DATA"):
    pytest.skip("LAWFUL_DATA names no folder with corpora", allow_module_level=True)

SENTENCES = {
    ("citations", "train"): 300,
    ("citations", "dev"): 100,
    ("citations", "test"): 100,
    ("citations", "unlabelled"): 1000,
    **{("citations", f"train25.{number}"): 25 for number in range(5)},
    ("seminar_announcements", "all"): 485,
    **{("seminar_announcements", f"labelled.{number}"): 25 for number in range(5)},
    **{("seminar_announcements", f"unlabelled.{number}"): 313 for number in range(5)},
    **{("seminar_announcements", f"test.{number}"): 145 for number in range(5)},
    ("conll2000", "train"): 8936,
    ("conll2000", "test"): 2012,
    ("rm95_basenp", "train"): 8936,
    ("rm95_basenp", "test"): 2012,
    ("jnlpba", "train"): 18546,
    ("jnlpba", "test"): 3856,
    ("ud_english_ewt", "train"): 12544,
    ("ud_english_ewt", "dev"): 2001,
    ("ud_english_ewt", "test"): 2077,
    ("usaddress", "labelled"): 1513,
    ("usaddress", "unparseable"): 1322,
    ("srl_conll_wsj", "train"): 20758,  # propositions
    ("srl_conll_wsj", "dev"): 4608,
    ("srl_conll_wsj", "brown"): 804,
    ("srl_ewt_propbank", "train"): 40391,
    ("srl_ewt_propbank", "dev"): 4913,
    ("srl_ewt_propbank", "test"): 4795,
}
TOKENS = {
    ("citations", "train"): 10803,
    ("citations", "dev"): 3651,
    ("citations", "test"): 3502,
    ("citations", "unlabelled"): 34767,
    ("conll2000", "train"): 211727,
    ("conll2000", "test"): 47377,
}
SPANS = {
    ("conll2000", "test"): 23852,
    ("rm95_basenp", "train"): 54758,
    ("rm95_basenp", "test"): 12335,
    ("jnlpba", "train"): 51301,
    ("jnlpba", "test"): 8662,
}


@pytest.mark.parametrize(("name", "split"), SENTENCES)
def test_a_split_has_the_published_counts(name: str, split: str) -> None:
    sentences = load(name, split)
    assert len(sentences) == SENTENCES[name, split]
    if (name, split) in TOKENS:
        assert sum(map(len, sentences)) == TOKENS[name, split]
    if (name, split) in SPANS:
        found = [find_spans(one.labels, TASKS[name].scheme) for one in sentences]
        assert sum(map(len, found)) == SPANS[name, split]
    for sentence in sentences[:50]:
        assert set(sentence.columns) == set(TASKS[name].columns)
        assert len(sentence.lines) == len(sentence)


def test_noun_phrases_of_conll2000() -> None:
    spans = Counter(span.type for one in load("conll2000", "test") for span in find_spans(one.labels, "IOB2"))
    assert spans["NP"] == 12422


def test_fields_of_the_seminar_announcements() -> None:
    spans = Counter(
        span.type for one in load("seminar_announcements", "all") for span in find_spans(one.labels, "IOB2")
    )
    assert spans == {"stime": 982, "etime": 433, "location": 643, "speaker": 757}


@pytest.mark.parametrize("number", range(5))
def test_the_splits_of_the_seminars_do_not_overlap(number: int) -> None:
    parts = [
        {one.context["announcement"] for one in load("seminar_announcements", f"{kind}.{number}")}
        for kind in ("labelled", "unlabelled", "test")
    ]
    assert sum(map(len, parts)) == len(set.union(*parts)) == 483  # two of the 485 are in none


def test_citations_that_stand_in_the_corpus_twice() -> None:
    parts = {
        split: [one.tokens for one in load("citations", split)]
        for split in ("train", "dev", "unlabelled", "test")
    }
    repeats = [group for group in find_repeats(parts) if any(part != "unlabelled" for part, _ in group)]
    assert repeats == [
        (("train", 106), ("test", 57)),
        (("unlabelled", 329), ("test", 20)),
        (("test", 56), ("test", 81)),
    ]


def test_seminars_that_the_rules_were_found_in() -> None:
    def names(split: str) -> set[object]:
        return {one.context["announcement"] for one in load("seminar_announcements", split)}

    looked_at = set[object]().union(*(names(f"labelled.{number}") for number in range(5)))
    assert len(looked_at) == 115
    assert [len(looked_at & names(f"test.{number}")) for number in range(5)] == [20, 21, 38, 28, 28]


@pytest.mark.parametrize(("split", "count"), [("train", 12), ("dev", 6), ("test", 3)])
def test_citations_in_which_a_field_comes_back(split: str, count: int) -> None:
    fields = [[span.type for span in find_spans(one.labels, "flat")] for one in load("citations", split)]
    assert sum(len(set(types)) < len(types) for types in fields) == count


@pytest.mark.parametrize(
    ("task", "split", "count"),
    [
        (srl_conll_wsj, "train", 8936),
        (srl_conll_wsj, "dev", 2012),
        (srl_conll_wsj, "brown", 426),
        (srl_ewt_propbank, "train", 12514),
        (srl_ewt_propbank, "dev", 1940),
        (srl_ewt_propbank, "test", 2057),
    ],
)
def test_sentences_with_and_without_verbs(task, split: str, count: int) -> None:
    folder = TASKS[f"srl_{task.__name__.rsplit('.', 1)[-1]}"].folder()
    assert sum(1 for _ in task.read_sentences(folder, split)) == count


@pytest.mark.parametrize(("split", "count"), [("train", 87), ("dev", 17)])
def test_propositions_that_repeat_a_core_argument(split: str, count: int) -> None:
    core = {f"A{number}" for number in range(6)}
    broken = 0
    for proposition in load("srl_conll_wsj", split):
        types = Counter(span.type for span in find_spans(proposition.labels, "IOB2") if span.type in core)
        broken += any(times > 1 for times in types.values())
        verb = proposition.context["predicate"]
        assert proposition.labels[verb].endswith("-V")
    assert broken == count


def test_addresses_whose_gold_repeats_a_label() -> None:
    types = [[span.type for span in find_spans(one.labels, "flat")] for one in load("usaddress", "labelled")]
    assert sum(len(set(found)) < len(found) for found in types) == 61


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_conllu_is_written_as_it_was_read(split: str, tmp_path) -> None:
    path = TASKS["ud_english_ewt"].folder() / f"en_ewt-ud-{split}.conllu"
    write_columns(load("ud_english_ewt", split), tmp_path / "copy.conllu")
    assert (tmp_path / "copy.conllu").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("split", "file"), [("train", "train.15-18.txt"), ("dev", "dev.20.txt"), ("brown", "test.brown.txt")]
)
def test_every_layer_of_the_role_corpus_is_written_as_it_was_read(split: str, file: str, tmp_path) -> None:
    folder = TASKS["srl_conll_wsj"].folder()
    again = []
    for sentence in srl_conll_wsj.read_sentences(folder, split, parses=True):
        length, columns = len(sentence), sentence.columns
        assert write_tree(sentence_tree(sentence)) == (columns["parse"], columns["parse_pos"])
        for name in ("chunk", "entity"):
            assert write_brackets(column_spans(sentence, name), length) == columns[name]
        assert write_brackets(column_spans(sentence, "clause"), length, named=True) == columns["clause"]
    for sentence in srl_conll_wsj.read_sentences(folder, split):
        spans = proposition_spans(sentence, predicate="verb")
        again.append(write_roles(sentence, spans, predicate="verb"))
    write_columns(again, tmp_path / "copy.txt")
    assert (tmp_path / "copy.txt").read_bytes() == (folder / file).read_bytes()


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_trees_of_the_web_treebank_are_written_as_they_were_read(split: str) -> None:
    for sentence in srl_ewt_propbank.read_sentences(TASKS["srl_ewt_propbank"].folder(), split):
        tree = sentence_tree(sentence, pos="pos")
        assert write_tree(tree) == (sentence.columns["parse"], sentence.columns["pos"])
        for spans, name in zip(
            proposition_spans(sentence, predicate="lemma"),
            (name for name in sentence.columns if name.startswith("args.")),
            strict=True,
        ):
            assert write_brackets(spans, len(sentence)) == sentence.columns[name]


def test_frames() -> None:
    frames = read_frames((data_folder() or "") / "propbank_frames" / "frames")
    assert len(frames) == 11208  # one id is in two files
    senses = [(one.context["lemma"], one.context["sense"]) for one in load("srl_conll_wsj", "dev")]
    known = sum(
        any(found.id == f"{lemma}.{sense}" for found in frames.senses(lemma)) for lemma, sense in senses
    )
    assert known / len(senses) > 0.95
