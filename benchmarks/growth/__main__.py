"""Measure, draw, write: `make bench-growth`.

Each point is measured in a process of its own, which a fork makes: so its peak memory is known. Beside each stands the time that
reading its scores once takes at the speed at which this machine copies memory, measured in the same run.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console

import lawful
from benchmarks.cli.stream import stream_corpus
from benchmarks.growth.page import draw, write_page
from benchmarks.growth.problems import SERIES, Point
from benchmarks.shared.machine import describe_machine, load
from benchmarks.shared.paths import RESULTS

SECONDS = 1.0  # for the turns of one point
COPIED = 1 << 27  # bytes
progress = Console(stderr=True)


def main(
    *,
    tokens: Annotated[
        int,
        typer.Option(
            "--tokens", help="Tokens to stream through `lawful decode`; 0: keep what the last run found."
        ),
    ] = 10_000_000,
    most: Annotated[int, typer.Option("--most", help="Leave out sizes above this.")] = 1 << 60,
    folder: Annotated[Path, typer.Option("--output", help="Where to write growth*.")] = RESULTS,
) -> None:
    """Measure everything."""
    busy = load()
    copied = copy_speed()
    series = []
    for one in SERIES:
        rows = []
        for size in one.sizes:
            if size > most:
                continue
            point = one.make(size)
            rows.append(
                {"size": size, "limit": point.score_bytes / copied, **in_child(partial(measure, point))}
            )
            progress.print(f"{one.name} {size:,}: {1000 * rows[-1]['seconds']:.3f} ms")
        series.append(
            {"name": one.name, "along": one.along, "about": one.about, "linear": one.linear, "rows": rows}
            | {"slope": slope(rows)}
        )
    results: dict[str, Any] = {
        "command": "make bench-growth",
        "copy_bytes_a_second": copied,
        "series": series,
        "stream": stream_corpus(tokens) if tokens else _last_stream(folder),
        "machine": describe_machine() | {"load": f"{busy:.1f} before, {load():.1f} at the end"},
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "growth.json").write_text(json.dumps(results, indent=1) + "\n")
    draw(results, folder)
    write_page(results, folder)


def _last_stream(folder: Path) -> dict[str, Any] | None:
    page = folder / "growth.json"
    found: dict[str, Any] | None = json.loads(page.read_text())["stream"] if page.exists() else None
    return found


def copy_speed() -> float:
    """Bytes a second that one core reads while it copies memory, as STREAM's copy does."""
    source, target = np.ones(COPIED // 8), np.empty(COPIED // 8)
    best = math.inf
    for _ in range(8):
        began = time.perf_counter()
        np.copyto(target, source)
        best = min(best, time.perf_counter() - began)
    return COPIED / best


def measure(point: Point) -> dict[str, float]:
    """Least seconds of a decode, the first decode of a new decoder, and peak memory of that."""
    before = _status("VmRSS")
    decoder = lawful.Decoder(point.rules, labels=point.lattice.labels)
    began = time.perf_counter()
    answer = decoder.decode(point.lattice)
    first = time.perf_counter() - began
    if answer.status != "optimal":
        raise SystemExit(f"{answer.status}: {answer.why}")
    memory = max(0, _status("VmHWM") - before)
    [prepared] = decoder.prepare([point.lattice])
    best, started, turns = math.inf, time.perf_counter(), 0
    while turns < 3 or time.perf_counter() - started < SECONDS:
        began = time.perf_counter()
        decoder.decode(prepared)
        best = min(best, time.perf_counter() - began)
        turns += 1
    return {
        "seconds": best,
        "first": first,
        "memory": memory,
        "entered": sum(len(r.rules) for r in answer.rounds),
    }


def in_child(work: Callable[[], dict[str, float]]) -> dict[str, float]:
    """What the work gives in a process of its own, whose peak memory starts at what it has."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            Path("/proc/self/clear_refs").write_text("5")  # forget the parent's peak
            os.write(writer, json.dumps(work()).encode())
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if status:
        raise SystemExit("a measurement failed")
    measured: dict[str, float] = json.loads(text)
    return measured


def slope(rows: list[dict[str, float]]) -> float:
    """By which power of the size the time grows over the last two sizes."""
    if len(rows) < 2:
        return math.nan
    a, b = rows[-2:]
    return math.log(b["seconds"] / a["seconds"]) / math.log(b["size"] / a["size"])


def _status(field: str) -> int:
    """A size from /proc/self/status, in bytes."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split(f"{field}:")[1].split()[0])


if __name__ == "__main__":
    typer.run(main)
