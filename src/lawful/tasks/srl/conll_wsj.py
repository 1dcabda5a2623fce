"""Semantic roles over newspaper text: words and chunks of CoNLL-2000, roles of CoNLL-2005."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lawful.corpus import Sentence, read_columns
from lawful.corpus.trees import add_parses
from lawful.tasks.srl.propositions import read_propositions
from lawful.tasks.task import Task

__all__ = ["SRL_CONLL_WSJ", "read_sentences"]

_FILES = {"train": "train.15-18", "dev": "dev.20", "brown": "test.brown"}
_COLUMNS = "word,pos,gold_chunk,pos2,chunk,clause,entity,sense,verb,args*"


def read_sentences(folder: Path, split: str, *, parses: bool = False) -> Iterator[Sentence]:
    """The sentences, also those without a verb; brackets for each verb in the columns `args.1`, `args.2`, ...

    `parses` adds the columns `parse_pos` and `parse`, the automatic parse, from a second file (`dev.20.parses.txt`).
    """
    name = _FILES[split]
    path = SRL_CONLL_WSJ.file(folder, f"{name}.txt")
    sentences: Iterator[Sentence] = read_columns(path, columns=_COLUMNS, label=None)
    if parses:
        sentences = add_parses(sentences, SRL_CONLL_WSJ.file(folder, f"{name}.parses.txt"))
    for number, sentence in enumerate(sentences):
        yield replace(sentence, context={"sentence": number})


def _read(folder: Path, split: str) -> Iterator[Sentence]:
    for sentence in read_sentences(folder, split):
        yield from read_propositions(sentence, predicate="verb", context={"lemma": "verb", "sense": "sense"})


SRL_CONLL_WSJ = Task(
    name="srl_conll_wsj",
    about="the arguments of 26,170 verbs, one sequence per verb; context['predicate'] is the verb's position",
    splits=("train", "dev", "brown"),
    get="the role layers are at https://www.cs.upc.edu/~srlconll/, the words those of CoNLL-2000 (section 15-18 as "
    "train.15-18.txt, 20 as dev.20.txt; the Brown corpus of CoNLL-2005 as test.brown.txt): word, POS, gold chunk, POS, chunk, clause, entity, "
    "sense, verb, roles; Charniak's parses beside them as *.parses.txt: POS, brackets.",
    terms="for research; the words are those of the Wall Street Journal",
    columns=("pos", "gold_chunk", "pos2", "chunk", "clause", "entity", "sense", "verb"),
    scheme="IOB2",
    read=_read,
)
