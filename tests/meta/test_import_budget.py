"""Importing bylaw stays cheap: nothing optional or slow is loaded before it is used."""

from __future__ import annotations

import json
import re
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
MOST_NUMPYS = 1.5  # import bylaw, numpy being loaded already, against import numpy

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
    assert "bylaw.decoding" in loaded
    assert loaded & NOT_BEFORE_USE == set()


def import_seconds() -> dict[str, float]:
    """Seconds that each package took to import in one fresh process; what numpy loads counts for numpy."""
    report = run("import numpy, bylaw", "-X", "importtime").stderr
    return {
        name: int(microseconds) / 1e6
        for microseconds, name in re.findall(
            r"^import time: +\d+ \| +(\d+) \| (numpy|bylaw)$", report, re.MULTILINE
        )
    }


def test_importing_bylaw_costs_about_as_much_as_importing_numpy() -> None:
    # Noise only ever adds, so the best of a few tries is the fairest.
    tries = [import_seconds() for _ in range(4)]
    assert min(one["bylaw"] for one in tries) < MOST_NUMPYS * min(one["numpy"] for one in tries)
