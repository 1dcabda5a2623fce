"""`make bench-encodings`: 5,000 random problems beside enumeration; decoding, voting and converting timed; writes docs/results/encoded.*."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from benchmarks.encodings.agreement import compare, encodings, random_encodings
from benchmarks.encodings.page import write_page
from benchmarks.encodings.speed import SENTENCES, convert, decode
from benchmarks.encodings.votes import vote
from benchmarks.shared.machine import describe_machine, load
from benchmarks.shared.paths import RESULTS

console = Console(stderr=True)

EACH = 10  # problems for an encoding that random moves made


def main(
    *,
    problems: Annotated[int, typer.Option(help="Number of random problems.")] = 5000,
    repeats: Annotated[int, typer.Option(help="Number of turns of each timing.")] = 7,
    timings_only: Annotated[
        bool, typer.Option("--timings-only", help="Keep what encoded.json says of the random problems.")
    ] = False,
    folder: Annotated[
        Path | None, typer.Option("--output", help="Where to write encoded.md and encoded.json.")
    ] = None,
) -> None:
    """Compare, measure, write; an exception if anything disagrees."""
    loaded = load()
    written = RESULTS if folder is None else folder
    compared = (
        json.loads((written / "encoded.json").read_text())["agreement"]
        if timings_only
        else agreement(problems)
    )
    results = {
        "agreement": compared,
        "sentences": SENTENCES,
        "repeats": repeats,
        "decode": decode(repeats),
        "vote": vote(repeats),
        "convert": convert(max(1, repeats // 2)),
        "machine": describe_machine()["processor"],
        "load": loaded,
    }
    print(write_page(results, written))


def agreement(problems: int) -> dict[str, int]:
    """Half of the problems with encodings of every kind, half with those that random moves make."""
    seen: Counter[str] = Counter()
    kinds = encodings()
    share = -(-problems // 2 // len(kinds))
    for encoding in kinds:
        seen += compare(encoding, np.random.default_rng([1, len(encoding.tags)]), share)
        console.print(f"{encoding.name}: {seen.total():,} problems agree")
    rng = np.random.default_rng(2)
    made = 0
    for encoding in random_encodings(rng):
        if seen.total() >= problems:
            break
        seen += compare(encoding, rng, EACH)
        made += 1
        if made % 25 == 0:
            console.print(f"{made} encodings made by moves: {seen.total():,} problems agree")
    return {"problems": seen.total(), "encodings": len(kinds) + made, "random": made, **seen}


if __name__ == "__main__":
    typer.run(main)
