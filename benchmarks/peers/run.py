"""Running a peer in a process of its own, checking its answers against ours, and timing both on what it solved."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.peers.agreement import gap_of
from benchmarks.shared.contestant import Contestant
from benchmarks.shared.paths import ROOT
from benchmarks.shared.timing import best_of_turns
from benchmarks.shared.workloads import Workload

__all__ = ["PEERS", "Peer", "PeerFigures", "Share", "compare", "why_no_ad3"]


@dataclass(frozen=True)
class Peer:
    """A tool, the module that runs it, and how far its answers may be from the best ones, relative to the score."""

    name: str
    module: str
    tolerance: float
    options: tuple[str, ...] = ()


PEERS = (
    Peer("OpenFst, relaxation", "openfst", 1e-4, ("relaxation",)),  # 32-bit weights
    Peer("OpenFst, brute force", "openfst", 1e-4, ("brute-force",)),
    Peer("HiGHS", "highs", 1e-6),
    Peer("CP-SAT", "cpsat", 1e-6),  # scores are whole multiples of 1e-6
)


@dataclass(frozen=True)
class Share:
    """What a peer gets of each workload."""

    sequences: int
    seconds: float  # no further sequence is begun after that
    patience: float  # and the one that runs then is killed after this much more


@dataclass(frozen=True)
class PeerFigures:
    """What a peer did with the first sequences of a workload; seconds are means over those it solved."""

    peer: str
    workload: str
    version: str
    solved: int
    note: str  # why it solved no more, if something stopped it
    seconds: float | None = None
    plain: float | None = None  # lawful without rules on the same sequences
    ruled: float | None = None  # lawful with rules on the same sequences
    worst_gap: float | None = None  # how far below the best score its worst answer lies

    @property
    def to_plain(self) -> float | None:
        """How many of our plain Viterbi passes it takes."""
        return self.seconds / self.plain if self.seconds and self.plain else None

    @property
    def times_slower(self) -> float | None:
        """How many times slower than lawful it is."""
        return self.seconds / self.ruled if self.seconds and self.ruled else None


def compare(peer: Peer, workload: Workload, share: Share) -> PeerFigures:
    """Run a peer on its share of a workload."""
    version, answers, note = _run(peer, workload.name, share)
    if not answers:
        return PeerFigures(peer.name, workload.name, version, 0, note)
    ours = Contestant(workload.lattices[: len(answers)], workload.rules)
    scores = ours.decode_ruled().scores
    gaps = [
        gap_of(peer.name, workload, index, answer, float(score), peer.tolerance)
        for index, (answer, score) in enumerate(zip(answers, scores, strict=True))
    ]
    times = best_of_turns(
        {"plain": ours.decode_plain, "ruled": ours.decode_ruled}, seconds=share.seconds / 20
    )
    each = {name: seconds / len(answers) for name, seconds in times.items()}
    seconds = float(np.mean([answer["seconds"] for answer in answers]))
    return PeerFigures(
        peer.name, workload.name, version, len(answers), note, seconds=seconds, worst_gap=max(gaps), **each
    )


def _run(peer: Peer, workload: str, share: Share) -> tuple[str, list[dict[str, Any]], str]:
    arguments = [workload, str(share.sequences), str(share.seconds), *peer.options]
    command = [sys.executable, "-m", f"benchmarks.peers.{peer.module}", *arguments]
    limit = share.seconds + share.patience
    code: int | None = None
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=limit, check=False)
        output, error, code = done.stdout, done.stderr, done.returncode
    except subprocess.TimeoutExpired as late:
        output, error = late.stdout or b"", b""
    whole_lines = output.split(b"\n")[:-1]  # a last one without an end was cut off
    lines = [json.loads(line) for line in whole_lines]
    which = "the next" if lines[1:] else "the first"
    if code is None:
        note = f"{which} was not done after {limit:.0f} s"
    elif code:
        memory = b"MemoryError" in error or b"bad_alloc" in error
        if not memory:
            raise RuntimeError(f"{peer.name} failed on {workload}:\n{error.decode()}")
        note = f"{which} ran out of memory (6 GB)"
    else:
        note = ""
    return (lines[0]["version"] if lines else ""), lines[1:], note


def why_no_ad3() -> str:
    """What to say about AD3 on this machine."""
    if importlib.util.find_spec("ad3"):
        return "installed here, but there is no peer for it"
    return "does not install: ad3 2.2.1 does not compile for Python 3.11 or newer (its C++ needs `longintrepr.h`)"
