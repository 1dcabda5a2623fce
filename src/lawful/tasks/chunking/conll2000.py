"""Chunking: the shared task of CoNLL-2000, sections 15-18 and 20 of the Wall Street Journal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lawful.corpus import Sentence, read_columns
from lawful.tasks.task import Task

__all__ = ["CONLL2000"]


def _read(folder: Path, split: str) -> Iterator[Sentence]:
    return read_columns(CONLL2000.file(folder, f"{split}.txt"), columns="word,pos,chunk", label="chunk")


CONLL2000 = Task(
    name="conll2000",
    about="chunks (noun phrases, verb phrases, ...) of 10,948 sentences of newspaper text",
    splits=("train", "test"),
    get="train.txt.gz and test.txt.gz are at https://www.clips.uantwerpen.be/conll2000/chunking/; unpack them.",
    terms="freely distributed data of a shared task",
    columns=("pos",),
    scheme="IOB2",
    read=_read,
)
