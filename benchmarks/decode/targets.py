"""The targets of the benchmark, and whether they are reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.decode.our_solvers import SolverFigures
from benchmarks.decode.ours import Figures
from benchmarks.decode.single import SingleFigures
from benchmarks.peers.run import PeerFigures

__all__ = ["Verdict", "judge"]

MOST_RULED_TO_PLAIN = {
    "A": 2.0, "A+T": 1.7, "B": 1.6, "B-soft": 2.0, "B-once": 4.0, "B-priced": 40.0, "B-noisy": 5.0,
    "C200": 3.0, "C1000": 3.5, "C200-noisy": 5.0, "C1000-noisy": 5.0,
}  # fmt: skip
MOST_FIRST_TO_PLAIN = {"B-priced": 60.0}
MOST_WORST = {"B-priced": 1e-3}  # seconds for one sequence
MOST_TYING = 3e-6  # seconds a sequence
MOST_WHOLE_TO_RULED = 2.5
LEAST_FLAT_SPEED = 0.8
TYING_ON = ("A", "A+T", "B", "B-soft", "C200")
LEAST_TWO_THREADS, TWO_THREADS_ON = 1.8, ("B", "C200", "C1000")
FEWEST_TIMES_FASTER = 100.0
RACES = ("A", "A+T", "B", "C200", "C1000")
MOST_PLAIN_TO_FLOOR = 1.5
MOST_MICROSECONDS = 25.0
CLAIM, CLAIMED_ON = (
    16.0,
    ("A", "A+T"),
)  # Tromble & Eisner (2006), section 5.2: times faster than an integer program


@dataclass(frozen=True)
class Verdict:
    """A target, what was measured, and whether it holds."""

    target: str
    measured: str
    holds: bool


def judge(
    figures: Sequence[Figures],
    peers: Sequence[PeerFigures],
    single: Sequence[SingleFigures],
    solvers: Sequence[SolverFigures],
) -> list[Verdict]:
    """The verdicts on everything that was measured."""
    return [
        *_ratios(figures),
        *_ways(figures),
        *_races(peers),
        *_claims(solvers),
        *_floors(figures),
        *_calls(single),
    ]


def _ratios(figures: Sequence[Figures]) -> Iterator[Verdict]:
    for row in figures:
        if most := MOST_RULED_TO_PLAIN.get(row.name):
            ratio = row.ruled_to_plain
            yield Verdict(f"{row.name}: at most {most:g} plain Viterbi passes", f"{ratio:.2f}", ratio <= most)
        if most := MOST_FIRST_TO_PLAIN.get(row.name):
            ratio = row.first_to_plain
            target = f"{row.name}: at most {most:g} plain passes on the first pass of a new decoder"
            yield Verdict(target, f"{ratio:.1f}", ratio <= most)
        if most := MOST_WORST.get(row.name):
            target = f"{row.name}: no sequence takes more than {1e3 * most:g} ms"
            yield Verdict(target, f"{1e3 * row.worst:.2f} ms", row.worst <= most)


def _ways(figures: Sequence[Figures]) -> Iterator[Verdict]:
    for row in figures:
        if row.name in TYING_ON:
            target = f"{row.name}: tying rules to tokens takes at most {1e6 * MOST_TYING:g} µs a sequence"
            yield Verdict(target, f"{1e6 * row.prepare:.2f} µs", row.prepare <= MOST_TYING)
            target = f"{row.name}: from lattices to labels in at most {MOST_WHOLE_TO_RULED:g} times the prepared time"
            yield Verdict(target, f"{row.whole_to_ruled:.2f}", row.whole_to_ruled <= MOST_WHOLE_TO_RULED)
            target = f"{row.name}: from flat arrays at {LEAST_FLAT_SPEED:g} of the prepared speed or more"
            yield Verdict(target, f"{row.flat_speed:.2f}", row.flat_speed >= LEAST_FLAT_SPEED)
        if row.name in TWO_THREADS_ON:
            target = f"{row.name}: two threads at least {LEAST_TWO_THREADS:g} times as fast as one"
            yield Verdict(target, f"{row.two_threads_speed:.2f}", row.two_threads_speed >= LEAST_TWO_THREADS)


def _races(peers: Sequence[PeerFigures]) -> Iterator[Verdict]:
    for workload in RACES:
        times = {row.peer: row.times_slower for row in peers if row.workload == workload and row.times_slower}
        if times:
            fastest = min(times, key=times.__getitem__)
            yield Verdict(
                f"{workload}: at least {FEWEST_TIMES_FASTER:.0f} times faster than the fastest peer",
                f"{times[fastest]:,.0f} ({fastest})",
                times[fastest] >= FEWEST_TIMES_FASTER,
            )


def _claims(solvers: Sequence[SolverFigures]) -> Iterator[Verdict]:
    for row in solvers:
        if row.column == "ilp" and row.workload in CLAIMED_ON and row.seconds:
            for name, time in (("relaxation", row.relaxation), ("auto", row.engine)):
                if time:
                    target = f"{row.workload}: solver {name} at least {CLAIM:.0f} times faster than ilp"
                    yield Verdict(target, f"{row.seconds / time:,.0f}", row.seconds / time >= CLAIM)


def _floors(figures: Sequence[Figures]) -> Iterator[Verdict]:
    most = MOST_PLAIN_TO_FLOOR
    for row in figures:
        ratio = row.plain_to_floor
        yield Verdict(f"{row.name}: plain Viterbi within {most} of the floor", f"{ratio:.2f}", ratio <= most)


def _calls(single: Sequence[SingleFigures]) -> Iterator[Verdict]:
    for row in single:
        if row.from_arrays is not None:
            for start, time in (("the lattice", row.from_lattice), ("the arrays", row.from_arrays)):
                target = f"one call, {row.what}, {start} at hand: under {MOST_MICROSECONDS:.0f} µs"
                yield Verdict(target, f"{time:.1f} µs", time < MOST_MICROSECONDS)
