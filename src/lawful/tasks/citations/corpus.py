"""References in 13 fields: the citations of Chang, Ratinov & Roth (2012), after McCallum et al. and Grenager et al."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lawful.corpus import Sentence, read_columns
from lawful.tasks.task import Task, numbered

__all__ = ["CITATIONS", "FIELDS"]

FIELDS = (
    "author",
    "title",
    "editor",
    "booktitle",
    "journal",
    "volume",
    "pages",
    "publisher",
    "location",
    "institution",
    "tech",
    "note",
    "date",
)

_FILES = {
    "train": "citation_train.300.txt",
    "dev": "citation_dev.txt",
    "test": "citation_test.txt",
    "unlabelled": "citation_unlabeled.txt",
    **{f"train25.{number}": f"citation_train.25.{number}.txt" for number in range(5)},
}


def _read(folder: Path, split: str) -> Iterator[Sentence]:
    # The third column holds features that were computed from the first one: not data.
    for sentence in read_columns(
        CITATIONS.file(folder, _FILES[split]), columns="token,label,features", label="label", separator="tab"
    ):
        labels = None if split == "unlabelled" else sentence.labels  # its labels are placeholders
        yield Sentence(sentence.tokens, labels, source=sentence.source, lines=sentence.lines)


CITATIONS = Task(
    name="citations",
    about="500 references with 13 fields, one label per token, and 1,000 without labels",
    splits=("train", "dev", "test", "unlabelled", *numbered("train25", 5)),
    get="the paper names http://cogcomp.cs.illinois.edu/page/resources/data as the place of its data; "
    f"it needs {', '.join(list(_FILES.values())[:4])}.",
    terms="none stated; a research corpus",
    columns=(),
    scheme="flat",
    read=_read,
)
