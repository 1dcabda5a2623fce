"""Checkpoints of training: an interrupted run can be resumed."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import lawful
from lawful.errors import InputError

__all__ = ["Checkpoint"]

# Parameters that may differ between the interrupted run and the one that resumes it.
_FREE = {"jobs", "max_iterations", "tolerance", "verbose", "warm_start"}


class Checkpoint:
    """A folder with the model as it was when training last saved it.

    Examples
    --------
    >>> Checkpoint(Path("half-done")).prepare().as_posix()
    'half-done/checkpoint.lawful'
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / "checkpoint.lawful"

    def prepare(self) -> Path:
        """Create the folder; the path to save to."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return self.path

    def resume(self, model: lawful.CRF) -> lawful.CRF:
        """The model to fit: the saved one if there is one, which must have the same parameters."""
        if not self.path.exists():
            return model
        saved = lawful.CRF.load(self.path)
        parameters, saved_parameters = model.get_params(deep=False), saved.get_params(deep=False)
        for name, value in parameters.items():
            if name not in _FREE and saved_parameters[name] != value:
                raise InputError(
                    f"{self.path} was trained with another {name} ({saved_parameters[name]!r}, not {value!r}): use another "
                    "folder for --checkpoint, or remove that file"
                )
        print(f"resuming from {self.path}", file=sys.stderr)
        saved.set_params(**{name: parameters[name] for name in _FREE} | {"warm_start": True})
        return saved

    def remove(self) -> None:
        """Remove the checkpoint, once the model itself is saved."""
        self.path.unlink(missing_ok=True)
        with suppress(OSError):  # there may be files of the user in the folder
            self.folder.rmdir()
