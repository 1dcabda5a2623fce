"""The labelled and the unparseable addresses of the usaddress project."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

__all__ = ["Labelled", "read_labelled", "read_unparseable", "require_data"]

WHERE = """\
The addresses are not part of lawful. Get them from the usaddress project on GitHub (datamade/usaddress, MIT licence):
training/labeled.xml and training/unparseable.csv or their latest places, into a folder named usaddress, and name the
folder above it by --data or LAWFUL_DATA."""


class Labelled(NamedTuple):
    """An address as a person labelled it."""

    text: str
    tokens: tuple[str, ...]
    labels: tuple[str, ...]


def require_data(data: str | None) -> Path:
    """The folder of the addresses, or a word about where to get them."""
    folder = Path(data or "") / "usaddress"
    if data is None or not (folder / "labeled.xml").is_file() or not (folder / "unparseable.csv").is_file():
        sys.exit(f"no addresses at {folder}\n{WHERE}")
    return folder


def read_labelled(folder: Path) -> list[Labelled]:
    """The addresses of labeled.xml."""
    root = ElementTree.parse(folder / "labeled.xml").getroot()  # noqa: S314 (as above)
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
