"""Bio-entities: the shared task of JNLPBA 2004, five types in abstracts of GENIA."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lawful.corpus import Sentence, read_columns
from lawful.tasks.task import Task

__all__ = ["JNLPBA"]

# The training set of the shared task is two files here; `devel` was cut from it later by others.
_FILES = {
    "train": ("train.iob2", "devel.iob2"),
    "train-devel": ("train.iob2",),
    "devel": ("devel.iob2",),
    "test": ("Genia4EReval1.iob2",),
}


def _read(folder: Path, split: str) -> Iterator[Sentence]:
    for name in _FILES[split]:
        yield from read_columns(JNLPBA.file(folder, name), columns="word,entity", separator="tab")


JNLPBA = Task(
    name="jnlpba",
    about="proteins, DNA, RNA, cell lines and cell types in 22,402 sentences of abstracts",
    splits=("train", "test", "train-devel", "devel"),
    get="the corpus is at http://www.geniaproject.org/shared-tasks/bionlp-jnlpba-shared-task-2004; it needs "
    "train.iob2, devel.iob2 and Genia4EReval1.iob2 (token, tab, label).",
    terms="annotations under CC BY 3.0",
    columns=(),
    scheme="IOB2",
    read=_read,
)
