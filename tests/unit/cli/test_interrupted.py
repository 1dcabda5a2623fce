"""Ctrl-C in the middle of every command: a real signal to a real process, exit code 130, a word on stderr, no half-written file."""

from __future__ import annotations

import fcntl
import os
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import lawful
from lawful.cli.main import COMMANDS

SOURCE = str(Path(lawful.__file__).parents[1])
PATIENCE = 120  # seconds; other work may keep the machine busy

READING = [
    ["train", "-", "-o", "{out}"],
    ["train", "-", "-o", "{out}", "--kind", "hmm", "--dev", "{test}", "--rules", "{rules}"],
    ["decode", "-", "-m", "{model}", "-r", "{rules}", "-o", "{out}", "--batch-tokens", "10"],
    ["decode", "-", "-m", "{model}", "-o", "{out}.jsonl.gz", "--batch-tokens", "10"],
    ["decode", "-", "-m", "{model}", "-o", "{out}.parquet", "--batch-tokens", "10"],
    ["explain", "-", "-m", "{model}", "-r", "{rules}"],
    ["evaluate", "{test}", "-"],
    ["mine", "-", "-o", "{out}"],
    ["lint", "{rules}", "-", "--write-prices", "{out}"],
    ["rules", "-", "--svg", "{out}"],
    ["check", "-"],
    ["report", "-", "-m", "{model}", "-r", "{rules}", "-o", "{out}"],
    ["vote", "{test}", "-", "-o", "{out}"],
    ["convert", "-", "--to", "IOB2", "-o", "{out}"],
    ["search", "-", "--dev", "{test}", "-o", "{out}"],
]
ALONE = {
    "serve": "test_serve_command.py",
    "demo": "below",
    "completion": "test_manners.py",
}  # they read no stdin


@contextmanager
def running(*arguments: str, **options: object) -> Iterator[subprocess.Popen[bytes]]:
    """The command as a process of its own, which is ended if the test fails."""
    process = subprocess.Popen(
        [sys.executable, "-m", "lawful", *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": SOURCE}, **options,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_until(ready: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    """Until something can be seen to have happened; the process must still be at work then."""
    end = time.monotonic() + PATIENCE
    while not ready():
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.01)


def unread(process: subprocess.Popen[bytes]) -> int:
    """How many bytes of the pipe the process has not read yet."""
    assert process.stdin is not None
    return int(struct.unpack("i", fcntl.ioctl(process.stdin, termios.FIONREAD, b"\0" * 4))[0])


def test_every_command_is_interrupted_somewhere() -> None:
    assert {arguments[0] for arguments in READING} | set(ALONE) == set(COMMANDS)


@pytest.mark.parametrize("arguments", READING, ids=lambda arguments: arguments[0])
def test_no_command_leaves_half_a_file(made, tmp_path: Path, arguments: list[str]) -> None:
    given = Path(made.rules if arguments[0] in ("rules", "check") else made.test).read_bytes()
    places = {**made._asdict(), "out": str(tmp_path / "out")}
    with running(*(one.format(**places) for one in arguments)) as process:
        assert process.stdin is not None
        process.stdin.write(given[:4096])  # less than a pipe holds; the rest never comes
        process.stdin.flush()
        wait_until(lambda: unread(process) == 0, process)
        process.send_signal(signal.SIGINT)
        out, message = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, message) == (130, b"", b"lawful: interrupted\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_what_was_there_stays_while_decoding(made, tmp_path: Path, sent: signal.Signals, code: int) -> None:
    out = tmp_path / "out.conll"
    out.write_text("as it was")
    with running("decode", "-", "-m", made.model, "-o", str(out), "--batch-tokens", "10") as process:
        assert process.stdin is not None
        process.stdin.write(Path(made.test).read_bytes()[:4096])
        process.stdin.flush()
        wait_until(lambda: len(list(tmp_path.iterdir())) == 2, process)  # it has begun to write aside
        process.send_signal(sent)
        _, message = process.communicate(timeout=PATIENCE)
    assert (process.returncode, message) == (code, b"lawful: interrupted\n" if code == 130 else b"")
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == {"out.conll": "as it was"}


IGNORED = """
import os, signal, sys
import lawful.cli.commands.decode

class Careless:
    def __del__(self):  # where Python ignores exceptions
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass

restored = lawful.cli.commands.decode.SentenceTagger
def restore(*given, **options):
    Careless()
    return restored(*given, **options)
lawful.cli.commands.decode.SentenceTagger = restore
from lawful.cli.main import main
main()
"""


WHILE_CODE_IS_MADE = """
import os
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as main does before it imports numpy
import lawful.cli.commands.rules

def interrupted(*given, **options):
    exec("raise KeyboardInterrupt")  # as in a dataclass that is being made
lawful.cli.commands.rules.load_rule_file = interrupted
from lawful.cli.main import main
main()
"""


def test_an_interrupt_while_code_is_made_has_the_same_exit_code(made, tmp_path: Path) -> None:
    (tmp_path / "command.py").write_text(WHILE_CODE_IS_MADE)
    done = subprocess.run(
        [sys.executable, "-m", "command", "rules", made.rules],  # Python would end itself by the signal after -m
        capture_output=True, check=False, timeout=PATIENCE, cwd=tmp_path, env={**os.environ, "PYTHONPATH": SOURCE},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"lawful: interrupted\n")


def test_an_interrupt_that_python_ignores_is_not_lost(made, tmp_path: Path) -> None:
    out = tmp_path / "out.conll"
    done = subprocess.run(
        [sys.executable, "-c", IGNORED, "decode", "-", "-m", made.model, "-o", str(out)],
        input=Path(made.test).read_bytes(), capture_output=True, check=False, timeout=PATIENCE,
        env={**os.environ, "PYTHONPATH": SOURCE},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"lawful: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_the_demo_leaves_only_whole_files(tmp_path: Path) -> None:
    with running("demo", "--folder", str(tmp_path)) as process:
        wait_until(lambda: (tmp_path / "fresh.conll").exists(), process)
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=PATIENCE)
    assert (process.returncode, message) == (130, b"lawful: interrupted\n")
    left = sorted(one.name for one in tmp_path.iterdir())
    assert left[:2] == ["fresh.conll", "labelled.conll"] and "report.html" not in left
    assert [name for name in left if name.startswith(".")] == []
    assert len(lawful.read_corpus(tmp_path / "fresh.conll")) == 300
