"""HiGHS, through highspy: the integer program of each lattice and its rules, passed as arrays; one thread, no gap."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import highspy
import numpy as np

import lawful
from benchmarks.peers.linear import LinearModel
from benchmarks.peers.linear_rules import obey
from benchmarks.peers.worker import Answer, Solve, serve

__all__ = ["setup"]

ROWWISE, MAXIMIZE, INTEGER = 2, -1, 1


def setup(rules: lawful.Rules, lattices: Sequence[lawful.Lattice]) -> Solve:
    """One solver for all sequences; each is a new model."""
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in {"output_flag": False, "mip_rel_gap": 0.0, "mip_abs_gap": 0.0, "threads": 1}.items():
        highs.setOptionValue(option, value)

    def solve(lattice: lawful.Lattice) -> Answer:
        model = LinearModel(lattice)
        for rule in rules:
            obey(rule, model, lattice)
        program = model.program
        program.finish()
        count = len(program.cost)
        highs.passModel(
            count, len(program.row_lower), len(program.columns), ROWWISE, MAXIMIZE, 0.0,
            program.cost, np.zeros(count), program.upper, program.row_lower, program.row_upper,
            program.starts, program.columns, program.values, np.full(count, INTEGER, dtype=np.int32),
        )  # fmt: skip
        highs.run()
        assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal, highs.getModelStatus()
        labels = model.labels(np.array(highs.getSolution().col_value))
        return Answer(labels, float(highs.getInfo().objective_function_value))

    return solve


if __name__ == "__main__":
    serve(setup, version("highspy"))
