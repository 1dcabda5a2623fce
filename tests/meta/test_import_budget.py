"""Importing lawful stays cheap: nothing optional or slow is loaded before it is used."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

NOT_BEFORE_USE = {
    "lawful.cli",
    "lawful.testing",
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
MOST_STRANGERS = 20  # modules of the standard library that lawful loads and numpy did not

DECODE = """
lattice = lawful.Lattice([[0.0, 1.0], [0.0, 2.0]], labels=["A", "B"])
assert lawful.decode(lattice, lawful.at_most(1, "B")).labels == ("A", "B")
"""


def run(code: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("work", ["", DECODE], ids=["import", "decode"])
def test_nothing_slow_is_loaded_before_it_is_used(work: str) -> None:
    code = f"import json, sys, lawful\n{work}\nprint(json.dumps(sorted(sys.modules)))"
    loaded = set(json.loads(run(code).stdout))
    assert ("lawful.decoding" in loaded) == bool(work)  # rooms are opened when they are needed
    assert loaded & NOT_BEFORE_USE == set()


def test_importing_lawful_loads_little_besides_itself_and_numpy() -> None:
    # Modules, not seconds: a clock would make this test fail on a busy machine.
    code = "import json, sys, numpy; before = set(sys.modules); import lawful; lawful.Decoder\nprint(json.dumps(sorted(set(sys.modules) - before)))"
    added = json.loads(run(code).stdout)
    strangers = [name for name in added if not name.startswith("lawful")]
    assert len(strangers) <= MOST_STRANGERS, strangers


def test_decoding_without_rules_waits_for_no_kind_of_rule(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text('{"labels": ["O", "City"]}')
    (tmp_path / "in.jsonl").write_text('{"tokens": ["in", "Bonn"], "scores": [[2.0, 0.1], [0.3, 1.5]]}\n')
    arguments = ["decode", "in.jsonl", "-m", "labels.json", "-o", "out.jsonl"]
    code = f"""import json, os, sys
os.chdir({str(tmp_path)!r})
from lawful.cli.main import run
assert run({arguments!r}) == 0
print(json.dumps(sorted(sys.modules)))"""
    loaded = set(json.loads(run(code).stdout))
    rules = {name for name in loaded if name.startswith("lawful.rules.")}
    assert "City" in (tmp_path / "out.jsonl").read_text()
    assert not {name for name in rules if name.startswith("lawful.rules.kinds.")}
    assert loaded & (NOT_BEFORE_USE - {"lawful.cli", "typer"}) == set()
