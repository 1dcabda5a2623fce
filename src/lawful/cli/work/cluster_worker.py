"""What a worker of a Dask cluster keeps between parts. Imported only where `distributed` is installed."""

from __future__ import annotations

from threading import Lock
from typing import Any

from distributed.diagnostics.plugin import WorkerPlugin
from distributed.worker import get_worker

import lawful
from lawful.cli.work.parts import Answers, PartDecoder, Work
from lawful.corpus import Sentence
from lawful.errors import InputError

__all__ = ["KeptWork", "decode_part"]


class KeptWork(WorkerPlugin):  # type: ignore[misc]  # distributed has no types
    """The bytes of the model and the text of the rules; the decoder is made when the first part arrives."""

    def __init__(self, work: Work, version: str) -> None:
        self.work, self.version = work, version

    def setup(self, worker: Any) -> None:
        """Called by Dask when it reaches a worker, also one that joins later or takes a dead one's place."""
        self.decoder: PartDecoder | None = None
        self.lock = Lock()

    def decode(self, part: list[Sentence]) -> Answers:
        """The answers to one part."""
        if self.version != lawful.__version__:
            raise InputError(
                f"the workers of the cluster run lawful {lawful.__version__}, but this is {self.version}: install the same"
            )
        with self.lock:
            if self.decoder is None:
                self.decoder = PartDecoder(self.work, jobs=1)
        return self.decoder.decode(part)


def decode_part(name: str, part: list[Sentence]) -> Answers:
    """On a worker: the answers to a part, by the work that is kept under a name."""
    kept: KeptWork = get_worker().plugins[name]
    return kept.decode(part)
