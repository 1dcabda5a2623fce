"""`make agreement`: all exact solvers agree, on the workloads and on random problems. Writes docs/results/agreement.*.

Resumes where it was stopped, as long as the code is the same.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks.agreement.on_magnitudes import PROBLEMS, compare_on_magnitudes
from benchmarks.agreement.on_random import RULE_SETS, SEQUENCES, compare_on_random
from benchmarks.agreement.on_workloads import compare_on_workload
from benchmarks.agreement.page import write_agreement
from benchmarks.agreement.state import State
from benchmarks.agreement.ways import WAYS
from benchmarks.shared import workloads
from benchmarks.shared.machine import describe_machine
from benchmarks.shared.paths import RESULTS, ROOT

RANDOM = {"trellises": 16_800, "graphs": 4_200}  # a few are left out: more than 20,000 stay
MAGNITUDES = {"short": 12_000, "short graphs": 4_000, "long": 4_000}

Work = Callable[[], dict[str, Any]]


def main(
    *,
    names: Annotated[
        str, typer.Option("--workloads", help="Names of workloads, separated by commas; all by default.")
    ] = "",
    budget: Annotated[
        float,
        typer.Option(help="CPU seconds per workload for solvers that may be slow."),
    ] = 100.0,
    patience: Annotated[
        float, typer.Option(help="Seconds per sequence for solvers that may be slow.")
    ] = 120.0,
    random: Annotated[float, typer.Option(help="Share of the random problems to run.")] = 1.0,
    jobs: Annotated[int, typer.Option(help="Number of processes.")] = os.cpu_count() or 1,
    folder: Annotated[
        Path, typer.Option("--output", help="Where to write agreement.md and .json.")
    ] = RESULTS,
    state_file: Annotated[
        Path, typer.Option("--state", help="File with the comparisons that are already done.")
    ] = ROOT / "build" / "agreement.jsonl",
) -> None:
    """Compare, show progress, write the page; exit with 1 if any two disagree."""
    chosen = names.split(",") if names else list(workloads.MAKERS)
    if unknown := set(chosen) - set(workloads.MAKERS):
        raise typer.BadParameter(
            f"unknown workload {', '.join(unknown)}; the workloads are {', '.join(workloads.MAKERS)}"
        )
    state, work = State(state_file), _work(chosen, budget, patience, random)
    waiting = {name: comparison for name, comparison in work.items() if name not in state.records}
    bar = Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with bar, ProcessPoolExecutor(jobs) as pool:
        task = bar.add_task("", total=len(work), completed=len(work) - len(waiting))
        running = {pool.submit(comparison): name for name, comparison in waiting.items()}
        for done in as_completed(running):
            if done.exception():  # what is running still ends, but nothing more starts
                pool.shutdown(wait=False, cancel_futures=True)
            record = done.result()
            state.add(running[done], record)
            bar.update(task, advance=1, description=running[done])
            if not sys.stdout.isatty():
                print(
                    f"{running[done]}: {record.get('seconds', 0.0):.1f} s {record.get('note', '')}",
                    flush=True,
                )
    records = [state.records[name] for name in work]
    settings = {"budget": budget, "patience": patience, "processes": jobs}
    command = " ".join(["python", "-m benchmarks.agreement", *sys.argv[1:]])
    wrong = write_agreement(folder, records, command=command, machine=describe_machine(), settings=settings)
    print(f"written: {folder}/agreement.md and agreement.json; disagreements: {wrong}")
    raise typer.Exit(1 if wrong else 0)


def _work(chosen: list[str], budget: float, patience: float, random: float) -> dict[str, Work]:
    """What is to be done, by name; what may be slow comes last."""
    work: dict[str, Work] = {}
    for kind, count in RANDOM.items():
        for chunk in range(round(random * count / (RULE_SETS * SEQUENCES))):
            work[f"random {kind} {chunk}"] = partial(compare_on_random, kind, chunk)
    for kind, count in MAGNITUDES.items():
        for chunk in range(round(random * count / PROBLEMS)):
            work[f"magnitudes {kind} {chunk}"] = partial(compare_on_magnitudes, kind, chunk)
    for way in sorted(WAYS, key=lambda way: way.may_be_slow):
        for name in chosen:
            work[f"{name}: {way.name}"] = partial(
                compare_on_workload, name, way.name, budget=budget, patience=patience
            )
    return work


if __name__ == "__main__":
    typer.run(main)
