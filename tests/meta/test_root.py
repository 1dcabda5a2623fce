"""The root of the repository holds what belongs there, and nothing that an example or a test has left behind."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

FILES = """
    .clang-format .gitignore ARCHITECTURE.md CHANGELOG.md CMakeLists.txt CONTRIBUTING.md LICENSE Makefile README.md
    pyproject.toml
"""
FOLDERS = ".ci benchmarks cpp docs examples experiments src tests"


def test_the_root_holds_what_belongs_there() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    paths = [Path(name) for name in filter(None, listed.stdout.split("\0"))]
    assert {str(path) for path in paths if len(path.parts) == 1} == set(FILES.split())
    assert {path.parts[0] for path in paths if len(path.parts) > 1} == set(FOLDERS.split())
