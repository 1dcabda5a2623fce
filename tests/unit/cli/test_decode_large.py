"""`lawful decode` on what is large: bounded memory, processes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import lawful
from lawful.cli.main import run
from lawful.cli.work.running import processes

SOURCE = str(Path(lawful.__file__).parents[1])
BARE_MEMORY = """
import resource, sys
from lawful.cli.main import run
code = run(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""


def decode_stream(made, copies: int) -> tuple[int, int]:
    """Lines that came out, and the most memory (KiB) that it took."""
    process = subprocess.Popen(
        [sys.executable, "-c", BARE_MEMORY, "decode", "-m", made.model, "--jobs", "1", "--batch-tokens", "8000"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": SOURCE},
    )  # fmt: skip
    text = Path(made.test).read_bytes()

    def feed() -> None:
        assert process.stdin is not None
        with process.stdin as pipe:
            for _ in range(copies):
                pipe.write(text)

    feeder = threading.Thread(target=feed)
    feeder.start()
    assert process.stdout is not None and process.stderr is not None
    with process.stdout, process.stderr:
        lines = sum(block.count(b"\n") for block in iter(lambda: process.stdout.read(1 << 16), b""))  # type: ignore[union-attr]
        message = process.stderr.read()
    feeder.join()
    assert process.wait() == 0, message
    return lines, int(message)


def test_memory_does_not_grow_with_the_input(made) -> None:
    lines = Path(made.test).read_text().count("\n")
    few, some = 20, 200  # 27 thousand tokens; 270 thousand, which are 10 MB of objects for each 20 thousand
    (shorter, little), (longer, much) = decode_stream(made, few), decode_stream(made, some)
    assert (shorter, longer) == (few * lines, some * lines)
    assert much - little < 12_000, (little, much)


def test_processes_give_the_same(made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    base = ["decode", made.test, "-m", made.model, "-r", made.rules, "--batch-tokens", "200"]
    assert run([*base, "-o", str(one), "--jobs", "1"]) == 0
    monkeypatch.setattr(processes, "TOKENS_HERE", 300)
    assert run([*base, "-o", str(two), "--jobs", "2"]) == 0
    assert two.read_text() == one.read_text()


def test_an_error_in_a_process_is_told_as_here(
    made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "r.toml"
    rules.write_text('[[rule]]\nname = "spans"\nkind = "uniform"\n')
    (tmp_path / "in.jsonl").write_text('{"tokens": ["a", "b"], "spans": []}\n' * 4 + '{"tokens": ["a"]}\n')
    monkeypatch.setattr(processes, "TOKENS_HERE", 1)
    base = ["decode", str(tmp_path / "in.jsonl"), "-m", made.model, "-r", str(rules), "--batch-tokens", "1"]
    assert run([*base, "-o", str(tmp_path / "out"), "--jobs", "2"]) == 2
    assert f"{tmp_path / 'in.jsonl'}, line 5: rule 'spans' needs 'spans'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
