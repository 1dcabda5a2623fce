"""The solvers agree with each other on the first sequences of the benchmark's workloads."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

import bylaw
from bylaw.testing import same_score

SOURCE = Path(__file__).parents[2] / "benchmarks" / "workloads.py"
SHARES = {  # workload: sequences for each solver; brute force cannot build the products of B and C
    "A": {"relaxation": 100, "branch_and_bound": 100, "brute_force": 20},
    "A+T": {"relaxation": 100, "branch_and_bound": 100, "brute_force": 20},
    "B": {"relaxation": 30, "branch_and_bound": 30},
    "B-soft": {"relaxation": 15},
    "B-once": {"relaxation": 15},
    "C200": {"relaxation": 4, "branch_and_bound": 4},
}


@pytest.fixture(scope="module")
def workloads() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bylaw_benchmark_workloads", SOURCE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", SHARES)
def test_solvers_agree(workloads: ModuleType, name: str) -> None:
    workload = workloads.make(name)
    labels = workload.lattices[0].labels
    scores = bylaw.Decoder(workload.rules, labels=labels).decode_batch(workload.lattices).scores
    for solver, share in SHARES[name].items():
        decoder = bylaw.Decoder(workload.rules, labels=labels, solver=solver)
        for place, lattice in enumerate(workload.lattices[:share]):
            found = decoder.decode(lattice)
            assert found.status == "optimal"
            assert same_score(found.score, float(scores[place])), (solver, place)
