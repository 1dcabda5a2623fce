"""Models, their features and their files."""

from __future__ import annotations

from lawful.errors.base import InputError

__all__ = [
    "DamagedFileError",
    "FeatureError",
    "ForeignFileError",
    "ModelFileError",
    "NewerFormatError",
    "NotFittedError",
    "TruncatedFileError",
]


class FeatureError(InputError):
    """A feature template, a collection of them, or what they made, that cannot be used as it is.

    `key` is the entry of a feature file that is wrong, if one is known.
    """

    def __init__(self, message: str, *, key: str | None = None) -> None:
        self.key = key
        super().__init__(message)


class NotFittedError(InputError):
    """A model was asked for something that it only knows after `fit`."""

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
