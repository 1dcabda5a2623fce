"""Files, corpora and models that cannot be used, and packages that are not installed."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

from lawful.errors.base import InputError

__all__ = [
    "BracketError",
    "CorpusError",
    "DamagedFileError",
    "EncodingError",
    "FeatureError",
    "FileError",
    "ForeignFileError",
    "MissingDataError",
    "MissingExtraError",
    "MissingFileError",
    "ModelFileError",
    "NewerFormatError",
    "NotFittedError",
    "RaggedRowError",
    "TruncatedFileError",
]


class FileError(InputError, OSError):
    """A file that cannot be opened, read or written. It is an `OSError` too, with the system's `errno`.

    `path` is the file; `problem` says what could not be done, and why.

    Examples
    --------
    >>> import lawful
    >>> try:
    ...     lawful.load_model(".")
    ... except OSError as error:
    ...     print(type(error).__name__, isinstance(error, lawful.LawfulError))
    FileError True
    """

    def __init__(self, path: object, problem: str, cause: OSError | None = None) -> None:
        self.path, self.problem = str(path), problem
        super().__init__(str(self))
        if cause is not None:
            self.errno, self.strerror, self.filename = cause.errno, cause.strerror, self.path

    def __str__(self) -> str:  # an OSError would show only its number and the system's words
        return f"{self.path or repr(self.path)}: {self.problem}"

    def __reduce__(self) -> tuple[Any, ...]:
        again, (kind, arguments, fields) = super().__reduce__()
        system = {"errno": self.errno, "strerror": self.strerror, "filename": self.filename}
        return again, (kind, arguments, {**fields, **system})

    @staticmethod
    def of(path: object, done: str, cause: OSError) -> FileError:
        """The error to raise when a file cannot be "opened", "read" or "written".

        Examples
        --------
        >>> FileError.of("no/x.toml", "written", FileNotFoundError(2, "No such file or directory"))
        MissingFileError('no/x.toml: cannot be written: there is no folder no')
        """
        why = cause.strerror or str(cause)
        folder = Path(str(path)).parent
        if cause.errno == errno.ENOENT and done == "written" and not folder.is_dir():
            why = f"there is no folder {folder}"
        if cause.errno == errno.EISDIR:
            why = "it is a folder, not a file"
        kind = MissingFileError if cause.errno == errno.ENOENT else FileError
        return kind(path, f"cannot be {done}: {why}", cause)


class MissingFileError(FileError, FileNotFoundError):
    """A file that does not exist, or whose folder does not exist when it is to be written. It is a `FileNotFoundError` too.

    Examples
    --------
    >>> import lawful
    >>> lawful.load_model("nowhere.lawful")
    Traceback (most recent call last):
    lawful.errors.MissingFileError: nowhere.lawful: cannot be opened: No such file or directory
    """


class CorpusError(InputError):
    """A location in a corpus file that cannot be read, or a sentence that cannot be written.

    Attributes
    ----------
    source : str
        The file, or another name for the text.
    line : int or None
        The line, counted from 1; None if the whole file is meant.
    problem : str
        What is wrong there.
    """

    def __init__(self, source: str, line: int | None, problem: str) -> None:
        self.source, self.line, self.problem = source, line, problem
        super().__init__(f"{source}{'' if line is None else f', line {line}'}: {problem}")


class BracketError(InputError):
    """Brackets in a column that do not fit together. `position` is the token's; `problem` says what was expected there."""

    def __init__(self, position: int, problem: str) -> None:
        self.position, self.problem = position, problem
        super().__init__(f"token {position}: {problem}")


class RaggedRowError(CorpusError):
    """A row with more or fewer columns than the layout has. `advice` is what to do, where that is known."""

    def __init__(self, source: str, line: int, expected: str, found: int, row: str, advice: str = "") -> None:
        self.expected, self.found, self.row, self.advice = expected, found, row, advice
        shown = row if len(row) <= 60 else row[:57] + "..."
        end = f"; {advice}" if advice else ""
        super().__init__(source, line, f"expected {expected}, found {found}: {shown!r}{end}")


class MissingDataError(InputError):
    """A corpus that is not part of lawful was not found."""

    def __init__(self, task: str, path: str, get: str) -> None:
        self.task, self.path, self.get = task, path, get
        super().__init__(
            f"the corpus {task!r} is not at {path}: {get} Then pass data=FOLDER, or set LAWFUL_DATA to it"
        )


class MissingExtraError(InputError):
    """A package is missing that only an extra of lawful installs."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        self.what, self.package, self.extra = what, package, extra
        # From a clone: until lawful is on PyPI, its name there would install nothing, or a stranger's package.
        super().__init__(
            f"{what} needs the package {package}: run pip install '.[{extra}]' in a clone of lawful"
        )


class EncodingError(InputError):
    """Labels or tags that an output encoding cannot take, or a transducer that is no encoding."""


class FeatureError(InputError):
    """A feature template, a collection of templates, or their output that cannot be used as it is.

    `key` is the wrong entry of a feature file, if it is known.
    """

    def __init__(self, message: str, *, key: str | None = None) -> None:
        self.key = key
        super().__init__(message)


class NotFittedError(InputError):
    """A model was used before it was fitted."""

    def __init__(self, model: str) -> None:
        self.model = model
        super().__init__(f"this {model} has not been fitted: call fit(X, y) first, or load a saved one")


class ModelFileError(InputError):
    """A model file that cannot be used. `path` is the file; the subclasses say what is wrong with it."""

    def __init__(self, path: object, problem: str) -> None:
        self.path, self.problem = str(path), problem
        super().__init__(f"{self.path}: {problem}")


class ForeignFileError(ModelFileError):
    """A file that is not a model of lawful."""


class TruncatedFileError(ModelFileError):
    """The beginning of a model file: its end is missing."""


class DamagedFileError(ModelFileError):
    """A model file whose contents are not what was written."""


class NewerFormatError(ModelFileError):
    """A model file in a format that a later version of lawful writes."""

    def __init__(self, path: object, version: int, known: int) -> None:
        self.version, self.known = version, known
        super().__init__(
            path, f"format version {version}, but this lawful reads versions up to {known}: upgrade lawful"
        )
