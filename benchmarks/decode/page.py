"""Writing the results: a page for people, and a file with the same numbers for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.decode.our_solvers import Slice, SolverFigures
from benchmarks.decode.ours import Figures
from benchmarks.decode.single import SingleFigures
from benchmarks.decode.tables import (
    Table,
    claim_table,
    our_table,
    peer_table,
    single_table,
    solver_table,
    verdict_table,
    way_table,
    work_table,
)
from benchmarks.decode.targets import Verdict
from benchmarks.peers.run import PeerFigures, why_no_ad3

__all__ = ["write_results"]

REMARKS = Path(__file__).parent / "remarks.md"

HOW = """\
Made by `{command}`.
All numbers come from one run on one machine.
The contestants took turns, and the best turn counts. Batches are prepared, and decoded in one call by one thread unless the column says otherwise.

- **floor**: a straightforward C++ Viterbi loop (`benchmarks/shared/viterbi.cpp`), which the compiler vectorises. It
  gets a matrix of zeros where there are no transitions.
- **plain**: lawful without rules. **ruled**: lawful with rules.
- **first pass**: the same batch by a new decoder, which has built no product yet. **worst**: the slowest sequence, in a call of its own.
- **states** and **rounds**: means per sequence, with rules.
"""

WAY = """\
Microseconds a sequence, by one thread. **prepared**: rules are tied to tokens and context already (`Decoder.prepare`), as in the table above.
**tying**: that step. **from lattices**: `Decoder.decode_batch` of `Lattice` objects, tying included. **from flat arrays**: `Decoder.decode_arrays` of
scores end to end, lengths, tokens as numbers of words, positions and spans as arrays, tying included.
"""

SOLVERS = """\
Mean milliseconds per sequence; in brackets the number of sequences, out of the first {first}. A solver starts no
further sequence after {seconds:g} s, and one that takes more than {patience:g} s is given up. **auto** is the engine, on the sequences
that relaxation solved. Rules are tied to tokens beforehand for all solvers; one thread. All scores agree.

- **relaxation**, **branch_and_bound**, **brute_force**: Figures 2 and 7 and section 3 of Tromble & Eisner (2006), as published.
- **a_star**: completion scores with local rules worked in; **relaxed**: tightened by potentials. **beam**: of infinite width.
- **dual**: dual decomposition, finished by branching. **ilp**: Roth & Yih (2005) on HiGHS, as published.
- **pruned**: without the edges that a quick legal path proves useless (`prune=True`).
"""

CLAIM = """\
Tromble & Eisner (2006, section 5.2) found constraint relaxation "more than sixteen times faster than ILP" on semantic roles, which A and
A+T stand for; they compared with times that others had measured on a faster machine. Here all three ran on the same sequences, one after
the other: `ilp` and `relaxation` are those papers' methods in our implementation, `auto` is the engine.
"""

PEERS = """\
Each peer ran in a process of its own, by one thread, on the first sequences of each workload; lawful was then timed on
the same ones. Building a sequence's model counts; building what all sequences share does not, nor does tying rules to
tokens, for lawful and OpenFst alike.
Every answer was scored again by `lawful.lattice.path_score` and the rules' reference meaning, and none is better than lawful's.
Each may be worse by its own precision: OpenFst has 32-bit weights (tolerance 1e-4 relative), HiGHS 1e-6, CP-SAT works
on whole multiples of 1e-6.

- **OpenFst** (pywrapfst): Figure 2 of Tromble & Eisner (2006), the first broken rule in the given order entering each
  round; and the intersection of everything. Lattices come as bytes; rule automata are ready and sorted.
- **HiGHS** (highspy): an integer program with a variable for each edge (Roth & Yih, 2005), passed as arrays; no gap.
- **CP-SAT** (ortools): the same program, one worker, `linearization_level=2`.
- **AD3**: {ad3}.

A peer's time is the mean of one pass over its sequences; lawful's is the best of several.
"""


def write_results(
    folder: Path,
    *,
    command: str,
    machine: Mapping[str, str],
    figures: Sequence[Figures],
    peers: Sequence[PeerFigures],
    single: Sequence[SingleFigures],
    solvers: Sequence[SolverFigures],
    share: Slice,
    verdicts: Sequence[Verdict],
) -> None:
    """Write decode.md and decode.json into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    data = {
        "command": command,
        "machine": dict(machine),
        "workloads": [
            asdict(row)
            | {
                "ruled_to_plain": row.ruled_to_plain,
                "first_to_plain": row.first_to_plain,
                "plain_to_floor": row.plain_to_floor,
                "whole_to_ruled": row.whole_to_ruled,
                "flat_speed": row.flat_speed,
                "two_threads_speed": row.two_threads_speed,
            }
            for row in figures
        ],
        "peers": [
            asdict(row) | {"to_plain": row.to_plain, "times_slower": row.times_slower} for row in peers
        ],
        "solvers": [asdict(row) for row in solvers],
        "single": [asdict(row) for row in single],
        "targets": [asdict(row) for row in verdicts],
    }
    (folder / "decode.json").write_text(json.dumps(data, indent=1) + "\n")
    parts = [
        "# Decoding speed",
        HOW.format(command=command),
        *_section(verdict_table(verdicts)),
        *([REMARKS.read_text()] if REMARKS.exists() else []),
        *_section(our_table(figures), [f"- {row.name}: {row.what}." for row in figures] + _alone(figures)),
        *_section(way_table(figures), [WAY]),
        *_section(work_table(figures)),
        *_section(single_table(single)),
        *(_solvers(solvers, share) if solvers else []),
        *(_section(peer_table(peers), [PEERS.format(ad3=why_no_ad3())]) if peers else []),
        "## The machine",
        "\n".join(f"- {name}: {value}" for name, value in machine.items()),
    ]
    (folder / "decode.md").write_text("\n\n".join(part.strip() for part in parts) + "\n")


def _solvers(solvers: Sequence[SolverFigures], share: Slice) -> Iterator[str]:
    how = SOLVERS.format(first=share.sequences, seconds=share.seconds, patience=share.patience)
    yield from _section(solver_table(solvers), [how])
    yield from _section(claim_table(solvers), [CLAIM])


def _alone(figures: Sequence[Figures]) -> list[str]:
    return [
        f"- {row.name} has no transitions, so that each position could just take its best label: a C++ loop that does "
        f"nothing else decodes {1 / row.alone:,.0f} sequences a second, {row.plain / row.alone:.1f} times as many as "
        f"lawful's plain decoding, which also checks and reports each answer."
        for row in figures
        if row.alone is not None
    ]


def _section(table: Table, notes: Sequence[str] = ()) -> Iterator[str]:
    yield f"## {table.title}"
    if notes:
        yield "\n".join(notes)
    texts = ("workload", "peer", "note", "target", "call", "holds")
    rows = [
        table.columns,
        tuple("---" if column in texts else "---:" for column in table.columns),
        *table.rows,
    ]
    yield "\n".join(f"| {' | '.join(row)} |" for row in rows)
