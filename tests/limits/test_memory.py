"""No call holds more than 1.2 times its `max_memory`, and what it held comes back."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import lawful
from lawful import _core
from lawful.errors import LimitError
from lawful.solvers.problem import Limits

PROBLEMS = str(Path(__file__).parent / "hard_problems.py")
HARD = runpy.run_path(PROBLEMS)["HARD"]
MEGABYTE = 10**6
MOST = 200 * MEGABYTE
PAGES = 24 * MEGABYTE  # what the interpreter, numpy and the allocator may take besides

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

MEASURED = """
import gc, json, runpy, sys
import lawful
from pathlib import Path
def resident(what):
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(what):
            return int(line.split()[1]) * 1024
def attempt(decoder, call, lattice):
    try:
        call(decoder, lattice)
        return "done"
    except lawful.errors.LimitError as error:
        return error.limit
hard = runpy.run_path({problems!r})["HARD"]
{setup}
gc.collect()
before = resident("VmRSS")
Path("/proc/self/clear_refs").write_text("5")
{work}
peak = resident("VmHWM")
gc.collect()
after = resident("VmRSS")
print(json.dumps([outcome, peak - before, after - before]))
sys.stdout.flush()
import os
os._exit(0)
"""


def measured(setup: str, work: str) -> tuple[str, int, int]:
    program = MEASURED.format(problems=PROBLEMS, setup=setup, work=work)
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=600, check=False
    )
    assert run.returncode == 0, run.stderr
    outcome, peak, left = json.loads(run.stdout)
    return outcome, peak, left


@pytest.mark.parametrize("on_limit", ["raise", "bounded"])
@pytest.mark.parametrize(
    ("name", "solver", "options"),
    [
        ("many_rows", "auto", {}),
        ("satisfiability", "auto", {}),
        ("crossing_pairs", "auto", {}),
        ("crossing_pairs", "a_star", {}),
        ("satisfiability", "a_star", {"completion": "relaxed"}),
        ("two_counts", "beam", {"width": None}),
        ("crossing_pairs", "beam", {"width": None}),
        ("crossing_pairs", "brute_force", {}),
        ("crossing_pairs", "relaxation", {}),
        ("many_rows", "dual", {"timeout": 300}),
    ],
)
def test_a_search_keeps_to_its_memory(name: str, solver: str, options: dict[str, Any], on_limit: str) -> None:
    limits = {"timeout": 60, **options}
    outcome, peak, _ = measured(
        f"lattice, rules = hard[{name!r}]()\n"
        f"decoder = lawful.Decoder(rules, labels=lattice.labels, solver={solver!r}, max_memory={MOST}, "
        f"on_limit={on_limit!r}, **{limits!r})",
        "outcome = attempt(decoder, lambda d, l: d.decode(l), lattice)",
    )
    assert peak <= 1.2 * MOST + PAGES
    if on_limit == "raise" and solver != "auto":  # which goes on with solvers that need less
        assert outcome == "max_memory"
        assert peak >= 0.3 * MOST  # it is used, too


@pytest.mark.parametrize("call", ["d.marginals(l)", "d.nbest(l, 10)", "d.count_legal(l)"])
def test_a_product_keeps_to_its_memory(call: str) -> None:
    outcome, peak, _ = measured(
        "lattice, rules = hard['crossing_pairs']()\n"
        f"decoder = lawful.Decoder(rules, labels=lattice.labels, max_memory={MOST}, max_states=10**9)",
        f"outcome = attempt(decoder, lambda d, l: {call}, lattice)",
    )
    assert outcome == "max_memory"
    assert 0.3 * MOST <= peak <= 1.2 * MOST + PAGES


def test_memory_comes_back_after_hard_decodes() -> None:
    """All engines of a process together keep at most 64 MiB; half as much again is the allocator's."""
    _, peak, left = measured(
        "lattices = [hard[name]() for name in ('many_rows', 'crossing_pairs', 'satisfiability', 'permutation')]",
        f"""
for lattice, rules in lattices:
    for solver in ("auto", "a_star", "brute_force"):
        decoder = lawful.Decoder(rules, labels=lattice.labels, solver=solver, max_memory={MOST}, timeout=20)
        outcome = attempt(decoder, lambda d, l: d.decode(l), lattice)
        del decoder
    decoder = lawful.Decoder(rules, labels=lattice.labels, max_memory={MOST}, timeout=20)
    outcome = attempt(decoder, lambda d, l: d.marginals(l), lattice)
    del decoder
""",
    )
    assert peak > MOST / 2
    assert left <= 96 * MEGABYTE


def test_without_a_limit_half_of_the_free_memory_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 2**26 < _core.default_memory() < 2**50
    monkeypatch.setattr(_core, "default_memory", lambda: 3 * 10**9)
    reached = Limits().reached("max_memory")
    assert (reached.value, reached.default) == (3e9, True)
    assert "max_memory=3e+09" in str(reached)
    assert "half of the memory that is free" in str(reached)
    assert "half" not in str(Limits(max_memory=5).reached("max_memory"))


def test_a_large_call_before_does_not_count() -> None:
    """What an engine keeps from one call is not held against the next one's `max_memory`."""
    lattice, rules = HARD["many_rows"]()
    with pytest.raises(LimitError, match="max_memory"):
        lawful.Decoder(rules, labels=lattice.labels, max_memory=100 * MEGABYTE).decode(lattice)
    small, one_rule = lawful.Lattice([[1.0, 0.0]] * 20, labels=["A", "B"]), lawful.exactly(3, "B")
    assert lawful.decode(small, one_rule, max_memory=2 * MEGABYTE).status == "optimal"
