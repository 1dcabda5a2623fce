"""Any saved model, by the kind that its file names."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy.typing as npt

from lawful.errors import ModelFileError
from lawful.models.base.estimator import Functions, SequenceModel
from lawful.models.saving import SavedModel, open_model

__all__ = ["load_model", "models_inside", "restore", "save_inside"]

# Where the kinds of models in lawful are defined. A file can only choose among these and the classes that the program
# has defined already: reading a file never imports what it names.
_ROOMS: dict[str, str] = {
    "blend": "lawful.models.blend",
    "calibrated": "lawful.models.calibrated",
    "coded": "lawful.encodings.codes",
    "crf": "lawful.models.crf",
    "encoded": "lawful.encodings.encoded_model",
    "ensemble": "lawful.voting.ensemble",
    "hmm": "lawful.models.hmm.model",
    "maxent": "lawful.models.maxent",
    "memm": "lawful.models.memm",
    "perceptron": "lawful.models.perceptron.perceptron",
    "semi-crf": "lawful.models.semi_crf.model",
    "structured perceptron": "lawful.models.perceptron.structured_perceptron",
    "winnow": "lawful.models.perceptron.winnow",
}


def load_model(path: str | os.PathLike[str], *, functions: Functions = None) -> SequenceModel:
    """Read a model of any kind from a file that `save` wrote.

    Parameters
    ----------
    path : path
    functions : mapping from names to functions, optional
        Those that its templates name, if any: a file holds no code.

    Raises
    ------
    ModelFileError
        If the file is no model (`ForeignFileError`), incomplete (`TruncatedFileError`), changed (`DamagedFileError`),
        from a later lawful (`NewerFormatError`), or of an unknown kind.

    Examples
    --------
    >>> from lawful.models.saving import write_model
    >>> write_model("odd.lawful", "oracle", {}, {})
    >>> load_model("odd.lawful")
    Traceback (most recent call last):
    lawful.errors.ModelFileError: odd.lawful: a model of kind 'oracle', which no imported class has: import the module that defines it
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
            path,
            f"a model of kind {saved.kind!r}, which no imported class has: import the module that defines it",
        )
    return kind.restored(saved, path, functions=functions)


# --- models inside a model: the data of each, with its number before the names of its arrays ------------------


def save_inside(models: Sequence[SequenceModel]) -> tuple[list[dict[str, Any]], dict[str, npt.ArrayLike]]:
    """What `_saved` of a model gives for the models that it is made of: data for JSON, and arrays."""
    saved: list[dict[str, Any]] = []
    arrays: dict[str, npt.ArrayLike] = {}
    for number, model in enumerate(models):
        meta, own = model._saved_as()
        saved.append({"kind": model.kind, "meta": meta})
        arrays |= {f"{number}.{name}": array for name, array in own.items()}
    return saved, arrays


def models_inside(
    saved: Sequence[Mapping[str, Any]], arrays: Mapping[str, npt.NDArray[Any]]
) -> list[SequenceModel]:
    """The models that `save_inside` described."""
    models = []
    for number, model in enumerate(saved):
        start = f"{number}."
        own = {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}
        models.append(restore(SavedModel(model["kind"], model["meta"], own)))
    return models
