"""Damaged inputs give errors, never a traceback, a crash, a hang or a heap of memory; and a playground outlives an attack.

`make fuzz` runs this for ten minutes on two processes; `make fuzz FUZZ_MINUTES=1` for one. Whatever a reader raises
must be a `LawfulError`; a case has ten seconds of processor time and 3 GB. Inputs that do worse are kept in build/fuzz, each
kind of failure once, with the line that runs it again. The same seed gives the same cases. Meanwhile `playground.py` attacks a server.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

KEPT = Path("build/fuzz")
NAMES = [
    "rules",
    "model",
    "crfsuite",
    "columns",
    "conllu",
    "jsonl",
    "csv",
    "parquet",
    "xml",
    "features",
    "command",
    "playground",
]
PROCESSOR, WALL = 10.0, 120.0  # seconds for a case; a busy machine may stretch the second


@dataclass
class Watched:
    """A worker, and the case that it is busy with."""

    process: Any
    pipe: Connection
    folder: Path
    name: str = ""
    path: Path = field(default_factory=Path)
    since: float = 0.0
    spent: float = 0.0


def main() -> int:
    """Fuzz, or replay a kept input."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--seed", type=int, default=int(time.time()))
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--only", choices=NAMES, action="append")
    options.add_argument("--replay", type=Path, help="run one kept input again")
    given = options.parse_args()
    if given.replay:
        name, path = given.replay.name.split("-")[0], given.replay.resolve()
        if name == "playground":
            import playground

            told = playground.replay(path)
        else:
            from worker import replay

            told = replay(name, path)
        print(told or "nothing wrong: it is read, or refused with an error of lawful's own")
        return 1 if told else 0
    names = given.only or NAMES
    print(f"fuzzing {', '.join(names)} for {given.minutes:g} minutes; --seed {given.seed}", flush=True)
    attack = _attack(given.minutes, given.seed) if "playground" in names else None
    readers = [name for name in names if name != "playground"]
    try:
        code = fuzz(given.minutes, given.seed, given.jobs, readers) if readers else 0
        return code if attack is None else max(code, attack.wait())
    finally:
        if attack is not None:
            attack.kill()


def _attack(minutes: float, seed: int) -> subprocess.Popen[bytes]:
    script = Path(__file__).with_name("playground.py")
    return subprocess.Popen([sys.executable, str(script), "--minutes", str(minutes), "--seed", str(seed)])


def fuzz(minutes: float, seed: int, jobs: int, names: list[str]) -> int:
    """Watch the workers until the time is over; 1 if anything failed."""
    end = time.monotonic() + 60 * minutes
    base = Path(tempfile.mkdtemp(prefix="lawful-fuzz-"))
    started = 0
    runs, failures = dict.fromkeys(names, 0), set[str]()
    workers: list[Watched] = []

    def begin() -> None:
        nonlocal started
        folder = base / str(started)
        folder.mkdir()
        workers.append(_begin(names, seed * 1000 + started, folder))
        started += 1

    try:
        for _ in range(jobs):
            begin()
        while time.monotonic() < end:
            for pipe in wait([one.pipe for one in workers], timeout=1.0):
                one = next(worker for worker in workers if worker.pipe is pipe)
                try:
                    kind, *rest = one.pipe.recv()
                except EOFError:
                    one.process.join()
                    if not one.name:
                        raise SystemExit("a worker ended before its first case: see above") from None
                    _fail(failures, one, f"died with {one.process.exitcode}", "the process died")
                    workers.remove(one)
                    begin()
                    continue
                if kind == "start":
                    one.name, one.path, one.since = rest[0], Path(rest[1]), time.monotonic()
                    one.spent = _processor_time(one.process.pid)
                else:
                    runs[one.name] += 1
                    if rest[0]:
                        _fail(failures, one, rest[0], rest[1])
                    one.since = 0.0
            for one in list(workers):
                if one.since and _hangs(one):
                    one.process.kill()
                    one.process.join()
                    _fail(failures, one, "hang", f"more than {PROCESSOR:g} s of work")
                    workers.remove(one)
                    begin()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    finally:
        for one in workers:
            one.process.kill()
            one.process.join()
        shutil.rmtree(base, ignore_errors=True)
    print("cases:", ", ".join(f"{name} {count:,}" for name, count in runs.items()))
    print(f"{len(failures)} kinds of failure" + (f", kept in {KEPT}" if failures else ""))
    return 1 if failures else 0


def _begin(names: list[str], seed: int, folder: Path) -> Watched:
    from worker import fuzz_for_ever

    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=fuzz_for_ever, args=(theirs, names, seed, folder), daemon=False)
    process.start()
    theirs.close()
    return Watched(process, ours, folder)


def _hangs(one: Watched) -> bool:
    return time.monotonic() - one.since > WALL or _processor_time(one.process.pid) - one.spent > PROCESSOR


def _processor_time(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _fail(failures: set[str], one: Watched, place: str, told: str) -> None:
    """Keep the input and the traceback, if it is a new kind of failure."""
    key = f"{one.name}: {place}"
    if key in failures:
        return
    failures.add(key)
    KEPT.mkdir(parents=True, exist_ok=True)
    kept = KEPT / one.path.name
    if one.path.is_file():
        shutil.copy(one.path, kept)
    kept.with_name(kept.name + ".traceback").write_text(told)
    print(f"\nFAILED {key}\n  {told.strip().splitlines()[-1][:300]}")
    print(f"  {sys.executable} tests/fuzz/fuzz.py --replay {kept}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
