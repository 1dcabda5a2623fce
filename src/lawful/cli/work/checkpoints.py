"""Training that was interrupted goes on where it was."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import lawful
from lawful.errors import InputError

__all__ = ["Checkpoint"]

# What may differ between the run that was interrupted and the one that goes on.
_FREE = {"jobs", "max_iterations", "tolerance", "verbose", "warm_start"}


class Checkpoint:
    """A folder with the model as it was when training was last saved.

    Examples
    --------
    >>> Checkpoint(Path("half-done")).prepare().as_posix()
    'half-done/checkpoint.lawful'
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / "checkpoint.lawful"

    def prepare(self) -> Path:
        """Make the folder; where to save."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return self.path

    def resume(self, model: lawful.CRF) -> lawful.CRF:
        """The model to fit: the saved one if there is one, which must be of the same parameters."""
        if not self.path.exists():
            return model
        kept = lawful.CRF.load(self.path)
        wanted, found = model.get_params(deep=False), kept.get_params(deep=False)
        for name, value in wanted.items():
            if name not in _FREE and found[name] != value:
                raise InputError(
                    f"{self.path} was trained with another {name} ({found[name]!r}, not {value!r}): use another folder "
                    "for --checkpoint, or remove that file"
                )
        print(f"going on from {self.path}", file=sys.stderr)
        kept.set_params(**{name: wanted[name] for name in _FREE} | {"warm_start": True})
        return kept

    def remove(self) -> None:
        """Once the model is saved in its place."""
        self.path.unlink(missing_ok=True)
        with suppress(OSError):  # the user's own files may be in it
            self.folder.rmdir()
