"""The speed of lawful on a workload, beside the floor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

import lawful
from benchmarks.shared.contestant import Contestant
from benchmarks.shared.flat import FlatContestant
from benchmarks.shared.floor import Floor
from benchmarks.shared.machine import CORES
from benchmarks.shared.timing import best_of_turns
from benchmarks.shared.workloads import Workload

__all__ = ["Figures", "measure"]

NEW_DECODERS = 3  # whose first pass is measured
SLOWEST, CALLS = 20, 5  # sequences of the first round that are looked at again, and how often


@dataclass(frozen=True)
class Figures:
    """Seconds per sequence, unless another unit is named."""

    name: str
    what: str
    sequences: int
    mean_length: float
    floor: float  # the plain C++ Viterbi loop
    alone: float | None  # a loop that takes each position's best label, where there are no transitions
    plain: float  # lawful without rules, prepared, one thread
    ruled: float  # lawful with rules, prepared, one thread
    ruled_all_cores: float
    ruled_two_threads: float
    flat: float  # lawful with rules, from flat arrays, one thread
    first: float  # the same on the first pass of a new decoder, which has built nothing yet
    worst: float  # the slowest sequence, decoded alone
    prepare: float  # tying the rules to tokens and context
    end_to_end: float  # lawful with rules, from Lattice objects, one thread
    states: float  # mean number of states expanded
    rounds: float  # mean number of rounds
    broken: tuple[float, ...]  # the share of rule-free answers that break 0, 1, 2... rules

    @property
    def ruled_to_plain(self) -> float:
        """The time with rules, in plain Viterbi passes."""
        return self.ruled / self.plain

    @property
    def first_to_plain(self) -> float:
        """The time of a new decoder's first pass, in plain Viterbi passes."""
        return self.first / self.plain

    @property
    def plain_to_floor(self) -> float:
        """The time of our plain Viterbi relative to the floor."""
        return self.plain / self.floor

    @property
    def whole_to_ruled(self) -> float:
        """The time from `Lattice` objects to answers, relative to the prepared time."""
        return self.end_to_end / self.ruled

    @property
    def flat_speed(self) -> float:
        """The speed from flat arrays, relative to the prepared one."""
        return self.ruled / self.flat

    @property
    def two_threads_speed(self) -> float:
        """The speed of two threads, relative to that of one."""
        return self.ruled / self.ruled_two_threads


def measure(workload: Workload, *, seconds: float) -> Figures:
    """The figures of one workload."""
    lattices = workload.lattices
    ours, floor = Contestant(lattices, workload.rules), Floor(lattices)
    flat = FlatContestant(lattices, workload.rules)
    tasks: dict[str, Callable[[], object]] = {
        "plain": ours.decode_plain,
        "floor": floor.decode,
        "ruled": ours.decode_ruled,
        "ruled_two_threads": lambda: ours.decode_ruled(2),
        "flat": flat.decode,
        "end_to_end": lambda: ours.ruled.decode_batch(lattices, jobs=1),
    }
    if CORES != 2:
        tasks["ruled_all_cores"] = lambda: ours.decode_ruled(CORES)
    if lattices[0].transitions is None:
        tasks["alone"] = Floor(lattices, alone=True).decode
    times = best_of_turns(tasks, seconds=seconds)
    times.setdefault("ruled_all_cores", times["ruled_two_threads"])
    times |= best_of_turns({"prepare": lambda: ours.ruled.prepare(lattices)}, seconds=seconds / 4)
    plain, ruled = ours.decode_plain(), ours.decode_ruled()
    np.testing.assert_allclose(floor.scores, plain.scores, rtol=1e-12)
    assert all(result.status == "optimal" for result in ruled)
    np.testing.assert_array_equal(flat.decode().scores, ruled.scores)
    each = {name: seconds / len(lattices) for name, seconds in times.items()}
    return Figures(
        name=workload.name,
        what=workload.what,
        sequences=len(lattices),
        mean_length=float(np.mean([lattice.length for lattice in lattices])),
        states=float(np.mean([result.states for result in ruled])),
        rounds=float(np.mean([len(result.rounds) for result in ruled])),
        broken=_broken(plain, workload),
        first=_first_pass(workload) / len(lattices),
        worst=_slowest(ours),
        alone=each.pop("alone", None),
        **each,
    )


def _first_pass(workload: Workload) -> float:
    """The shortest first pass of a few new decoders, in seconds for all sequences."""
    best = float("inf")
    for _ in range(NEW_DECODERS):
        new = Contestant(workload.lattices, workload.rules)
        before = perf_counter()
        new.decode_ruled()
        best = min(best, perf_counter() - before)
    return best


def _slowest(ours: Contestant) -> float:
    """Seconds for the sequence that takes longest, the best of a few calls counting for each."""
    alone = [ours.ruled.prepare([lattice]) for lattice in ours.lattices]

    def seconds(one: lawful.decoding.PreparedBatch) -> float:
        before = perf_counter()
        ours.ruled.decode_batch(one, jobs=1)
        return perf_counter() - before

    slowest = sorted(alone, key=seconds)[-SLOWEST:]
    return max(min(seconds(one) for _ in range(CALLS)) for one in slowest)


def _broken(answers: lawful.decoding.Decodings, workload: Workload) -> tuple[float, ...]:
    """The share of answers that break 0, 1, 2... rules, by the rules' own plain meaning."""
    sequences = Counter(
        sum(
            count > 0
            for count in workload.rules.violations(answer.labels, lattice.tokens, lattice.context).values()
        )
        for answer, lattice in zip(answers, workload.lattices, strict=True)
    )
    return tuple(sequences[count] / len(answers) for count in range(max(sequences) + 1))
