"""No call outlasts its timeout by more than 0.2 s, whatever it was doing, and Ctrl-C ends it within 0.3 s.

What counts is the time that the process worked after the deadline, so that a busy machine fails no test; a call that
was late at first may try again.
"""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import lawful
from lawful.errors import LimitError

HERE = Path(__file__).parent
HARD = runpy.run_path(str(HERE / "hard_problems.py"))["HARD"]
TIMEOUT, MARGIN, TRIES = 0.3, 0.2, 3
SOLVERS: dict[str, dict[str, Any]] = {
    "auto": {},
    "a_star": {"completion": "relaxed"},
    "beam": {"width": None},
    "dual": {},
    "ilp": {},
    "relaxation": {},
    "brute_force": {},
    "branch_and_bound": {},
}
ANSWERS: dict[str, Callable[[lawful.Decoder, Any], Any]] = {
    "nbest": lambda decoder, lattice: decoder.nbest(lattice, 1000),
    "marginals": lambda decoder, lattice: decoder.marginals(lattice),
    "log_partition": lambda decoder, lattice: decoder.log_partition(lattice),
    "sample": lambda decoder, lattice: decoder.sample(lattice, 1000),
    "count_legal": lambda decoder, lattice: decoder.count_legal(lattice),
    "one thread": lambda decoder, lattice: decoder.decode_batch([lattice], jobs=1),
    "two threads": lambda decoder, lattice: decoder.decode_batch([lattice], jobs=2),
}


def lateness(call: Callable[[], Any]) -> float:
    """How long the process worked after the timeout of the call; less than 0 if the call needed less."""
    at_deadline: list[float] = []
    timer = threading.Timer(TIMEOUT, lambda: at_deadline.append(time.process_time()))
    timer.start()
    started = time.perf_counter()
    with suppress(LimitError):
        call()
    ended, worked = time.perf_counter(), time.process_time()
    timer.cancel()
    timer.join()
    wall = ended - started - TIMEOUT
    return min(wall, worked - at_deadline[0]) if at_deadline else wall


def require_punctual(call: Callable[[], Any]) -> None:
    late = []
    for _ in range(TRIES):
        late.append(lateness(call))
        if late[-1] <= MARGIN:
            return
    pytest.fail(f"late by {min(late):.2f} s")


@pytest.mark.parametrize("on_limit", ["raise", "bounded"])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", HARD)
def test_a_search_ends_in_time(name: str, solver: str, on_limit: Any) -> None:
    lattice, rules = HARD[name]()
    decoder = lawful.Decoder(
        rules, labels=lattice.labels, solver=solver, timeout=TIMEOUT, on_limit=on_limit, **SOLVERS[solver]
    )
    prepared = decoder.prepare([lattice])[0]  # compiles what rules say about these tokens, once
    require_punctual(lambda: decoder.decode(prepared))


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("name", HARD)
def test_all_other_answers_end_in_time(name: str, answer: str) -> None:
    lattice, rules = HARD[name]()
    decoder = lawful.Decoder(rules, labels=lattice.labels, timeout=TIMEOUT)
    prepared = decoder.prepare([lattice])[0]
    require_punctual(lambda: ANSWERS[answer](decoder, prepared))


def test_a_graph_that_several_paths_spell_alike_ends_in_time() -> None:
    """The deterministic view of such a graph may have as many states as there are prefixes."""
    size = 60
    arcs = [(t * 40 + i, (t + 1) * 40 + (7 * i + 3 * k) % 40, "AB"[k % 2], 0.1 * ((i * k) % 7))
            for t in range(size) for i in range(40) for k in range(4)]  # fmt: skip
    graph = lawful.GraphLattice.from_arcs(arcs, labels=["A", "B"], finals=range(size * 40, size * 40 + 40))
    decoder = lawful.Decoder(labels=["A", "B"], timeout=TIMEOUT)
    require_punctual(lambda: decoder.count_legal(graph))
    require_punctual(lambda: decoder.nbest(graph, 100_000))


INTERRUPTED = """
import json, os, runpy, signal, sys, threading, time
import lawful
hard = runpy.run_path({problems!r})["HARD"]
lattice, rules = hard[{name!r}]()
decoder = lawful.Decoder(rules, labels=lattice.labels, **{options!r})
lattice = decoder.prepare([lattice])[0]
call = {call}
sent = []
def interrupt():
    sent.append((time.perf_counter(), time.process_time()))
    os.kill(os.getpid(), signal.SIGINT)
timer = threading.Timer(0.4, interrupt)
timer.start()
try:
    call(decoder, lattice)
    outcome = "done"
except KeyboardInterrupt:
    outcome = "interrupted"
if not sent:
    sys.exit("the call ended before it could be interrupted")
wall, worked = time.perf_counter() - sent[0][0], time.process_time() - sent[0][1]
print(json.dumps([outcome, min(wall, worked)]))
sys.stdout.flush()
os._exit(0)
"""


@pytest.mark.parametrize(
    ("name", "options", "call"),
    [
        *(
            # HiGHS and dual decomposition may be done with max-2-SAT before the signal comes
            (
                "many_rows" if s in ("auto", "dual", "ilp") else "satisfiability",
                {"solver": s, **o},
                "lambda d, l: d.decode(l)",
            )
            for s, o in SOLVERS.items()
        ),
        ("crossing_pairs", {"solver": "a_star"}, "lambda d, l: d.decode(l)"),
        ("large_automata", {}, "lambda d, l: d.decode(l)"),
        ("many_rows", {}, "lambda d, l: d.decode_batch([l] * 40, jobs=2)"),
        ("two_counts", {"max_states": 10**9}, "lambda d, l: d.marginals(l)"),
        ("two_counts", {"max_states": 10**9}, "lambda d, l: d.count_legal(l)"),
    ],
)
def test_ctrl_c_ends_a_call(name: str, options: dict[str, Any], call: str) -> None:
    program = INTERRUPTED.format(
        problems=str(HERE / "hard_problems.py"), name=name, options=options, call=call
    )
    late = []
    for _ in range(TRIES):
        run = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False
        )
        assert run.returncode == 0, run.stderr
        outcome, seconds = json.loads(run.stdout)
        assert outcome == "interrupted"
        late.append(seconds)
        if seconds <= 0.3:
            return
    pytest.fail(f"late by {min(late):.2f} s")
