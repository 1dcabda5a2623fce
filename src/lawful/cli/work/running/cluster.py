"""Decoding batches on a Dask cluster (extra `dask`).

Every worker gets the bytes of the model file and the text of the rules once, and makes the decoder itself.
Functions are sent by name: lawful must be installed on the workers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256

import lawful
from lawful.cli.boundary import Failure
from lawful.cli.work.running.batches import Batch, Work
from lawful.cli.work.running.processes import Decoded, in_order
from lawful.errors import InputError, MissingExtraError

__all__ = ["decode_on_cluster"]

BATCHES_AHEAD = 3  # for each thread of the cluster
SECONDS_TO_ANSWER = 10
SECONDS_FOR_WORKERS = 60


def decode_on_cluster(batches: Iterable[Batch], work: Work, *, address: str) -> Iterator[Decoded]:
    """Decode on a Dask cluster, in order; if a worker dies, its batch goes to another one."""
    try:
        import distributed

        from lawful.cli.work.running.cluster_worker import DecodingPlugin, decode_batch
    except ImportError:
        raise MissingExtraError("--cluster", "distributed", "dask") from None
    try:
        client = distributed.Client(address, timeout=SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(
            f"--cluster {address}: no Dask scheduler answers at this address ({type(error).__name__}: {error})"
        ) from None
    name = _plugin_name(work)
    try:
        with suppress(TimeoutError):
            client.wait_for_workers(1, timeout=SECONDS_FOR_WORKERS)
        threads = sum(client.nthreads().values())
        if not threads:
            raise Failure(f"--cluster {address}: the cluster has no workers")
        client.register_plugin(DecodingPlugin(work, lawful.__version__), name=name)
        yield from in_order(
            lambda batch: client.submit(decode_batch, name, batch, pure=False),
            batches,
            BATCHES_AHEAD * threads,
        )
        client.unregister_worker_plugin(name)
    except distributed.KilledWorker as error:
        raise Failure(f"workers of the cluster died repeatedly on one batch of the input: {error}") from None
    finally:
        client.close()


def _plugin_name(work: Work) -> str:
    """A name that no other work shares: several commands may use a cluster at the same time."""
    digest = sha256(work.model.data)
    digest.update(
        repr(
            (
                work.model.features,
                work.rules,
                sorted(work.options.items()),
                work.details,
                work.confidence,
                work.nbest,
            )
        ).encode()
    )
    return f"lawful-{digest.hexdigest()[:16]}"
