"""Trained models on disk, by what they were trained on."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from lawful.errors import ModelFileError
from lawful.models.base.estimator import SequenceModel
from lawful.models.loading import load_model
from lawful.support.files import written_aside
from lawful.support.numbers import check_count

__all__ = ["ModelStore", "digest_of"]


def digest_of(*data: object) -> str:
    """A fingerprint of plain data: what is equal has the same.

    Examples
    --------
    >>> digest_of([["a", "b"]], 1) == digest_of([["a", "b"]], 1), digest_of("a") == digest_of("b")
    (True, False)
    """
    digest = sha256()
    for item in data:
        digest.update(repr(item).encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


class ModelStore:
    """A folder of models, each named by a fingerprint of its training data and settings.

    The labels that a model was trained on are kept beside it and compared before it is used again, so that two fingerprints
    that happen to be equal do no harm. When the folder grows beyond its limit, the models that were not used for the longest
    time are removed. Several processes may use one folder.

    Parameters
    ----------
    folder : path
        Made if it does not exist.
    max_bytes : int
        How large it may grow.

    Attributes
    ----------
    trained, reused : int
        How often a model had to be trained, and how often one was there.

    Examples
    --------
    >>> import lawful
    >>> store = ModelStore("models")
    >>> def train():
    ...     return lawful.HMM().fit([["a"]], [["1"]])
    >>> for _ in range(3):
    ...     model = store.model("some settings", ["1"], train)
    >>> store.trained, store.reused
    (1, 2)
    """

    def __init__(self, folder: str | os.PathLike[str], *, max_bytes: int = 1 << 30) -> None:
        self.folder, self.max_bytes = Path(folder), check_count("max_bytes", max_bytes, least=1)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.trained = self.reused = 0

    def model(
        self, settings: str, labels: Sequence[Any], train: Callable[[], SequenceModel]
    ) -> SequenceModel:
        """The model of that fingerprint, trained now if there is none.

        Parameters
        ----------
        settings : str
            A fingerprint of everything but the labels: tokens, parameters.
        labels : sequence of plain data
            What the model is trained on.
        train : function without arguments
        """
        path = self.folder / f"{digest_of(settings, labels)}.lawful"
        beside = path.with_suffix(".json")
        known = self._read(path, beside, settings, labels)
        if known is not None:
            self.reused += 1
            return known
        model = train()
        self.trained += 1
        with written_aside(beside) as file:
            file.write(json.dumps([settings, labels]).encode())
        model.save(path)
        self._shrink(keep=path)
        return model

    def _read(self, path: Path, beside: Path, settings: str, labels: Sequence[Any]) -> SequenceModel | None:
        try:
            if json.loads(beside.read_bytes()) != json.loads(json.dumps([settings, labels])):
                return None
            model = load_model(path)
            os.utime(path)  # used now: the last to be removed
        except (OSError, ValueError, ModelFileError):  # not there, removed by another process, or damaged
            return None
        return model

    def _shrink(self, keep: Path) -> None:
        """Remove the models that were not used for the longest time, until the folder is small enough."""
        sizes: dict[Path, tuple[float, int]] = {}
        for path in self.folder.glob("*.lawful"):
            with suppress(OSError):
                beside = path.with_suffix(".json")
                status = path.stat()
                sizes[path] = status.st_mtime, status.st_size + beside.stat().st_size
        total = sum(size for _, size in sizes.values())
        for path, (_, size) in sorted(sizes.items(), key=lambda item: item[1]):
            if total <= self.max_bytes:
                return
            if path != keep:
                path.unlink(missing_ok=True)
                path.with_suffix(".json").unlink(missing_ok=True)
                total -= size
