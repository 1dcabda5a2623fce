"""The valid files that `make fuzz` damages can be made: one comes from a page of the docs."""

from __future__ import annotations

import runpy
from pathlib import Path

import lawful


def test_the_seeds_of_fuzzing_are_valid(tmp_path: Path) -> None:
    seeds = runpy.run_path(str(Path(__file__).parents[2] / "fuzz" / "seeds.py"))["make_seeds"](
        tmp_path / "seeds"
    )
    assert all(files for files in seeds.values())
    for file in seeds["rules"]:
        assert lawful.read_rules(file)
