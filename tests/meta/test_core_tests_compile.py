"""The core's own tests keep up with the core. They are run by `make sanitize`, which takes minutes; here they are only read."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("path", sorted((ROOT / "cpp" / "tests").rglob("*.cpp")), ids=lambda path: path.name)
def test_the_compiler_takes_it(path: Path) -> None:
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    assert compiler is not None, "lawful is built with a C++ compiler, and none is found"
    done = subprocess.run(
        [compiler, "-std=c++20", "-fsyntax-only", f"-I{ROOT / 'cpp'}", str(path)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
