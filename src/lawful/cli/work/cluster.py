"""Parts of a corpus worked on by a Dask cluster (extra `dask`).

Every worker is given the bytes of the model file and the text of the rules once, and makes the decoder itself.
Functions are sent by name: lawful must be installed on the workers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256

import lawful
from lawful.cli.boundary import Failure
from lawful.cli.work.parts import Work
from lawful.cli.work.spreading import Done, Part, in_order
from lawful.errors import InputError, MissingExtraError

__all__ = ["decode_on_cluster"]

PARTS_AHEAD = 3  # for each thread of the cluster
SECONDS_TO_ANSWER = 10
SECONDS_FOR_WORKERS = 60


def decode_on_cluster(parts: Iterable[Part], work: Work, *, address: str) -> Iterator[Done]:
    """Decode on a Dask cluster, in order; a part whose worker dies is given to another one."""
    try:
        import distributed

        from lawful.cli.work.cluster_worker import KeptWork, decode_part
    except ImportError:
        raise MissingExtraError("--cluster", "distributed", "dask") from None
    try:
        client = distributed.Client(address, timeout=SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(
            f"--cluster {address}: no scheduler of Dask answers there ({type(error).__name__}: {error})"
        ) from None
    name = _name_of(work)
    try:
        with suppress(TimeoutError):
            client.wait_for_workers(1, timeout=SECONDS_FOR_WORKERS)
        threads = sum(client.nthreads().values())
        if not threads:
            raise Failure(f"--cluster {address}: the cluster has no workers")
        client.register_plugin(KeptWork(work, lawful.__version__), name=name)
        yield from in_order(
            lambda part: client.submit(decode_part, name, part, pure=False), parts, PARTS_AHEAD * threads
        )
        client.unregister_worker_plugin(name)
    except distributed.KilledWorker as error:
        raise Failure(f"the workers of the cluster keep dying over a part of the input: {error}") from None
    finally:
        client.close()


def _name_of(work: Work) -> str:
    told = sha256(work.model.data)
    told.update(repr((work.model.features, work.rules, sorted(work.options.items()), work.details)).encode())
    return f"lawful-{told.hexdigest()[:16]}"
