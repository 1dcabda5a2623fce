"""Semantic roles over the English Web Treebank, with constituency trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lawful.corpus import Sentence, read_columns
from lawful.tasks.srl.propositions import read_propositions
from lawful.tasks.task import Task

__all__ = ["SRL_EWT_PROPBANK", "read_sentences"]

_COLUMNS = "id,part,index,word,pos,parse,lemma,frameset,args*"


def read_sentences(folder: Path, split: str) -> Iterator[Sentence]:
    """The sentences, also those without a predicate; brackets for each one in the columns `args.1`, `args.2`, ..."""
    path = SRL_EWT_PROPBANK.file(folder, f"{split}.gold_conll")
    read = read_columns(path, columns=_COLUMNS, token="word", label=None)  # noqa: S106 - a column, not a secret
    for number, sentence in enumerate(read):
        columns = {
            name: values for name, values in sentence.columns.items() if name not in ("id", "part", "index")
        }
        context = {"sentence": number, "id": sentence.columns["id"][0]}
        yield replace(sentence, columns=columns, context=context, layout=None)


def _read(folder: Path, split: str) -> Iterator[Sentence]:
    for sentence in read_sentences(folder, split):
        yield from read_propositions(
            sentence, predicate="lemma", context={"lemma": "lemma", "frameset": "frameset"}
        )


SRL_EWT_PROPBANK = Task(
    name="srl_ewt_propbank",
    about="the arguments of 50,099 predicates, one sequence per predicate; context['predicate'] is its position",
    splits=("train", "dev", "test"),
    get="https://github.com/propbank/propbank-release holds the roles of the English Web Treebank (gold_conll with "
    "words filled in from the treebank): train.gold_conll, dev.gold_conll, test.gold_conll.",
    terms="CC BY-SA 4.0",
    columns=("pos", "parse", "lemma", "frameset"),
    scheme="IOB2",
    read=_read,
)
