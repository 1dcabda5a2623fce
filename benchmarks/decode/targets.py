"""What was to be reached, and whether it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.decode.our_solvers import SolverFigures
from benchmarks.decode.ours import Figures
from benchmarks.decode.single import SingleFigures
from benchmarks.peers.run import PeerFigures

__all__ = ["Verdict", "judge"]

MOST_RULED_TO_PLAIN = {"A": 3.0, "A+T": 3.0, "B": 3.0, "B-soft": 80.0, "C200": 8.0, "C1000": 8.0}
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
    return [*_ratios(figures), *_races(peers), *_claims(solvers), *_floors(figures), *_calls(single)]


def _ratios(figures: Sequence[Figures]) -> Iterator[Verdict]:
    for one in figures:
        if most := MOST_RULED_TO_PLAIN.get(one.name):
            ratio = one.ruled_to_plain
            yield Verdict(
                f"{one.name}: at most {most:.0f} plain Viterbi passes", f"{ratio:.2f}", ratio <= most
            )


def _races(peers: Sequence[PeerFigures]) -> Iterator[Verdict]:
    for workload in RACES:
        times = {one.peer: one.times_slower for one in peers if one.workload == workload and one.times_slower}
        if times:
            fastest = min(times, key=times.__getitem__)
            yield Verdict(
                f"{workload}: at least {FEWEST_TIMES_FASTER:.0f} times faster than the fastest peer",
                f"{times[fastest]:,.0f} ({fastest})",
                times[fastest] >= FEWEST_TIMES_FASTER,
            )


def _claims(solvers: Sequence[SolverFigures]) -> Iterator[Verdict]:
    for one in solvers:
        if one.column == "ilp" and one.workload in CLAIMED_ON and one.seconds:
            for name, time in (("relaxation", one.relaxation), ("auto", one.engine)):
                if time:
                    target = f"{one.workload}: solver {name} at least {CLAIM:.0f} times faster than ilp"
                    yield Verdict(target, f"{one.seconds / time:,.0f}", one.seconds / time >= CLAIM)


def _floors(figures: Sequence[Figures]) -> Iterator[Verdict]:
    most = MOST_PLAIN_TO_FLOOR
    for one in figures:
        ratio = one.plain_to_floor
        yield Verdict(f"{one.name}: plain Viterbi within {most} of the floor", f"{ratio:.2f}", ratio <= most)


def _calls(single: Sequence[SingleFigures]) -> Iterator[Verdict]:
    for one in single:
        if one.from_arrays is not None:
            for given, time in (("the lattice", one.from_lattice), ("the arrays", one.from_arrays)):
                target = f"one call, {one.what}, {given} at hand: under {MOST_MICROSECONDS:.0f} µs"
                yield Verdict(target, f"{time:.1f} µs", time < MOST_MICROSECONDS)
