"""Base noun phrases of Ramshaw & Marcus (1995), in the same sentences as CoNLL-2000."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lawful.corpus import Sentence, read_columns
from lawful.tasks.task import Task

__all__ = ["RM95_BASENP"]


def _read(folder: Path, split: str) -> Iterator[Sentence]:
    return read_columns(RM95_BASENP.file(folder, f"{split}.dat"), columns="word,pos,chunk", label="chunk")


RM95_BASENP = Task(
    name="rm95_basenp",
    about="base noun phrases; labels I, O, and B between two phrases that touch",
    splits=("train", "test"),
    get="the data of Ramshaw & Marcus (1995) is at ftp://ftp.cis.upenn.edu/pub/chunker/ and comes with fnTBL; "
    "it needs train.dat and test.dat.",
    terms="derived from the Wall Street Journal; for research",
    columns=("pos",),
    scheme="IOB1",
    read=_read,
)
