"""One process that runs damaged inputs, one after another, and says what happens."""

from __future__ import annotations

import os
import random
import resource
import shutil
import tempfile
import traceback
import warnings
from hashlib import sha256
from multiprocessing.connection import Connection
from pathlib import Path

__all__ = ["MEMORY", "fuzz_for_ever", "run_case"]

MEMORY = 3 * 2**30  # bytes of data that a case may have


def fuzz_for_ever(pipe: Connection, names: list[str], seed: int, folder: Path) -> None:
    """Run cases until killed. Each is told to the parent before it runs, and lies in a file by then."""
    from seeds import make_seeds
    from targets import make_case

    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.chdir(folder)
    seeds = make_seeds(folder / "seeds")
    number = 0
    while True:
        number += 1
        rng = random.Random(f"{seed}-{number}")  # noqa: S311 - no secret
        name = names[number % len(names)]
        data, ending = make_case(name, seeds, rng)
        path = folder / f"{name}-{sha256(data).hexdigest()[:12]}{ending}"
        path.write_bytes(data)
        pipe.send(("start", name, str(path)))
        found = run_case(name, path)
        pipe.send(("done", *found))
        if not found[0]:  # else the parent keeps it
            path.unlink(missing_ok=True)


def run_case(name: str, path: Path) -> tuple[str, str]:
    """What went wrong (nothing: two empty strings): the place, for telling failures apart, and the traceback."""
    from targets import TARGETS

    import lawful

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            TARGETS[name].use(path)
    except lawful.errors.InternalError as error:
        return _told(error)
    except lawful.LawfulError:
        return "", ""
    except Exception as error:  # noqa: BLE001 - whatever else is raised is what we are looking for
        return _told(error)
    return "", ""


def replay(name: str, path: Path) -> str:
    """The traceback of a saved input, in a folder with fresh seeds; empty if it is refused properly or read."""
    from seeds import make_seeds

    folder = Path(tempfile.mkdtemp(prefix="lawful-replay-"))
    try:
        make_seeds(folder / "seeds")
        copy = folder / path.name
        shutil.copy(path, copy)
        os.chdir(folder)
        return run_case(name, copy)[1]
    finally:
        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)


def _told(error: Exception) -> tuple[str, str]:
    frames = [one for one in traceback.extract_tb(error.__traceback__) if "/lawful/" in one.filename]
    last = frames[-1] if frames else traceback.extract_tb(error.__traceback__)[-1]
    place = f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
    return place, "".join(traceback.format_exception(error))[-6000:]
