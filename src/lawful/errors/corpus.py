"""Corpus files, and what is not installed or not there."""

from __future__ import annotations

from lawful.errors.base import InputError

__all__ = [
    "CorpusError",
    "MissingDataError",
    "MissingExtraError",
    "RaggedRowError",
]


class CorpusError(InputError):
    """A place in a corpus file that cannot be read, or a sentence that cannot be written.

    Attributes
    ----------
    source : str
        The file, or what else the text came from.
    line : int or None
        The line, counted from 1; None if the whole file is meant.
    problem : str
        What is wrong there.
    """

    def __init__(self, source: str, line: int | None, problem: str) -> None:
        self.source, self.line, self.problem = source, line, problem
        super().__init__(f"{source}{'' if line is None else f', line {line}'}: {problem}")


class RaggedRowError(CorpusError):
    """A row with more or fewer columns than the layout has."""

    def __init__(self, source: str, line: int, expected: str, found: int, row: str) -> None:
        self.expected, self.found, self.row = expected, found, row
        shown = row if len(row) <= 60 else row[:57] + "..."
        super().__init__(source, line, f"expected {expected}, found {found}: {shown!r}")


class MissingDataError(InputError):
    """A corpus that the caller has to get from elsewhere is not where it was looked for."""

    def __init__(self, task: str, path: str, get: str) -> None:
        self.task, self.path, self.get = task, path, get
        super().__init__(
            f"the corpus {task!r} is not at {path}: {get} Then pass data=FOLDER, or set LAWFUL_DATA to it"
        )


class MissingExtraError(InputError):
    """Something needs a package that lawful does not install by itself."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        self.what, self.package, self.extra = what, package, extra
        # From a clone: until lawful is on PyPI, its name there would install nothing, or a stranger's package.
        super().__init__(
            f"{what} needs the package {package}: run pip install '.[{extra}]' in a clone of lawful"
        )
