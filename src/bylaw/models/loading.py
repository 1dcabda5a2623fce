"""Any saved model, by the kind that its file names."""

from __future__ import annotations

import os
from importlib import import_module

from bylaw.errors import ModelFileError
from bylaw.models.estimator import Functions, SequenceModel
from bylaw.models.saving import SavedModel, open_model

__all__ = ["load", "restore"]

# Where the kinds that bylaw itself has are defined. A file can only choose among these, and among the classes that
# the program has defined already.
_ROOMS: dict[str, str] = {
    "blend": "bylaw.models.blend",
    "crf": "bylaw.models.crf",
    "hmm": "bylaw.models.hmm",
    "maxent": "bylaw.models.maxent",
    "memm": "bylaw.models.memm",
    "perceptron": "bylaw.models.perceptron",
    "semi-crf": "bylaw.models.semi_crf",
    "structured perceptron": "bylaw.models.structured_perceptron",
    "winnow": "bylaw.models.winnow",
}


def load(path: str | os.PathLike[str], *, functions: Functions = None) -> SequenceModel:
    """Read a model of any kind from a file that `save` wrote.

    Parameters
    ----------
    path : path
    functions : mapping from names to functions, optional
        Those that the templates of its features name, if they name any: a file holds no code.

    Raises
    ------
    ModelFileError
        If the file is not a model (`ForeignFileError`), incomplete (`TruncatedFileError`), changed
        (`DamagedFileError`), from a later bylaw (`NewerFormatError`), or of an unknown kind.

    Examples
    --------
    >>> from bylaw.models.saving import write_model
    >>> write_model("odd.bylaw", "oracle", {}, {})
    >>> load("odd.bylaw")
    Traceback (most recent call last):
    bylaw.errors.ModelFileError: odd.bylaw: a model of kind 'oracle', which nothing here defines: import what defines it
    """
    with open_model(path) as saved:
        return restore(saved, path, functions=functions)


def restore(
    saved: SavedModel, path: str | os.PathLike[str] = "model", *, functions: Functions = None
) -> SequenceModel:
    """The model that a file's contents describe, by its kind; `path` is for the errors."""
    if saved.kind in _ROOMS:
        import_module(_ROOMS[saved.kind])
    kind = SequenceModel.kinds.get(saved.kind)
    if kind is None:
        raise ModelFileError(
            path, f"a model of kind {saved.kind!r}, which nothing here defines: import what defines it"
        )
    return kind.restored(saved, path, functions=functions)
