"""CP-SAT, through ortools: the same integer program as HiGHS gets, with whole numbers for scores; one worker."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib.metadata import version

import numpy as np
from ortools.sat.python import cp_model

import lawful
from benchmarks.peers.linear import LinearModel, Program
from benchmarks.peers.linear_rules import obey
from benchmarks.peers.worker import Answer, Solve, serve

__all__ = ["RESOLUTION", "setup"]

RESOLUTION = 1e-6  # scores are rounded to multiples of this


def setup(rules: lawful.Rules, lattices: Sequence[lawful.Lattice]) -> Solve:
    """One solver for all sequences; each is a new model."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2  # up to ten times faster on these programs than the default

    def solve(lattice: lawful.Lattice) -> Answer:
        model = LinearModel(lattice)
        for rule in rules:
            obey(rule, model, lattice)
        model.program.finish()
        status = solver.solve(_whole_numbers(model.program))
        assert status == cp_model.OPTIMAL, solver.status_name()
        labels = model.labels(np.array(solver.response_proto.solution, dtype=float))
        return Answer(labels, -solver.objective_value * RESOLUTION)

    return solve


def _whole_numbers(program: Program) -> cp_model.CpModel:
    """The program as CP-SAT takes it: fields are filled directly, which is faster than its modelling functions."""
    model = cp_model.CpModel()
    proto = model.proto
    for upper in program.upper:
        proto.variables.add().domain.extend([0, int(upper)])
    starts, columns, values = (
        program.starts.tolist(),
        program.columns.tolist(),
        program.values.astype(int).tolist(),
    )
    bounds = zip(program.row_lower, program.row_upper, strict=True)
    for row, (lower, upper) in enumerate(bounds):
        linear = proto.constraints.add().linear
        linear.vars.extend(columns[starts[row] : starts[row + 1]])
        linear.coeffs.extend(values[starts[row] : starts[row + 1]])
        linear.domain.extend([_whole(lower), _whole(upper)])
    objective = proto.objective  # minimised
    objective.vars.extend(range(len(program.cost)))
    objective.coeffs.extend(np.rint(-program.cost / RESOLUTION).astype(int).tolist())
    return model


def _whole(bound: float) -> int:
    if math.isinf(bound):
        return int(cp_model.INT_MIN if bound < 0 else cp_model.INT_MAX)
    return int(bound)


if __name__ == "__main__":
    serve(setup, version("ortools"))
