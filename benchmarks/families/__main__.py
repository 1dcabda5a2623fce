"""Which solver for which family of problems: the measurement behind `auto`. Writes docs/results/families.*."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Annotated, Any

import numpy as np
import typer

import lawful
from benchmarks.families.problems import FAMILIES, Family
from benchmarks.shared.machine import CORES, describe_machine, load
from benchmarks.shared.paths import RESULTS
from lawful.errors import GraphError, LimitError
from lawful.solvers.choice import SOLVERS
from lawful.solvers.engine import engine
from lawful.solvers.problem import Problem
from lawful.solvers.solution import Solution
from lawful.support.limits import Limits
from lawful.testing import same_score

Solver = Callable[[Problem], Solution]


def _solver(name: str, **options: Any) -> Solver:
    return lambda problem: SOLVERS[name](problem, **options)


TRELLIS_SOLVERS: dict[str, Solver] = {
    "auto": _solver("auto"),
    "engine": engine,
    "a_star, plain": _solver("a_star"),
    "a_star, relaxed": _solver("a_star", completion="relaxed"),
    "beam, relaxed": _solver("beam", width=None, completion="relaxed"),
    "dual": _solver("dual"),
    "relaxation, at once": _solver("relaxation", at_once=True),
    "brute_force, pruned": _solver("brute_force", prune=True),
    "ilp, pruned": _solver("ilp", prune=True),
}
GRAPH_SOLVERS: dict[str, Solver] = {
    "auto": _solver("auto"),
    "relaxation": _solver("relaxation"),
    "branch_and_bound": _solver("branch_and_bound"),
    "brute_force": _solver("brute_force"),
    "a_star": _solver("a_star"),
    "ilp": _solver("ilp"),
}

TIMES, EXTRA = (
    1.5,
    50.0,
)  # what `auto` may take: so many times the best other solver, and so many milliseconds

HOW = """\
Made by `{command}`. Median milliseconds of CPU time a problem, rules tied beforehand, over {count} problems a family, and in
brackets the worst of them. `x`: one took more than {patience:g} s by the clock, while {load:.0f} processes wanted to run on {cores} cores.
Where several solved a problem, their scores agree.

The last column says whether `auto` keeps its promise: no problem of the family takes it longer than {times:g} times what the best other
solver takes for that problem, and {extra:g} ms. `no` is followed by the worst: `auto`, and the best other solver.
[Decision 13](../decisions/0013-what-auto-chooses.md) says what follows.
"""


def main(
    *,
    count: Annotated[int, typer.Option(help="Problems per family.")] = 12,
    patience: Annotated[float, typer.Option(help="Seconds for one problem.")] = 10.0,
    only: Annotated[
        list[str] | None,
        typer.Option(
            help="Families whose names contain this (repeat it for more); the others stay as they are on the page."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Other seeds make other problems of the same families.")] = 9,
    folder: Annotated[Path, typer.Option("--output")] = RESULTS,
) -> None:
    """Measure every solver on every family, and write the tables."""
    records = _records(folder / "families.json") if only else {}
    for family in FAMILIES:
        if only and not any(part in family.name for part in only):
            continue
        times = _measure(family, count, patience, seed)
        records[family.name] = {"family": family.name, "graph": family.graph, "milliseconds": times}
        print(family.name, {name: _cell(spent) for name, spent in times.items()}, flush=True)
        _write(
            folder, [records[family.name] for family in FAMILIES if family.name in records], count, patience
        )


def _write(folder: Path, records: Sequence[Mapping[str, Any]], count: int, patience: float) -> None:
    """The page so far: a run that is stopped loses nothing."""
    command = "make families"
    data = {"command": command, "machine": describe_machine(), "families": records}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "families.json").write_text(json.dumps(data, indent=1) + "\n")
    page = [
        "# Families of problems",
        HOW.format(
            command=command,
            count=count,
            patience=patience,
            load=load(),
            cores=CORES,
            times=TIMES,
            extra=EXTRA,
        ),
        "## Trellises",
        _table(TRELLIS_SOLVERS, [record for record in records if not record["graph"]]),
        "## Graphs",
        _table(GRAPH_SOLVERS, [record for record in records if record["graph"]]),
    ]
    (folder / "families.md").write_text("\n\n".join(part.strip() for part in page) + "\n")


def _records(path: Path) -> dict[str, Any]:
    """What was measured before, by family."""
    known = json.loads(path.read_text())["families"] if path.exists() else []
    return {record["family"]: record for record in known}


def _measure(family: Family, count: int, patience: float, seed: int) -> dict[str, list[float | None]]:
    """Milliseconds of each solver on each problem; None: not within the patience. A solver that failed is not tried again."""
    limits = Limits(timeout=patience, max_memory=3_000_000_000, max_states=30_000_000)
    lattices = [family.make(np.random.default_rng([seed, index])) for index in range(count)]
    decoder = lawful.Decoder(family.rules, labels=lattices[0].labels)
    problems = [replace(decoder._problem(lattice), limits=limits) for lattice in lattices]
    best: list[float | None] = [None] * count
    times: dict[str, list[float | None]] = {}
    for name, solve in (GRAPH_SOLVERS if family.graph else TRELLIS_SOLVERS).items():
        times[name] = []
        for index, problem in enumerate(problems):
            spent, score = _time(solve, problem)
            times[name].append(spent)
            if spent is None:
                break
            assert best[index] is None or same_score(best[index] or 0.0, score), (family.name, name, index)
            best[index] = score
    return times


def _time(solve: Solver, problem: Problem) -> tuple[float | None, float]:
    """The shorter of two times, unless the first is long already."""
    spent = math.inf
    for _ in range(2):
        before = process_time()
        try:
            solution = solve(problem)
        except (LimitError, GraphError):
            return None, 0.0
        assert solution.status != "bounded"
        spent = min(spent, 1e3 * (process_time() - before))
        if spent > 200:
            break
    return spent, solution.score


def _cell(times: Sequence[float | None]) -> str:
    known = [time for time in times if time is not None]
    if len(known) < len(times):
        return "x"
    return f"{_short(float(np.median(known)))} ({_short(max(known))})"


def _verdict(times: Mapping[str, Sequence[float | None]]) -> str:
    """Whether `auto` is within its promise on every problem that some solver solved."""
    worst = 0.0, ""
    others = [spent for name, spent in times.items() if name != "auto"]
    for index in range(max(map(len, others))):
        known = [own for spent in others if index < len(spent) and (own := spent[index]) is not None]
        if not known:
            continue
        mine = times["auto"][index] if index < len(times["auto"]) else None
        over = math.inf if mine is None else mine / (TIMES * min(known) + EXTRA)
        worst = max(worst, (over, f"no: {'x' if mine is None else _short(mine)} beside {_short(min(known))}"))
    return worst[1] if worst[0] > 1 else "yes"


def _short(milliseconds: float) -> str:
    """Two digits that count, and no exponent."""
    return f"{milliseconds:.2g}" if milliseconds < 10 else f"{milliseconds:,.0f}"


def _table(solvers: Mapping[str, Solver], records: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        ["family", *solvers, "`auto` in time"],
        ["---", *("---:" for _ in solvers), "---"],
        *(
            [
                record["family"].removeprefix("graph: "),
                *(_cell(record["milliseconds"][name]) for name in solvers),
                _verdict(record["milliseconds"]),
            ]
            for record in records
        ),
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    typer.run(main)
