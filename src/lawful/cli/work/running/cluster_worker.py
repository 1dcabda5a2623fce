"""What a worker of a Dask cluster keeps between batches. Imported only where `distributed` is installed."""

from __future__ import annotations

from threading import Lock
from typing import Any

from distributed.diagnostics.plugin import WorkerPlugin
from distributed.worker import get_worker

import lawful
from lawful.cli.work.running.batches import Answers, Batch, BatchDecoder, Work
from lawful.errors import InputError

__all__ = ["DecodingPlugin", "decode_batch"]


class DecodingPlugin(WorkerPlugin):  # type: ignore[misc]  # distributed has no types
    """The bytes of the model and the text of the rules; the decoder is made when the first batch arrives."""

    def __init__(self, work: Work, version: str) -> None:
        self.work, self.version = work, version

    def setup(self, worker: Any) -> None:
        """Called by Dask on every worker, also on one that joins later or replaces a dead one."""
        self.decoder: BatchDecoder | None = None
        self.lock = Lock()

    def decode(self, batch: Batch) -> Answers:
        """The answers to one batch."""
        if self.version != lawful.__version__:
            raise InputError(
                f"the workers of the cluster run lawful {lawful.__version__}, but this is {self.version}: install the same"
            )
        with self.lock:
            if self.decoder is None:
                self.decoder = BatchDecoder(self.work, jobs=1)
        return self.decoder.decode(batch)


def decode_batch(name: str, batch: Batch) -> Answers:
    """On a worker: the answers to a batch, by the plugin registered under a name."""
    plugin: DecodingPlugin = get_worker().plugins[name]
    return plugin.decode(batch)
