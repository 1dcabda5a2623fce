"""Learning that was interrupted goes on where it stopped."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from lawful.errors import InputError
from lawful.learning.history import Round
from lawful.models.base.estimator import SequenceModel
from lawful.models.loading import load_model
from lawful.support.files import written_aside

__all__ = ["Checkpoint", "Progress"]


@dataclass(frozen=True)
class Progress:
    """What a run had reached.

    Attributes
    ----------
    supervised, model : SequenceModel
        What was learned from the labelled data, and what came of it.
    pool : list of list of str
        The labels that the pool had last.
    history : tuple of Round
    """

    supervised: SequenceModel
    model: SequenceModel
    pool: list[list[str]]
    history: tuple[Round, ...]


class Checkpoint:
    """A folder in which a run leaves what it has reached after each round: model files and a JSON file.

    Parameters
    ----------
    folder : path
        Made if it does not exist.
    *what : anything with a printed form
        What the run is about: data and settings. A folder of another run is refused.

    Examples
    --------
    >>> Checkpoint("run", "data", 3).read() is None
    True
    """

    def __init__(self, folder: str | os.PathLike[str], *what: object) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        digest = sha256()
        for item in what:
            digest.update(repr(item).encode("utf-8", "surrogatepass"))
            digest.update(b"\x00")
        self.fingerprint = digest.hexdigest()

    @property
    def _state(self) -> Path:
        return self.folder / "progress.json"

    def read(self) -> Progress | None:
        """What the run had reached; None if it has not begun."""
        if not self._state.exists():
            return None
        try:
            state = json.loads(self._state.read_text(encoding="utf-8"))
            fingerprint, history, pool = state["fingerprint"], state["history"], state["pool"]
            rounds = tuple(Round(**entry) for entry in history)
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{self._state} cannot be read ({error}): delete the folder to begin anew"
            ) from None
        if fingerprint != self.fingerprint:
            raise InputError(
                f"{self.folder} holds the progress of another run (other data, rules or settings): give another "
                "folder, or delete this one"
            )
        return Progress(
            load_model(self.folder / "supervised.lawful"),
            load_model(self.folder / f"round-{rounds[-1].number}.lawful"),
            pool,
            rounds,
        )

    def write(
        self,
        supervised: SequenceModel,
        model: SequenceModel,
        pool: Sequence[Sequence[str]],
        history: Sequence[Round],
    ) -> None:
        """Leave what has been reached. The JSON file comes last: it names models that are there."""
        number = history[-1].number
        if not number or not (self.folder / "supervised.lawful").exists():
            supervised.save(self.folder / "supervised.lawful")
        model.save(self.folder / f"round-{number}.lawful")
        state: dict[str, Any] = {
            "fingerprint": self.fingerprint,
            "history": [entry.as_data() for entry in history],
            "pool": [list(labels) for labels in pool],
        }
        with written_aside(self._state) as file:
            file.write(json.dumps(state).encode())
