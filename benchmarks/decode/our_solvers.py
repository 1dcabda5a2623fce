"""lawful's other solvers on the first sequences of a workload, for comparison with the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import lawful
from benchmarks.shared.contestant import Contestant
from benchmarks.shared.timing import best_of_turns
from benchmarks.shared.workloads import Workload
from lawful.errors import LimitError
from lawful.solvers.choice import SOLVERS
from lawful.solvers.problem import Problem
from lawful.support.limits import Limits
from lawful.testing import same_score

__all__ = ["COLUMNS", "Column", "Slice", "SolverFigures", "measure_solvers"]


@dataclass(frozen=True)
class Column:
    """A solver with its options, and the name of its column."""

    name: str
    solver: str
    options: dict[str, Any] = field(default_factory=dict)


COLUMNS = (
    Column("relaxation", "relaxation"),
    Column("branch_and_bound", "branch_and_bound"),
    Column("brute_force", "brute_force"),
    Column("brute_force, pruned", "brute_force", {"prune": True}),
    Column("a_star", "a_star"),
    Column("a_star, relaxed", "a_star", {"completion": "relaxed"}),
    Column("beam", "beam", {"width": None}),
    Column("dual", "dual"),
    Column("ilp", "ilp"),
    Column("ilp, pruned", "ilp", {"prune": True}),
)


@dataclass(frozen=True)
class Slice:
    """What a solver gets of each workload."""

    sequences: int
    seconds: float  # no further sequence is begun after that
    patience: float  # for one sequence


@dataclass(frozen=True)
class SolverFigures:
    """What a solver did with the first sequences of a workload."""

    workload: str
    column: str
    solved: int
    note: str  # why it solved no more, if something stopped it
    seconds: float | None = None  # a sequence
    engine: float | None = None  # `auto` on the same ones
    relaxation: float | None = None  # and the solver of that name


def measure_solvers(workload: Workload, share: Slice) -> list[SolverFigures]:
    """Every solver on its share of a workload; all scores must agree with those of `auto`."""
    lattices = workload.lattices[: share.sequences]
    decoder = lawful.Decoder(workload.rules, labels=lattices[0].labels)
    best = [float(score) for score in decoder.decode_batch(lattices, jobs=1).scores]
    limits = Limits(timeout=share.patience, max_memory=6_000_000_000)
    problems = [replace(decoder._problem(lattice), limits=limits) for lattice in lattices]
    figures, relaxing = [], list[float]()
    for column in COLUMNS:
        times, note = _run(column, problems, best, share)
        if column.name == "relaxation":
            relaxing = times
        if not times:
            figures.append(SolverFigures(workload.name, column.name, 0, note))
            continue
        same = min(len(times), len(relaxing))
        figures.append(
            SolverFigures(
                workload.name,
                column.name,
                len(times),
                note,
                seconds=sum(times) / len(times),
                engine=_engine(workload, lattices[: len(times)]),
                relaxation=sum(relaxing[:same]) / same if same == len(times) else None,
            )
        )
    return figures


def _run(
    column: Column, problems: Sequence[Problem], best: Sequence[float], share: Slice
) -> tuple[list[float], str]:
    """The time of each sequence that was solved: of the faster pass, if there is time for several."""
    solve, times = SOLVERS[column.solver], list[float]()
    started = perf_counter()
    while perf_counter() - started < share.seconds:
        these: list[float] = []
        for problem, score in zip(problems, best, strict=True):
            before = perf_counter()
            if before - started > share.seconds:
                break
            try:
                solution = solve(problem, **column.options)
            except LimitError as error:
                how = {"timeout": f"{error.value:.0f} s", "max_memory": f"{error.value / 1e9:.0f} GB"}
                return times or these, f"the next took more than {how[error.limit]}"
            these.append(perf_counter() - before)
            assert solution.status == "optimal"
            assert same_score(solution.score, score), (column.name, len(these) - 1, solution.score, score)
        if not times:
            times = these
        elif len(these) == len(times):
            times = min(times, these, key=sum)
    return times, ""


def _engine(workload: Workload, lattices: Sequence[lawful.Lattice]) -> float:
    ours = Contestant(lattices, workload.rules)
    return best_of_turns({"ruled": ours.decode_ruled}, seconds=0.1)["ruled"] / len(lattices)
