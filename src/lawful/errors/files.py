"""Files that are not there, or cannot be opened or written."""

from __future__ import annotations

import errno
from pathlib import Path

from lawful.errors.base import InputError

__all__ = ["FileError", "MissingFileError"]


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

    def __str__(self) -> str:  # an OSError would tell its number and the bare words of the system
        return f"{self.path or repr(self.path)}: {self.problem}"

    @staticmethod
    def of(path: object, done: str, cause: OSError) -> FileError:
        """What to raise when a file cannot be "opened", "read" or "written".

        Examples
        --------
        >>> FileError.of("no/x.toml", "written", FileNotFoundError(2, "No such file or directory"))
        MissingFileError('no/x.toml: cannot be written: there is no folder no')
        """
        why = cause.strerror or str(cause)
        if cause.errno == errno.ENOENT and done == "written":
            why = f"there is no folder {Path(str(path)).parent}"
        kind = MissingFileError if cause.errno == errno.ENOENT else FileError
        return kind(path, f"cannot be {done}: {why}", cause)


class MissingFileError(FileError, FileNotFoundError):
    """A file that is not there; or, when it is to be written, whose folder is not there. It is a `FileNotFoundError` too.

    Examples
    --------
    >>> import lawful
    >>> lawful.load_model("nowhere.lawful")
    Traceback (most recent call last):
    lawful.errors.MissingFileError: nowhere.lawful: cannot be opened: No such file or directory
    """
