"""`make bench`: lawful, a floor and its peers on the same lattices, in one run. Writes docs/results/decode.*."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table as RichTable

from benchmarks.decode.our_solvers import Slice, SolverFigures, measure_solvers
from benchmarks.decode.ours import measure
from benchmarks.decode.page import write_results
from benchmarks.decode.single import measure_single
from benchmarks.decode.tables import (
    Table,
    claim_table,
    our_table,
    peer_table,
    single_table,
    solver_table,
    verdict_table,
    way_table,
    work_table,
)
from benchmarks.decode.targets import judge
from benchmarks.peers.run import PEERS, Share, compare
from benchmarks.shared import workloads
from benchmarks.shared.machine import describe_machine, load
from benchmarks.shared.paths import RESULTS

QUICK = ("A", "B")

progress = Console(stderr=True)
output = Console()
if not output.is_terminal:
    output.width = 160  # a pipe or a file folds no lines


def main(
    *,
    names: Annotated[
        str, typer.Option("--workloads", help="Names of workloads, separated by commas; all by default.")
    ] = "",
    quick: Annotated[
        bool, typer.Option("--quick", help="A smoke test: two workloads, no results written.")
    ] = False,
    no_peers: Annotated[bool, typer.Option("--no-peers", help="Only lawful and the floor.")] = False,
    no_solvers: Annotated[
        bool, typer.Option("--no-solvers", help="Leave out lawful's other solvers.")
    ] = False,
    folder: Annotated[
        Path | None, typer.Option("--output", help="Where to write decode.md and decode.json.")
    ] = None,
) -> None:
    """Measure, check that all scores agree, print tables, write results."""
    chosen = names.split(",") if names else list(QUICK if quick else workloads.MAKERS)
    if unknown := set(chosen) - set(workloads.MAKERS):
        raise typer.BadParameter(f"no workload {', '.join(unknown)}; there are {', '.join(workloads.MAKERS)}")
    seconds = 0.5 if quick else 6.0
    share = Share(2, 1.0, 5.0) if quick else Share(1000, 10.0, 20.0)
    own = Slice(50, 0.3, 5.0) if quick else Slice(200, 1.0, 20.0)
    load_before = load()
    if load_before > 0.5:
        progress.print(f"[yellow]the machine is busy (load {load_before:.1f}): expect worse figures")
    figures, peers, solvers = [], [], list[SolverFigures]()
    for name in chosen:
        progress.print(f"[dim]{name}: lawful and the floor")
        workload = workloads.make(name)
        figures.append(measure(workload, seconds=seconds))
        these = figures[-1:]
        output.print(_rich(our_table(these)), _rich(way_table(these)), _rich(work_table(these)))
        if not no_solvers and not name.endswith("-noisy"):
            progress.print(f"[dim]{name}: lawful's other solvers")
            of_solvers = measure_solvers(workload, own)
            solvers += of_solvers
            output.print(_rich(solver_table(of_solvers)), _rich(claim_table(of_solvers)))
        rivals = () if no_peers or name.endswith("-noisy") else PEERS  # the noisy twins are for ourselves
        for peer in rivals:
            progress.print(f"[dim]{name}: {peer.name}")
            peers.append(compare(peer, workload, share))
        if rivals:
            output.print(_rich(peer_table([row for row in peers if row.workload == name])))
    progress.print("[dim]one sequence a call")
    single = measure_single(seconds=seconds)
    output.print(_rich(single_table(single)))
    verdicts = judge(figures, peers, single, solvers)
    output.print(_rich(verdict_table(verdicts)))
    if quick and folder is None:
        return
    folder = folder or RESULTS
    command = " ".join(["python", "-m benchmarks.decode", *sys.argv[1:]]) if sys.argv[1:] else "make bench"
    write_results(
        folder,
        command=command,
        machine=describe_machine() | {"load": f"{load_before:.1f} before, {load():.1f} at the end"},
        figures=figures,
        peers=peers,
        single=single,
        solvers=solvers,
        share=own,
        verdicts=verdicts,
    )
    progress.print(f"[dim]written: {folder}/decode.md and decode.json")


def _rich(table: Table) -> RichTable:
    shown = RichTable(title=table.title, title_justify="left")
    for index, column in enumerate(table.columns):
        shown.add_column(column, justify="right" if index else "left", overflow="fold")
    for row in table.rows:
        shown.add_row(*row)
    return shown


if __name__ == "__main__":
    typer.run(main)
