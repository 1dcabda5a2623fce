"""Memory of `lawful decode` while ten million tokens stream through it: `make bench-stream`.

A model is trained on references that lawful makes itself; references of another seed are fed to stdin again and again, and
the labelled ones are counted as they come out of stdout.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO, Annotated, Any

import typer
from rich.console import Console

import lawful
from benchmarks.shared.paths import RESULTS
from lawful.tasks import generate_citations

RULES = """\
[[rule]]
kind = "at_most_segments"
n = 1
labels = "title"
price = 3.0

[[rule]]
kind = "when"
test = { matches = '(19|20)\\d\\d' }
then = "date"
price = 2.0
per = "violation"
"""
PAGE = """\
# {tokens:,} tokens through `lawful decode`

Made by `make bench-stream` (`python -m benchmarks.cli.stream`): generated references from stdin to stdout, a CRF of 13 labels, two
rules, `--jobs 1`. Peak memory of the process after this many tokens of output:

| tokens | memory (MiB) |
|---:|---:|
{rows}

Everything that went in came out, in order: {lines:,} lines. It took {cpu:.0f} s of CPU time, {speed:,.0f} tokens a second.
"""

progress = Console(stderr=True)


def main(
    *,
    tokens: Annotated[int, typer.Option("--tokens", help="Minimum number of tokens.")] = 10_000_000,
    folder: Annotated[Path, typer.Option("--output", help="Where to write cli-stream.*")] = RESULTS,
) -> None:
    """Train, stream, measure, write."""
    results = stream_corpus(tokens)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cli-stream.json").write_text(json.dumps(results, indent=2) + "\n")
    rows = "\n".join(f"| {sample['tokens']:,} | {sample['kib'] / 1024:.0f} |" for sample in results["memory"])
    page = PAGE.format(rows=rows, **{name: results[name] for name in ("tokens", "lines", "cpu", "speed")})
    (folder / "cli-stream.md").write_text(page)


def stream_corpus(tokens: int) -> dict[str, Any]:
    """Train a model, and label that many tokens with it: memory on the way, CPU time, speed."""
    with tempfile.TemporaryDirectory() as aside:
        work = Path(aside)
        lawful.write_corpus(generate_citations(200, seed=1), work / "gold.conll")
        (work / "rules.toml").write_text(RULES)
        subprocess.run(
            [sys.executable, "-m", "lawful", "train", "gold.conll", "-o", "model.lawful", "--max-iterations", "20"],
            check=True, cwd=work, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        return _stream(work, tokens)


def _stream(folder: Path, tokens: int) -> dict[str, Any]:
    sentences = generate_citations(2000, seed=2)
    text = io.StringIO()
    lawful.write_corpus(sentences, text)
    block, size = text.getvalue().encode(), sum(map(len, sentences))
    copies = -(-tokens // size)
    process = subprocess.Popen(
        [sys.executable, "-m", "lawful", "decode", "-m", "model.lawful", "-r", "rules.toml", "--jobs", "1"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    feeder = threading.Thread(target=_feed, args=(process.stdin, block, copies))
    feeder.start()
    memory: list[dict[str, int]] = []
    lines, seen, words, last = 0, 0, [line.split(b"\t")[0] for line in block.splitlines()], time.monotonic()
    every = max(1, tokens // 10)
    kib, cpu = 0, 0.0
    for line in process.stdout:
        if line.split(b"\t")[0].rstrip(b"\n") != words[lines % len(words)]:
            raise SystemExit(f"line {lines + 1} is not what went in")
        lines += 1
        seen += line != b"\n"
        if line != b"\n" and seen % every == 0:
            kib, cpu = _memory(process.pid), _cpu(process.pid)
            memory.append({"tokens": seen, "kib": kib})
            progress.print(f"{seen:,} tokens, {kib / 1024:.0f} MiB, {time.monotonic() - last:.0f} s")
    feeder.join()
    if process.wait() != 0 or lines != copies * len(words):
        raise SystemExit(f"{lines} lines came out of {copies * len(words)}")
    return {"tokens": seen, "lines": lines, "memory": memory, "cpu": cpu, "speed": memory[-1]["tokens"] / cpu}


def _feed(pipe: IO[bytes], block: bytes, copies: int) -> None:
    with pipe:
        for _ in range(copies):
            pipe.write(block)


def _memory(pid: int) -> int:
    """The most that a process has held, KiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0])


def _cpu(pid: int) -> float:
    """Seconds of CPU time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    typer.run(main)
