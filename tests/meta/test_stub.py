"""The committed stub of the compiled core is what `make stubs` writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMMITTED = Path(__file__).parents[2] / "src" / "lawful" / "_core.pyi"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("nanobind")
    path = tmp_path_factory.mktemp("stub") / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "lawful._core", "-o", str(path)]
    subprocess.run(command, check=True, timeout=60)
    return path


def test_the_stub_is_up_to_date(generated: Path) -> None:
    assert generated.read_text() == COMMITTED.read_text(), "run `make stubs`"


def test_the_stub_is_strictly_typed(generated: Path, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        f"--cache-dir={tmp_path}",
        str(generated),
    ]
    checked = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert checked.returncode == 0, checked.stdout
