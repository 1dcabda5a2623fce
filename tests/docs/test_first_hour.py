"""The journey of examples/first_hour.sh, from nothing to fields, a report and a playground."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "examples" / "first_hour.sh"


@pytest.mark.skipif(shutil.which("bash") is None, reason="a shell script")
def test_a_newcomer_gets_there(tmp_path: Path) -> None:
    pytest.importorskip("starlette")
    environment = {
        **os.environ,
        "PYTHON": sys.executable,
        "LAWFUL": str(Path(sys.executable).parent / "lawful"),
    }
    done = subprocess.run(
        ["bash", str(SCRIPT), str(tmp_path)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "chosen by 5 folds" in done.stdout
    assert "the playground labels" in done.stdout
    texts = (tmp_path / "texts.txt").read_text().splitlines()
    rows = list(csv.DictReader((tmp_path / "fields.csv").read_text().splitlines()))
    assert [row["text"] for row in rows] == texts
    for row in rows:
        for title, place in zip(row["title"].split(" | "), row["title_at"].split(" | "), strict=True):
            start, _, end = place.partition(":")
            assert row["text"][int(start or 0) : int(end or 0)] == title
    assert (tmp_path / "report.html").read_text().startswith("<!")
