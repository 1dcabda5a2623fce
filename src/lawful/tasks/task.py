"""What there is to know of a task's corpus, and where on this machine it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from lawful.corpus import Sentence
from lawful.errors import InputError, MissingDataError

__all__ = ["DATA_VARIABLE", "Task", "numbered"]

DATA_VARIABLE = "LAWFUL_DATA"


@dataclass(frozen=True)
class Task:
    """A labelled corpus that a user can get.

    Attributes
    ----------
    name : str
        Also the name of its folder inside the data folder.
    about : str
        What is labelled.
    splits : tuple of str
    get : str
        Where a user gets it, and which files it needs.
    terms : str
        The terms of its use, as far as they are stated.
    columns : tuple of str
        What is known of each token besides its label.
    scheme : str
        How its labels describe spans, for `find_spans`.
    read : callable
        From its folder and a split to sentences.

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
        """Where its files are: `data`, or the folder that LAWFUL_DATA names, and there the task's own."""
        root = data if data is not None else os.environ.get(DATA_VARIABLE)
        if not root:
            raise MissingDataError(self.name, f"${DATA_VARIABLE}, which is not set", self.get)
        folder = Path(root) / self.name
        if not folder.is_dir():
            raise MissingDataError(self.name, str(folder), self.get)
        return folder

    def load(self, split: str, data: str | PathLike[str] | None = None) -> list[Sentence]:
        """The sentences of a split."""
        if split not in self.splits:
            raise InputError(f"{self.name} has no split {split!r}; it has {', '.join(self.splits)}")
        return list(self.read(self.folder(data), split))

    def file(self, folder: Path, name: str) -> Path:
        """A file that must be there."""
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
