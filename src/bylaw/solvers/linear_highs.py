"""A linear program handed to HiGHS, as arrays."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from bylaw.errors import InternalError
from bylaw.solvers.linear_program import Arrays

__all__ = ["Outcome", "run_highs"]

ROWWISE, MAXIMIZE = 2, -1
OPTIONS = {
    "output_flag": False,
    "mip_rel_gap": 0.0,
    "mip_abs_gap": 0.0,
    "mip_feasibility_tolerance": 1e-9,
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
}


class Outcome(NamedTuple):
    """What HiGHS found.

    Attributes
    ----------
    status : "optimal", "infeasible" or "limit"
    values : float64 array (N,) or None
        The best solution, or the best so far.
    bound : float
        No solution is worth more.
    nodes : int
        Of the search tree. Where the linear relaxation has an integral solution there are none, or one.
    """

    status: Literal["optimal", "infeasible", "limit"]
    values: npt.NDArray[np.float64] | None
    bound: float
    nodes: int


def run_highs(arrays: Arrays, *, integral: bool = True, seconds: float | None = None) -> Outcome:
    """Solve a program.

    Parameters
    ----------
    arrays : Arrays
    integral : bool
        Whether binary columns must be 0 or 1; if not, they may be anything between.
    seconds : float, optional
        When to stop.

    Examples
    --------
    >>> from bylaw.solvers.linear_program import Program
    >>> program = Program()
    >>> x = program.add_columns([2.0, 3.0], binary=True, name=str)
    >>> program.add_row(x, upper=1.5)
    >>> run_highs(program.arrays()).values.tolist(), run_highs(program.arrays(), integral=False).values.tolist()
    ([0.0, 1.0], [0.5, 1.0])
    """
    import highspy  # slow to load, and nothing else needs it

    if not len(arrays.cost):  # HiGHS does not look at the rows of an empty program
        legal = not ((arrays.row_lower > 0) | (arrays.row_upper < 0)).any()
        return Outcome("optimal" if legal else "infeasible", np.zeros(0), 0.0, 0)
    highs = highspy.Highs()
    for option, value in OPTIONS.items():
        highs.setOptionValue(option, value)
    if seconds is not None:
        highs.setOptionValue("time_limit", seconds)
    count = len(arrays.cost)
    kinds = (arrays.binary if integral else np.zeros(count)).astype(np.int32)
    highs.passModel(
        count, len(arrays.row_lower), len(arrays.columns), ROWWISE, MAXIMIZE, 0.0,
        arrays.cost, np.zeros(count), np.where(arrays.binary, 1.0, np.inf), arrays.row_lower, arrays.row_upper,
        arrays.starts, arrays.columns, arrays.values, kinds,
    )  # fmt: skip
    highs.run()
    info, status, known = highs.getInfo(), highs.getModelStatus(), highspy.HighsModelStatus
    if status in (known.kInfeasible, known.kUnboundedOrInfeasible):  # every program here is bounded
        return Outcome("infeasible", None, -np.inf, max(0, info.mip_node_count))
    if status not in (known.kOptimal, known.kTimeLimit):
        raise InternalError(
            f"HiGHS ended with {highs.modelStatusToString(status)!r}: a bug in bylaw or in HiGHS; please report it "
            "with the lattice and the rules"
        )
    found = np.array(highs.getSolution().col_value) if info.primal_solution_status == 2 else None
    is_mip = bool(kinds.any())
    bound = info.mip_dual_bound if is_mip else np.inf
    if status == known.kOptimal:
        return Outcome("optimal", found, info.objective_function_value, max(0, info.mip_node_count))
    return Outcome("limit", found if is_mip else None, bound, max(0, info.mip_node_count))
