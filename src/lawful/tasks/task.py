"""A task: what its corpus is, where to get it, and where it is on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from lawful.corpus import Sentence
from lawful.errors import InputError, MissingDataError

__all__ = ["DATA_VARIABLE", "Task", "data_folder", "numbered"]

DATA_VARIABLE = "LAWFUL_DATA"


def data_folder(data: str | PathLike[str] | None = None) -> Path | None:
    """The folder that has a folder for each corpus: `data`, or the one that LAWFUL_DATA names; None if neither is given.

    Nothing else reads that variable.

    Examples
    --------
    >>> data_folder("corpora").name
    'corpora'
    """
    folder = data if data is not None else os.environ.get(DATA_VARIABLE)
    return Path(folder) if folder else None


@dataclass(frozen=True)
class Task:
    """A labelled corpus that users can download.

    Attributes
    ----------
    name : str
        Also the name of its folder inside the data folder.
    about : str
        What is labelled.
    splits : tuple of str
    get : str
        Where to get it, and which files are needed.
    terms : str
        The terms of its use, as far as they are stated.
    columns : tuple of str
        The columns of each token besides its label.
    scheme : str
        The chunk scheme of its labels, for `find_spans`.
    read : callable
        Reads the sentences of a split, given the folder and the name of the split.

    Examples
    --------
    >>> from lawful.tasks import TASKS
    >>> TASKS["conll2000"].splits, TASKS["conll2000"].scheme
    (('train', 'test'), 'IOB2')
    """

    name: str
    about: str
    splits: tuple[str, ...]
    get: str
    terms: str
    columns: tuple[str, ...]
    scheme: str
    read: Callable[[Path, str], Iterator[Sentence]] = field(repr=False)

    def folder(self, data: str | PathLike[str] | None = None) -> Path:
        """The folder of its files, inside `data` or inside the folder that LAWFUL_DATA names."""
        root = data_folder(data)
        if root is None:
            raise MissingDataError(self.name, f"${DATA_VARIABLE}, which is not set", self.get)
        folder = root / self.name
        if not folder.is_dir():
            raise MissingDataError(self.name, str(folder), self.get)
        return folder

    def load(self, split: str, data: str | PathLike[str] | None = None) -> list[Sentence]:
        """Read the sentences of a split."""
        if split not in self.splits:
            raise InputError(f"{self.name} has no split {split!r}; it has {', '.join(self.splits)}")
        return list(self.read(self.folder(data), split))

    def file(self, folder: Path, name: str) -> Path:
        """The path of a file; raises `MissingDataError` if it does not exist."""
        path = folder / name
        if not path.exists():
            raise MissingDataError(self.name, str(path), self.get)
        return path


def numbered(stem: str, count: int) -> Sequence[str]:
    """The names of numbered splits.

    Examples
    --------
    >>> numbered("test", 2)
    ['test.0', 'test.1']
    """
    return [f"{stem}.{number}" for number in range(count)]
