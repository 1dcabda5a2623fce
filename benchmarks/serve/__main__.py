"""The playground under 50 requests side by side: `make bench-serve`.

A server runs in a process of its own, with its own model and its 12 rules. 50 connections ask at the same moment, each
for another text of about 40 tokens; when all have their answers, they ask again. No text comes twice.
"""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from benchmarks.shared.machine import describe_machine, load
from benchmarks.shared.paths import RESULTS
from lawful.corpus import Tokenizer
from lawful.tasks import generate_citations

TARGET = 50.0  # milliseconds, for 95 of 100 requests side by side
QUICK = 5.0  # milliseconds, for half of the requests that come one at a time
SIDE_BY_SIDE = 50

ROWS = ("labels, one at a time", "labels, 50 side by side", "labels and reasons, 2 side by side")

progress = Console(stderr=True)

PAGE = """\
# The playground under load

Made by `make bench-serve` (`python -m benchmarks.serve`): {side} connections on loopback ask the server of `lawful serve` at the same
moment, each for another text of 38 to 42 tokens under the 12 rules that it starts with; when all have their answers, they
ask again, {rounds} times. No text is repeated, so no answer comes from a cache; the compiled rules do.

- **on the server**: from the request's arrival in the application to its answer (the header `Server-Timing`), with the time
  that it waits for one of the two workers.
- **at work**: the same without that waiting. Of {side} requests at once the last waits for all others: two cores, which the client shares, answer them one after another.
- **for the client**: from the moment at which all {side} ask to the answer. That includes the waiting and the client's own
  work: it shares the machine's cores with the server, and with whatever else runs there.

Targets: one at a time, as a person types, half of the requests within {quick:g} ms on the server: **{quick_verdict}**. {side} at once, 95 of 100 within {target:g} ms on the server: **{verdict}**.
No request fails: **{no_errors}**.

{table}

{load_note}

## The machine

{machine}
"""


def main(
    *,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Number of rounds of requests.")] = 40,
    quick: Annotated[bool, typer.Option("--quick", help="Three rounds; no results written.")] = False,
    folder: Annotated[
        Path, typer.Option("--output", help="Where to write serve.md and serve.json.")
    ] = RESULTS,
) -> None:
    """Start a server, ask it, judge, write."""
    before = load()
    rounds = 3 if quick else rounds
    texts = make_texts(SIDE_BY_SIDE * (rounds + 3))
    server = subprocess.Popen(
        [sys.executable, "-m", "lawful", "serve", "--no-open"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        port = int(re.findall(r":(\d+)/", server.stdout.readline())[0])
        alone = measure(port, texts[: 8 * SIDE_BY_SIDE], side=1, explain=False)
        labelled = measure(port, texts, explain=False)
        explained = measure(port, texts[: 5 * SIDE_BY_SIDE], side=2, explain=True)
    finally:
        server.terminate()
        server.wait()
    results: dict[str, Any] = {
        "labels, one at a time": summary(alone),
        "labels, 50 side by side": summary(labelled),
        "labels and reasons, 2 side by side": summary(explained),
        "load_before": before,
        "machine": describe_machine(),
    }
    results["quick_met"] = results["labels, one at a time"]["server_p50"] < QUICK
    results["target_met"] = results["labels, 50 side by side"]["server_p95"] < TARGET
    results["no_errors"] = not any(results[name]["errors"] for name in ROWS)
    progress.print_json(json.dumps(results))
    if not quick:
        write(folder, results, rounds)


def make_texts(count: int) -> list[str]:
    """Different references of about 40 tokens."""
    texts: dict[str, None] = {}
    seed = 1000
    while len(texts) < count:
        for sentence in generate_citations(500, seed=seed):
            text = " ".join(sentence.tokens)
            if 38 <= len(Tokenizer().spans(text)) <= 42:
                texts[text] = None
        seed += 1
    return list(texts)[:count]


def measure(
    port: int, texts: Sequence[str], *, side: int = SIDE_BY_SIDE, explain: bool
) -> list[dict[str, Any]]:
    """What every request took; the first three rounds warm up and are left out."""
    return asyncio.run(_measure(port, texts, side, explain=explain))[3 * side :]


async def _measure(port: int, texts: Sequence[str], side: int, *, explain: bool) -> list[dict[str, Any]]:
    connections = [await asyncio.open_connection("127.0.0.1", port) for _ in range(side)]
    answers: list[dict[str, Any]] = []
    for start in range(0, len(texts) - side + 1, side):
        bodies = [
            json.dumps({"text": text, "explain": explain}).encode() for text in texts[start : start + side]
        ]
        began = time.perf_counter()
        asked = [_ask(*pair, port, body, began) for pair, body in zip(connections, bodies, strict=True)]
        answers += await asyncio.gather(*asked)
        await asyncio.sleep(0.02)
    for _, writer in connections:
        writer.close()
    return answers


async def _ask(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int, body: bytes, began: float
) -> dict[str, Any]:
    head = (
        f"POST /decode HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    size = int(re.findall(r"content-length: (\d+)", head)[0])
    answer = json.loads(await reader.readexactly(size))
    # A refusal has not waited for a worker.
    total, waited = (
        float((re.findall(rf"{name};dur=([\d.]+)", head) or ["0"])[0]) for name in ("total", "wait")
    )
    return {
        "ok": head.startswith("http/1.1 200") and answer.get("status") == "optimal",
        "server": total,
        "work": total - waited,
        "client": 1e3 * (time.perf_counter() - began),
    }


def summary(requests: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Quantiles in milliseconds, and how many failed."""
    result: dict[str, Any] = {
        "requests": len(requests),
        "errors": sum(not request["ok"] for request in requests),
    }
    for side in ("server", "work", "client"):
        cuts = statistics.quantiles([request[side] for request in requests], n=100)
        result |= {f"{side}_p{part}": round(cuts[part - 1], 2) for part in (50, 95, 99)}
    return result


def write(folder: Path, results: dict[str, Any], rounds: int) -> None:
    """The page and the file with the same numbers."""
    rows = [
        "| | requests | failed | server p50 | p95 | p99 | at work p50 | p95 | client p50 | p95 | p99 |",
        "|---|" + "---:|" * 10,
    ]
    for name in ROWS:
        row = results[name]
        parts = {"server": (50, 95, 99), "work": (50, 95), "client": (50, 95, 99)}
        times = [f"{row[f'{side}_p{part}']:.1f} ms" for side, told in parts.items() for part in told]
        rows.append(f"| {name} | {row['requests']:,} | {row['errors']} | {' | '.join(times)} |")
    page = PAGE.format(
        side=SIDE_BY_SIDE,
        rounds=rounds,
        target=TARGET,
        quick=QUICK,
        quick_verdict="reached" if results["quick_met"] else "not reached",
        verdict="reached" if results["target_met"] else "not reached",
        no_errors="reached" if results["no_errors"] else "not reached",
        table="\n".join(rows),
        load_note=f"Load of the machine before the run: {results['load_before']:.1f} (1 minute).",
        machine="\n".join(f"- {name}: {value}" for name, value in results["machine"].items()),
    )
    (folder / "serve.md").write_text(page)
    (folder / "serve.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    typer.run(main)
