"""Importing bylaw stays cheap: nothing optional or slow is loaded before it is used."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

NOT_BEFORE_USE = {
    "bylaw.cli",
    "bylaw.testing",
    "highspy",
    "hypothesis",
    "matplotlib",
    "pandas",
    "pynini",
    "rich",
    "scipy",
    "sklearn",
    "spacy",
    "torch",
    "transformers",
    "typer",
}
MOST_STRANGERS = 20  # modules of the standard library that bylaw loads and numpy did not

DECODE = """
lattice = bylaw.Lattice([[0.0, 1.0], [0.0, 2.0]], labels=["A", "B"])
assert bylaw.decode(lattice, bylaw.at_most(1, "B")).labels == ("A", "B")
"""


def run(code: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("work", ["", DECODE], ids=["import", "decode"])
def test_nothing_slow_is_loaded_before_it_is_used(work: str) -> None:
    code = f"import json, sys, bylaw\n{work}\nprint(json.dumps(sorted(sys.modules)))"
    loaded = set(json.loads(run(code).stdout))
    assert ("bylaw.decoding" in loaded) == bool(work)  # rooms are opened when they are needed
    assert loaded & NOT_BEFORE_USE == set()


def test_importing_bylaw_loads_little_besides_itself_and_numpy() -> None:
    # Modules, not seconds: a clock would make this test fail on a busy machine.
    code = "import json, sys, numpy; before = set(sys.modules); import bylaw; bylaw.Decoder\nprint(json.dumps(sorted(set(sys.modules) - before)))"
    added = json.loads(run(code).stdout)
    strangers = [name for name in added if not name.startswith("bylaw")]
    assert len(strangers) <= MOST_STRANGERS, strangers
