"""The figures as tables of text, for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.decode.our_solvers import COLUMNS, SolverFigures
from benchmarks.decode.ours import Figures
from benchmarks.decode.single import SingleFigures
from benchmarks.decode.targets import Verdict
from benchmarks.peers.run import PeerFigures
from benchmarks.shared.machine import CORES

__all__ = [
    "Table", "claim_table", "our_table", "peer_table", "single_table", "solver_table", "verdict_table", "way_table", "work_table",
]  # fmt: skip


@dataclass(frozen=True)
class Table:
    """A title, the names of the columns, and the rows; the first column is text, the others are figures."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]


def our_table(figures: Sequence[Figures]) -> Table:
    """Speed of lawful beside the floor."""
    columns = (
        "workload", "floor, seq/s", "plain, seq/s", "ruled, seq/s", f"ruled, {CORES} cores",
        "ruled / plain", "first pass / plain", "worst, µs", "plain / floor",
    )  # fmt: skip
    return Table(
        "lawful beside the floor",
        columns,
        [
            (
                row.name, _rate(row.floor), _rate(row.plain), _rate(row.ruled), _rate(row.ruled_all_cores),
                f"{row.ruled_to_plain:.2f}", f"{row.first_to_plain:.1f}", f"{1e6 * row.worst:,.0f}", f"{row.plain_to_floor:.2f}",
            )
            for row in figures
        ],
    )  # fmt: skip


def way_table(figures: Sequence[Figures]) -> Table:
    """What the user's way adds to decoding, and what a second thread takes off."""
    return Table(
        "The user's way",
        (
            "workload", "prepared, µs", "tying rules to tokens, µs", "from lattices, µs", "from lattices / prepared",
            "from flat arrays, µs", "flat arrays: speed / prepared", "two threads / one",
        ),
        [
            (
                row.name, f"{1e6 * row.ruled:.2f}", f"{1e6 * row.prepare:.2f}", f"{1e6 * row.end_to_end:.2f}", f"{row.whole_to_ruled:.2f}",
                f"{1e6 * row.flat:.2f}", f"{row.flat_speed:.2f}", f"{row.two_threads_speed:.2f}",
            )
            for row in figures
        ],
    )  # fmt: skip


def work_table(figures: Sequence[Figures]) -> Table:
    """What there was to do, and what was done."""
    return Table(
        "The work",
        ("workload", "sequences", "mean length", "states", "rounds", "rule-free answers that break 0 / 1 / 2 ... rules"),
        [
            (
                row.name, f"{row.sequences:,}", f"{row.mean_length:.1f}", f"{row.states:,.0f}", f"{row.rounds:.2f}",
                " / ".join(f"{100 * share:.0f}" for share in row.broken) + " %",
            )
            for row in figures
        ],
    )  # fmt: skip


def peer_table(peers: Sequence[PeerFigures]) -> Table:
    """How fast others are, on the same sequences in the same run."""
    return Table(
        "The peers",
        ("workload", "peer", "solved", "ms a sequence", "of our plain Viterbi", "times slower than lawful", "note"),
        [
            (
                row.workload, row.peer, f"{row.solved:,}",
                "" if row.seconds is None else f"{1e3 * row.seconds:,.2f}",
                "" if row.to_plain is None else f"{row.to_plain:,.0f}",
                "" if row.times_slower is None else f"{row.times_slower:,.0f}",
                row.note,
            )
            for row in peers
        ],
    )  # fmt: skip


def solver_table(figures: Sequence[SolverFigures]) -> Table:
    """How long each solver takes, and for how many sequences."""
    cells = {(row.workload, row.column): row for row in figures}
    names = dict.fromkeys(row.workload for row in figures)
    return Table(
        "lawful's other solvers",
        ("workload", "auto", *(column.name for column in COLUMNS)),
        [
            (
                name, _milliseconds(cells[name, "relaxation"].engine),
                *(_solver_cell(cells[name, column.name]) for column in COLUMNS),
            )
            for name in names
        ],
    )  # fmt: skip


def _solver_cell(figures: SolverFigures) -> str:
    return (
        f"{_milliseconds(figures.seconds)} ({figures.solved})"
        if figures.solved
        else figures.note.replace("the next took ", "")
    )


def claim_table(figures: Sequence[SolverFigures]) -> Table:
    """What the paper says about relaxation and integer programs, and what they take here."""
    return Table(
        "Relaxation and integer programs",
        ("workload", "sequences", "ilp, ms", "relaxation, ms", "auto, ms", "ilp / relaxation", "ilp / auto"),
        [
            (
                row.workload, str(row.solved), _milliseconds(row.seconds), _milliseconds(row.relaxation),
                _milliseconds(row.engine), _times(row.seconds, row.relaxation), _times(row.seconds, row.engine),
            )
            for row in figures
            if row.column == "ilp" and row.solved
        ],
    )  # fmt: skip


def _milliseconds(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{1e3 * seconds:,.0f}" if seconds > 0.1 else f"{1e3 * seconds:.3g}"


def _times(slow: float | None, fast: float | None) -> str:
    return f"{slow / fast:,.0f}" if slow and fast else ""


def single_table(single: Sequence[SingleFigures]) -> Table:
    """One call at a time."""
    return Table(
        "One sequence of 20 tokens and 7 labels, with transitions",
        ("call", "lattice at hand, µs", "arrays at hand, µs"),
        [
            (row.what, f"{row.from_lattice:.2f}", "" if row.from_arrays is None else f"{row.from_arrays:.2f}")
            for row in single
        ],
    )


def verdict_table(verdicts: Sequence[Verdict]) -> Table:
    """What was to be reached."""
    return Table(
        "The targets",
        ("target", "measured", "holds"),
        [(row.target, row.measured, "yes" if row.holds else "NO") for row in verdicts],
    )


def _rate(seconds: float) -> str:
    return f"{1 / seconds:,.0f}"
