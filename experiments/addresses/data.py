"""The labelled and the unparseable addresses of the usaddress project."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from lawful.errors import MissingDataError
from lawful.tasks import TASKS

__all__ = ["Labelled", "read_labelled", "read_unparseable", "require_data"]


class Labelled(NamedTuple):
    """An address as a person labelled it."""

    text: str
    tokens: tuple[str, ...]
    labels: tuple[str, ...]


def require_data(data: str | None) -> Path:
    """The folder of the addresses; ends with a message that says where to get them if they are missing."""
    task = TASKS["usaddress"]
    try:
        folder = task.folder(data)
        for name in ("labeled.xml", "unparseable.csv"):
            task.file(folder, name)
    except MissingDataError as error:
        sys.exit(str(error))
    return folder


def read_labelled(folder: Path) -> list[Labelled]:
    """The addresses of labeled.xml."""
    root = ElementTree.parse(folder / "labeled.xml").getroot()  # noqa: S314 (a file that the user chose)
    return [
        Labelled(
            "".join(address.itertext()).strip(),
            tuple(part.text or "" for part in address),
            tuple(part.tag for part in address),
        )
        for address in root
    ]


def read_unparseable(folder: Path) -> list[str]:
    """The addresses of unparseable.csv."""
    with (folder / "unparseable.csv").open(newline="") as file:
        return [row[0] for row in csv.reader(file) if row]
