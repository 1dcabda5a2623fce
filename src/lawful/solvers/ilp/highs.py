"""A linear program handed to HiGHS, as arrays."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from itertools import count
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.solvers.ilp.program import Arrays

if TYPE_CHECKING:
    import highspy

__all__ = ["Outcome", "relax", "solve"]

ROWWISE, MAXIMIZE, FEASIBLE = 2, -1, 2  # numbers of HiGHS
WHOLE = 1e-7
GRACE = 0.1  # seconds after its time limit in which HiGHS may notice that
OPTIONS: dict[str, bool | float | str] = {
    "output_flag": False,
    "mip_rel_gap": 0.0,
    "mip_abs_gap": 0.0,
    "mip_feasibility_tolerance": 1e-9,
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-10,  # of each column: along a path they add up
}


# What is tried one after another where HiGHS gives up: rarely, presolve leaves numbers that its simplex cannot handle.
# The search for whole numbers goes without presolve: HiGHS 1.15.1 turns in circles in it at one of some 10,000 random
# problems, calls one of 50,000 infeasible that is not, and takes longer with it than without.
WAYS: tuple[dict[str, bool | float | str], ...] = (
    {},
    {"presolve": "off"},
    {"presolve": "off", "simplex_strategy": 4},  # the primal simplex
    {"presolve": "off", "mip_feasibility_tolerance": 1e-7, "primal_feasibility_tolerance": 1e-7},
)
INTEGRAL_WAYS = WAYS[1:]


class Outcome(NamedTuple):
    """What HiGHS found.

    Attributes
    ----------
    status : "optimal", "infeasible", "limit" or "failed"
    values : float64 array (N,) or None
        The best solution, or the best so far.
    bound : float
        No solution is worth more.
    nodes : int
        Of the search tree; 0 if the linear relaxation has an integral solution.
    said : str
        What HiGHS said, if it failed.
    """

    status: Literal["optimal", "infeasible", "limit", "failed"]
    values: npt.NDArray[np.float64] | None
    bound: float
    nodes: int
    said: str = ""

    def integral(self, arrays: Arrays) -> bool:
        """Whether all binary columns are 0 or 1, but for rounding."""
        if self.values is None:
            return False
        binary = self.values[arrays.binary]
        return bool((np.abs(binary - binary.round()) <= WHOLE).all())


def solve(arrays: Arrays, *, seconds: float | None = None, steps: int | None = None) -> Outcome:
    """The best solution with all binary columns 0 or 1, or what is known after so many steps of the search.

    The linear relaxation comes first. Where its solution is integral there is nothing left to search, which is so
    for most sequences under most rules, and takes a tenth of the time of the search.

    Examples
    --------
    >>> from lawful.solvers.ilp.program import Program
    >>> program = Program()
    >>> x = program.add_columns([2.0, 3.0], binary=True, name=str)
    >>> program.add_row(x, upper=1.5)
    >>> solve(program.arrays()).values.tolist()
    [0.0, 1.0]
    """
    started = time.monotonic()
    relaxed = relax(arrays, seconds=seconds)
    if relaxed.status not in ("optimal", "failed") or relaxed.integral(arrays):
        return relaxed
    left = None if seconds is None else max(0.0, seconds - (time.monotonic() - started))
    outcome = _run(arrays, integral=True, seconds=left, steps=steps)
    return outcome._replace(bound=min(outcome.bound, relaxed.bound)) if outcome.status == "limit" else outcome


def relax(arrays: Arrays, *, seconds: float | None = None) -> Outcome:
    """The best solution if binary columns may be anything between 0 and 1.

    Examples
    --------
    >>> from lawful.solvers.ilp.program import Program
    >>> program = Program()
    >>> x = program.add_columns([2.0, 3.0], binary=True, name=str)
    >>> program.add_row(x, upper=1.5)
    >>> relax(program.arrays()).values.tolist()
    [0.5, 1.0]
    """
    if not len(arrays.cost):  # HiGHS does not look at the rows of a program without columns
        if ((arrays.row_lower > 0) | (arrays.row_upper < 0)).any():
            return Outcome("infeasible", None, -np.inf, 0)
        return Outcome("optimal", np.zeros(0), 0.0, 0)
    return _run(arrays, integral=False, seconds=seconds)


def _run(arrays: Arrays, *, integral: bool, seconds: float | None, steps: int | None = None) -> Outcome:
    started = time.monotonic()
    outcome = Outcome("failed", None, np.inf, 0)
    for way in INTEGRAL_WAYS if integral else WAYS:
        left = None if seconds is None else max(0.0, seconds - (time.monotonic() - started))
        outcome = _run_once(arrays, integral=integral, seconds=left, steps=steps, options=OPTIONS | way)
        if outcome.status != "failed":
            break
    return outcome


def _run_once(
    arrays: Arrays,
    *,
    integral: bool,
    seconds: float | None,
    steps: int | None,
    options: Mapping[str, bool | float | str],
) -> Outcome:
    import highspy  # slow to load, and nothing else needs it

    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in options.items():
        highs.setOptionValue(option, value)
    if seconds is not None:
        highs.setOptionValue("time_limit", seconds)
    size = len(arrays.cost)
    kinds = (arrays.binary if integral else np.zeros(size)).astype(np.int32)
    highs.passModel(
        size, len(arrays.row_lower), len(arrays.columns), ROWWISE, MAXIMIZE, 0.0,
        arrays.cost, np.zeros(size), np.where(arrays.binary, 1.0, np.inf), arrays.row_lower, arrays.row_upper,
        arrays.starts, arrays.columns, arrays.values, kinds,
    )  # fmt: skip
    if not _ends(highs, seconds, steps):
        return Outcome("limit", None, np.inf, 0)
    info, status, known = highs.getInfo(), highs.getModelStatus(), highspy.HighsModelStatus
    nodes = max(0, info.mip_node_count)
    if status in (known.kInfeasible, known.kUnboundedOrInfeasible):  # every program here is bounded
        return Outcome("infeasible", None, -np.inf, nodes)
    values = None
    if info.primal_solution_status == FEASIBLE:
        values = np.array(highs.getSolution().col_value) + 0.0  # HiGHS also says -0
    if status == known.kOptimal and values is not None:
        return Outcome("optimal", values, info.objective_function_value, nodes)
    if status in (known.kTimeLimit, known.kInterrupt):
        # A simplex that was stopped proves nothing.
        return (
            Outcome("limit", values, info.mip_dual_bound, nodes)
            if integral
            else Outcome("limit", None, np.inf, 0)
        )
    return Outcome("failed", None, np.inf, nodes, f"HiGHS ended with {highs.modelStatusToString(status)!r}")


def _ends(highs: highspy.Highs, seconds: float | None, steps: int | None) -> bool:
    """Runs HiGHS; False if it went on after its time limit, and then nothing can be asked of it.

    HiGHS looks at the clock between two steps of its own, which may take long. So it works in another thread, which is
    told to stop and left alone if it does not; and Ctrl-C, which HiGHS does not hear, ends the call at once.
    """
    worker = threading.Thread(target=highs.run, daemon=True)
    highs.HandleUserInterrupt = True
    if steps is not None:
        taken = count(1)
        # A step of the search is what lies between two of these calls: a node of the tree, or a round of cuts, each a
        # linear program or more. Unlike the clock it makes the same call end in the same place.
        highs.cbMipInterrupt += lambda event: event.interrupt() if next(taken) > steps else None
    worker.start()
    try:
        worker.join(None if seconds is None else min(seconds + GRACE, threading.TIMEOUT_MAX))
    finally:
        ended = not worker.is_alive()
        if not ended:
            highs.cancelSolve()  # type: ignore[no-untyped-call]
    return ended
