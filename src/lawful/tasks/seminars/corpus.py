"""Seminar announcements of Carnegie Mellon: when a talk starts and ends, where it is, who speaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from lawful.corpus import Sentence, read_tagged_text
from lawful.errors import CorpusError
from lawful.tasks.task import Task, numbered

__all__ = ["FIELDS", "SEMINAR_ANNOUNCEMENTS"]

FIELDS = ("stime", "etime", "location", "speaker")

_LISTS = {"labelled": "labeled.25", "unlabelled": "unlabeled.25", "test": "test"}


def _read(folder: Path, split: str) -> Iterator[Sentence]:
    raw = SEMINAR_ANNOUNCEMENTS.file(folder, "raw")
    for path in _paths(folder, raw, split):
        sentence = read_tagged_text(
            path, fields=FIELDS, ignored=("paragraph", "sentence"), encoding="latin-1"
        )
        yield replace(sentence, context={"announcement": path.name})


def _paths(folder: Path, raw: Path, split: str) -> Iterator[Path]:
    if split == "all":
        yield from sorted(raw.iterdir())
        return
    kind, _, number = split.partition(".")
    listed = SEMINAR_ANNOUNCEMENTS.file(folder, f"splits/{_LISTS[kind]}.{number}.txt")
    for line_number, line in enumerate(listed.read_text().splitlines(), 1):
        name = PurePosixPath(line.strip()).name  # the folder is that of another machine
        if name.startswith("#"):  # an editor's copy of an announcement that is in a test set
            continue
        path = raw / name
        if not path.is_file():
            raise CorpusError(str(listed), line_number, f"{name!r} is not among the announcements in {raw}")
        yield path


SEMINAR_ANNOUNCEMENTS = Task(
    name="seminar_announcements",
    about="485 announcements as long sequences, with four fields that may be mentioned several times",
    splits=("all", *numbered("labelled", 5), *numbered("unlabelled", 5), *numbered("test", 5)),
    get="Freitag's corpus was distributed with the RISE repository of information extraction; it needs the "
    "folder raw with one file per announcement, and for the five splits of 25 / 313 / 145 the folder splits.",
    terms="none stated; a research corpus",
    columns=("space",),
    scheme="IOB2",
    read=_read,
)
