"""Parts of speech: the English Web Treebank of Universal Dependencies, with its Penn tags (XPOS)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lawful.corpus import Sentence, read_conllu
from lawful.tasks.task import Task

__all__ = ["UD_ENGLISH_EWT"]


def _read(folder: Path, split: str) -> Iterator[Sentence]:
    return read_conllu(UD_ENGLISH_EWT.file(folder, f"en_ewt-ud-{split}.conllu"), label="xpos")


UD_ENGLISH_EWT = Task(
    name="ud_english_ewt",
    about="Penn part-of-speech tags of 16,622 sentences from the web",
    splits=("train", "dev", "test"),
    get="https://github.com/UniversalDependencies/UD_English-EWT (release 2.15) holds en_ewt-ud-train.conllu, -dev and -test.",
    terms="CC BY-SA 4.0",
    columns=("id", "lemma", "upos", "feats", "head", "deprel", "deps", "misc"),
    scheme="flat",
    read=_read,
)
