"""Training and tagging beside python-crfsuite, on CoNLL-2000 chunking: `make bench-models`.

The contestants take turns, each in a process of its own. CRFsuite uses one thread; ours is measured with one and two.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from benchmarks.models.page import judge, write_page
from benchmarks.shared.machine import describe_machine, load
from benchmarks.shared.paths import RESULTS, ROOT
from lawful.tasks.task import data_folder

progress = Console(stderr=True)

TURNS = [
    ("ours, 1 thread", "train_ours", 1),
    ("CRFsuite", "train_crfsuite", 1),
    ("ours, 2 threads", "train_ours", 2),
]
TAGGING = [
    ("ours, 1 thread", "tag_ours", 1),
    ("CRFsuite", "tag_crfsuite", 1),
    ("ours, 2 threads", "tag_ours", 2),
]


def main(
    *,
    quick: Annotated[
        bool, typer.Option("--quick", help="A smoke test on 600 sentences; no results written.")
    ] = False,
    rounds: Annotated[int, typer.Option("--rounds", help="Number of turns of each contestant.")] = 2,
    data: Annotated[
        Path | None, typer.Option("--data", help="The folder of corpora; by default LAWFUL_DATA.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--output", help="Where to write models.md and models.json.")
    ] = None,
) -> None:
    """Measure, judge, write."""
    corpora = data_folder(data)
    if corpora is None:
        progress.print("neither --data nor LAWFUL_DATA is given: a generated corpus replaces CoNLL-2000")
    load_before = load()
    if load_before > 0.5:
        progress.print(f"[yellow]the machine is busy (load {load_before:.1f}): expect worse figures")
    sentences = 600 if quick else 0
    trained: dict[str, list[dict[str, Any]]] = {}
    tagged: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(1 if quick else max(1, rounds)):
            for into, turns in ((trained, TURNS), (tagged, TAGGING)):
                for name, worker, threads in turns:
                    progress.print(f"[dim]{worker.split('_')[0]}: {name}")
                    model = Path(scratch) / f"{worker.split('_')[1]}.model"
                    into.setdefault(name, []).append(_run(worker, model, sentences, threads, corpora))
    figures = judge(trained, tagged)
    for verdict in figures["targets"]:
        print(f"{'holds' if verdict['holds'] else 'FAILS':6} {verdict['target']}: {verdict['measured']}")
    if quick and folder is None:
        return
    machine = describe_machine() | {"load": f"{load_before:.1f} before, {load():.1f} at the end"}
    write_page(folder or RESULTS, figures, machine)


def _run(worker: str, model: Path, sentences: int, threads: int, corpora: Path | None) -> dict[str, Any]:
    command = [
        sys.executable,
        "-m",
        "benchmarks.models.worker",
        worker,
        str(model),
        str(sentences),
        str(threads),
        "" if corpora is None else str(corpora.resolve()),
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


if __name__ == "__main__":
    typer.run(main)
