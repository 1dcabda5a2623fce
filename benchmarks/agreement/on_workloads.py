"""One way to solve against `auto`, on the first sequences of a workload."""

from __future__ import annotations

import functools
from time import process_time
from typing import Any

import lawful
from benchmarks.agreement.ways import Way, way_named
from benchmarks.shared import workloads
from lawful.errors import LimitError, RuleError
from lawful.testing import same_score

__all__ = ["FIRST", "compare_on_workload"]

FIRST = 200
MEMORY = 6_000_000_000  # bytes of one graph or program


@functools.cache
def _workload(name: str) -> workloads.Workload:
    return workloads.make(name)


def compare_on_workload(workload: str, way_name: str, *, budget: float, patience: float) -> dict[str, Any]:
    """Solve the first sequences, and compare the scores with those of `auto`.

    Parameters
    ----------
    workload : str
    way_name : str
    budget : float
        Seconds of CPU time after which a way that may be slow begins no further sequence.
    patience : float
        Seconds for one sequence, of a way that may be slow.
    """
    way, chosen = way_named(way_name), _workload(workload)
    lattices, rules = chosen.lattices[:FIRST], chosen.rules
    if way.solver == "viterbi":
        rules = _local(rules, lattices)
    record: dict[str, Any] = {
        "workload": workload, "way": way.name, "rules": len(rules), "sequences": len(lattices), "solved": 0,
        "worst": 0.0, "slowest": 0.0, "note": "", "disagreements": [],
    }  # fmt: skip
    if not rules:
        return record | {"seconds": 0.0, "note": "every rule needs memory, so that one pass is not enough"}
    best = _best(way, rules, lattices)
    decoder = lawful.Decoder(
        rules,
        labels=lattices[0].labels,
        solver=way.solver,
        timeout=patience if way.may_be_slow else None,
        max_memory=MEMORY,
        **way.options,
    )
    started = process_time()
    for index, (lattice, score) in enumerate(zip(lattices, best, strict=True)):
        before = process_time()
        if way.may_be_slow and before - started > budget:
            record["note"] = f"no further sequence after {budget:.0f} s"
            break
        try:
            decoding = decoder.decode(lattice)
        except LimitError as error:
            record["note"] = f"sequence {index} reached {error.limit}={error.value:g}"
            break
        record["slowest"] = max(record["slowest"], process_time() - before)
        record["solved"] += 1
        record["worst"] = max(record["worst"], abs(decoding.score - score) / max(1.0, abs(score)))
        if decoding.status != "optimal" or not same_score(decoding.score, score):
            record["disagreements"].append(
                {"place": index, "score": decoding.score, "auto": score, "status": decoding.status}
            )
    return record | {"seconds": process_time() - started}


def _best(way: Way, rules: lawful.Rules, lattices: list[lawful.Lattice]) -> list[float]:
    """What `auto` finds. `auto` itself, and Viterbi, which shares its kernels, are compared with others."""
    options: dict[str, Any] = {
        "auto": {"solver": "a_star", "completion": "relaxed"},
        "viterbi": {"solver": "relaxation"},
    }.get(way.solver, {"solver": "auto"})
    decoder = lawful.Decoder(rules, labels=lattices[0].labels, **options)
    return [float(score) for score in decoder.decode_batch(lattices, jobs=1).scores]


def _local(rules: lawful.Rules, lattices: list[lawful.Lattice]) -> lawful.Rules:
    """The rules that Viterbi takes, whatever the tokens."""
    taken = []
    for rule in rules:
        decoder = lawful.Decoder([rule], labels=lattices[0].labels, solver="viterbi")
        try:
            for lattice in lattices:
                decoder.decode(lattice)
        except RuleError:
            continue
        taken.append(rule)
    return lawful.Rules(*taken)
