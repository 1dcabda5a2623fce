"""One idea a file: none is longer than 600 lines."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LONGEST = 600

FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("src", "cpp", "tests", "benchmarks", "examples")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".cpp", ".hpp"}
)


@pytest.mark.parametrize("file", FILES)
def test_a_file_has_at_most_600_lines(file: str) -> None:
    assert len((ROOT / file).read_text().splitlines()) <= LONGEST


def test_the_files_are_found() -> None:
    assert {"src/lawful/labels.py", "cpp/core/engine/engine.cpp", "tests/meta/test_file_lengths.py"} <= set(
        FILES
    )
