"""The inside of a peer's process: make the workload, solve one sequence after another, print a line of JSON for each.

The first line says the tool's version. Only solving is timed: building a sequence's model is part of it, what can be
built once for all sequences is not.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import NamedTuple

import lawful
from benchmarks.shared import workloads

__all__ = ["Answer", "Solve", "serve"]

MOST_MEMORY = 6 << 30


class Answer(NamedTuple):
    """The labels of one sequence, as numbers, and what the peer believes to be their score."""

    labels: list[int]
    score: float


Solve = Callable[[lawful.Lattice], Answer]
Setup = Callable[[lawful.Rules, Sequence[lawful.Lattice]], Solve]


def serve(setup: Setup, version: str) -> None:
    """Solve the workload `argv[1]`, at most `argv[2]` sequences in at most about `argv[3]` seconds."""
    name, most, budget = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    workload = workloads.make(name)
    lattices = workload.lattices[:most]
    solve = setup(workload.rules, lattices)
    _say(version=version)
    used = 0.0
    for lattice in lattices:
        started = perf_counter()
        answer = solve(lattice)
        seconds = perf_counter() - started
        _say(labels=answer.labels, score=answer.score, seconds=seconds)
        used += seconds
        if used > budget:
            break


def _say(**line: object) -> None:
    print(json.dumps(line), flush=True)
