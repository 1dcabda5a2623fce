"""Ctrl-C in the middle of any command: exit code 130, a word on stderr, and no half-written file."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import bylaw
from bylaw.cli.front import run

SOURCE = str(Path(bylaw.__file__).parents[1])


class Interrupted(io.RawIOBase):
    """Bytes, and then Ctrl-C."""

    def __init__(self, data: bytes) -> None:
        self.data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        found = self.data.read(len(buffer))
        if not found:
            raise KeyboardInterrupt
        buffer[: len(found)] = found
        return len(found)


@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "-", "-o", "{out}"],
        ["decode", "-", "-m", "{model}", "-r", "{rules}", "-o", "{out}", "--part-tokens", "10"],
        ["decode", "-", "-m", "{model}", "-o", "{out}.jsonl.gz", "--part-tokens", "10"],
        ["decode", "-", "-m", "{model}", "-o", "{out}.parquet", "--part-tokens", "10"],
        ["explain", "-", "-m", "{model}", "-r", "{rules}"],
        ["evaluate", "{test}", "-"],
        ["lint", "{rules}", "-", "--write-prices", "{out}"],
        ["mine", "-", "-o", "{out}"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_no_command_leaves_half_a_file(
    made,
    tmp_path: Path,
    arguments: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    stream = io.BufferedReader(Interrupted(Path(made.test).read_bytes()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
    places = {**made._asdict(), "out": str(tmp_path / "out")}
    assert run([one.format(**places) for one in arguments]) == 130
    assert capsys.readouterr().err.endswith("bylaw: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_a_real_signal_while_decoding(made, tmp_path: Path) -> None:
    out = tmp_path / "out.conll"
    process = subprocess.Popen(
        [sys.executable, "-m", "bylaw", "decode", "-", "-m", made.model, "-o", str(out), "--part-tokens", "10"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": SOURCE},
    )  # fmt: skip
    assert process.stdin is not None
    while not list(tmp_path.iterdir()):  # until it has begun to write
        process.stdin.write(Path(made.test).read_bytes())
        process.stdin.flush()
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (130, b"bylaw: interrupted\n")
    assert list(tmp_path.iterdir()) == []
