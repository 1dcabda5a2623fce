"""The solvers agree with each other on the first sequences of the benchmark's workloads."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import lawful
from lawful.testing import same_score

SOURCE = Path(__file__).parents[2] / "benchmarks" / "shared" / "workloads.py"
EVERYTHING = 200
CHEAP: dict[str, int] = {
    "a_star published": EVERYTHING,
    "a_star plain": EVERYTHING,
    "a_star relaxed": EVERYTHING,
    "beam relaxed": EVERYTHING,
    "dual": EVERYTHING,
    "brute_force pruned": EVERYTHING,
}
RELAXING = {"relaxation": EVERYTHING, "branch_and_bound": EVERYTHING}
# Workload: how many of the first 200 sequences each solver gets here; `make agreement` gives all of them to all.
SHARES: dict[str, dict[str, int]] = {
    "A": CHEAP | RELAXING | {"beam plain": EVERYTHING, "brute_force": 30, "ilp": 30, "ilp pruned": 100},
    "A+T": CHEAP | RELAXING | {"beam plain": EVERYTHING, "brute_force": 30, "ilp": 30, "ilp pruned": 100},
    "B": CHEAP | RELAXING | {"beam plain": EVERYTHING, "ilp": 10, "ilp pruned": EVERYTHING},
    "B-soft": CHEAP | RELAXING | {"ilp": 5, "ilp pruned": 50},
    "B-once": CHEAP | {"relaxation": 100, "branch_and_bound": 100, "ilp": 5, "ilp pruned": 50},
    "B-priced": {"a_star relaxed": 20, "dual": 5, "brute_force pruned": 10, "ilp pruned": 2},
    "B-noisy": CHEAP
    | {"relaxation": 50, "branch_and_bound": 50, "brute_force pruned": 10, "ilp": 5, "ilp pruned": 20},
    "C200": CHEAP | {"relaxation": 10, "branch_and_bound": 10, "ilp pruned": 50},
    "C1000": {
        "a_star relaxed": 40,
        "beam relaxed": 40,
        "dual": 40,
        "brute_force pruned": 20,
        "ilp pruned": 10,
    },
}
OPTIONS: dict[str, dict[str, Any]] = {
    "a_star published": {"solver": "a_star", "completion": "published"},
    "a_star plain": {"solver": "a_star", "completion": "plain"},
    "a_star relaxed": {"solver": "a_star", "completion": "relaxed"},
    "beam plain": {"solver": "beam", "width": None},
    "beam relaxed": {"solver": "beam", "width": None, "completion": "relaxed"},
    "brute_force pruned": {"solver": "brute_force", "prune": True},
    "ilp pruned": {"solver": "ilp", "prune": True},
}


@pytest.fixture(scope="module")
def workloads() -> ModuleType:
    spec = importlib.util.spec_from_file_location("lawful_benchmark_workloads", SOURCE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", SHARES)
def test_solvers_agree(workloads: ModuleType, name: str) -> None:
    workload = workloads.make(name)
    labels = workload.lattices[0].labels
    scores = lawful.Decoder(workload.rules, labels=labels).decode_batch(workload.lattices).scores
    for solver, share in SHARES[name].items():
        decoder = lawful.Decoder(workload.rules, labels=labels, **OPTIONS.get(solver, {"solver": solver}))
        for place, lattice in enumerate(workload.lattices[:share]):
            found = decoder.decode(lattice)
            assert found.status == "optimal"
            assert same_score(found.score, float(scores[place])), (solver, place)
