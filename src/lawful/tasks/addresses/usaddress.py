"""US addresses: the training data of the `usaddress` package, and addresses that its users could not parse."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from lawful.corpus import Sentence, read_xml
from lawful.errors import CorpusError
from lawful.tasks.task import Task

__all__ = ["USADDRESS"]


def _read(folder: Path, split: str) -> Iterator[Sentence]:
    if split == "labelled":
        yield from read_xml(USADDRESS.file(folder, "labeled.xml"))
        return
    path = USADDRESS.file(folder, "unparseable.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        for row in rows:
            if len(row) != 1:
                raise CorpusError(
                    str(path), rows.line_num, f"expected one address per row, found {len(row)} columns"
                )
            tokens = tuple(row[0].split())
            lines = (rows.line_num,) * len(tokens)
            yield Sentence(tokens, None, {}, {"text": row[0]}, str(path), lines)


USADDRESS = Task(
    name="usaddress",
    about="1,513 labelled US addresses, and 1,322 raw ones that users could not parse",
    splits=("labelled", "unparseable"),
    get="https://github.com/datamade/usaddress holds training/labeled.xml and training/unparseable.csv.",
    terms="MIT",
    columns=(),
    scheme="flat",
    read=_read,
)
