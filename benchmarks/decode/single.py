"""One short sequence per call: the overhead of `Decoder.decode`, beside the floor called in the same way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import lawful
from benchmarks.shared import workloads
from benchmarks.shared.floor import Floor
from benchmarks.shared.timing import best_of_turns

__all__ = ["SingleFigures", "measure_single"]

LENGTH, COUNT, PASSES = 20, 20, 2  # short turns, so that some fall where nothing else runs


@dataclass(frozen=True)
class SingleFigures:
    """Microseconds per call for one sequence of 20 tokens and 7 labels, with transitions."""

    what: str
    from_lattice: float  # the Lattice at hand
    from_arrays: float | None  # the arrays at hand: the Lattice is made in the call


def measure_single(*, seconds: float) -> list[SingleFigures]:
    """The mean over the first 20 sequences of that length in workload A+T."""
    lattices = [lattice for lattice in workloads.make("A+T").lattices if lattice.length == LENGTH][:COUNT]
    static = lawful.Rules(*workloads.SRL_RULES[:7])
    rule_sets = {
        "no rules": lawful.Rules(),
        "seven rules about labels": static,
        "all ten rules": workloads.SRL_RULES,
    }
    tasks: dict[str, Callable[[], object]] = {"floor": _floors([Floor([lattice]) for lattice in lattices])}
    for name, rules in rule_sets.items():
        decoder = lawful.Decoder(rules, labels=lattices[0].labels)
        tasks[f"{name}, lattice"] = _from_lattices(decoder, lattices)
        tasks[f"{name}, arrays"] = _from_arrays(decoder, lattices)
    best = best_of_turns({name: _several(task) for name, task in tasks.items()}, seconds=seconds)
    each = {name: 1e6 * time / PASSES / len(lattices) for name, time in best.items()}
    return [
        SingleFigures("the floor, through ctypes", each["floor"], None),
        *(SingleFigures(name, each[f"{name}, lattice"], each[f"{name}, arrays"]) for name in rule_sets),
    ]


def _floors(floors: list[Floor]) -> Callable[[], object]:
    def decode() -> None:
        for floor in floors:
            floor.decode()

    return decode


def _from_lattices(decoder: lawful.Decoder, lattices: list[lawful.Lattice]) -> Callable[[], object]:
    return lambda: [decoder.decode(lattice) for lattice in lattices]


def _from_arrays(decoder: lawful.Decoder, lattices: list[lawful.Lattice]) -> Callable[[], object]:
    labels = lattices[0].labels
    scores = lattices[0].transitions
    assert scores is not None
    transitions = lawful.lattice.Transitions(scores)
    arrays = [(lattice.emissions.copy(), dict(lattice.context)) for lattice in lattices]
    return lambda: [
        decoder.decode(lawful.Lattice(emissions, transitions, labels=labels, context=context))
        for emissions, context in arrays
    ]


def _several(task: Callable[[], object]) -> Callable[[], object]:
    return lambda: [task() for _ in range(PASSES)]
