"""Where `lawful decode` spends its time, on CoNLL-2000's test file: `make bench-cli`.

Each run is a process of its own, on one core; what counts is CPU time, charged to the stage that was at work
(`stages.py`). The run that took the least in all is shown. As on a user's machine, Python finds the modules compiled: a
first run, which is not counted, sees to that.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from benchmarks.shared.machine import describe_machine, load
from benchmarks.shared.paths import RESULTS
from lawful.errors import MissingDataError
from lawful.tasks import TASKS

HERE = Path(__file__).parent
TARGET = 0.20
WORK = ("read", "features", "decode", "write")
STAGES = {
    "start": "start Python, import numpy and lawful",
    "load": "load the model",
    "rules": "read and compile the rules",
    "read": "read the file",
    "features": "tokens to features to lattices",
    "decode": "decode under the rules",
    "write": "write the labelled file",
}

RULES = """\
[[rule]]
name = "legal chunks"
kind = "valid_tags"
scheme = "BIO"

[[rule]]
name = "a sentence has a verb"
kind = "at_least"
n = 1
labels = "B-VP"
price = 2.0

[[rule]]
name = "few clauses"
kind = "at_most"
n = 3
labels = "B-SBAR"
price = 1.0

[[rule]]
name = "marks are outside"
kind = "when"
test = { words = [".", "?", "!", ";"] }
then = "O"
"""

PAGE = """\
# Where `lawful decode` spends its time

Made by `make bench-cli` (`python -m benchmarks.cli.decode`). CoNLL-2000's test file ({tokens:,} tokens, {sequences:,} sentences), a
CRF of {weights:,} weights with the default features of `lawful train`, four rules, one core. CPU time in milliseconds: the run of
{rounds} that took the least time; the machine was {busy}.

{table}

- Outside features and decoding, of the time spent on the file: **{share:.1%}** (target: less than {target:.0%}).
- Starting and loading take {fixed:.0f} ms, whatever the file's size; with them, {whole:.1%} of this run is outside features and
  decoding. That is {many:.1%} for {copies} copies of the file in one ({many_tokens:,} tokens), and falls further with size.
- One sentence takes {one:.0f} ms, nearly all of it starting and loading: a service or a notebook should load once.
- Modules are already compiled, as from a user's second run on.

## The machine

{machine}
"""

progress = Console(stderr=True)


def main(
    *,
    rounds: Annotated[int, typer.Option("--rounds", help="Number of runs.")] = 7,
    copies: Annotated[
        int, typer.Option("--copies", help="Number of copies of the file in the large one.")
    ] = 20,
    data: Annotated[
        Path | None, typer.Option("--data", help="The folder of corpora; by default LAWFUL_DATA.")
    ] = None,
    folder: Annotated[Path | None, typer.Option("--output", help="Where to write cli-decode.*")] = None,
) -> None:
    """Train, measure, write."""
    try:
        corpus = TASKS["conll2000"].folder(data)
    except MissingDataError as error:
        progress.print(str(error), markup=False)
        raise typer.Exit(2) from None
    busy = load()
    with tempfile.TemporaryDirectory() as aside:
        scratch = Path(aside)
        (scratch / "rules.toml").write_text(RULES)
        test = corpus / "test.txt"
        progress.print("training")
        trained = _run("-m", "lawful", "train", str(corpus / "train.txt"), "--columns", "conll2000",
                       "--max-iterations", "40", "-o", str(scratch / "model.lawful"), "--json")  # fmt: skip
        summary = json.loads(trained)
        large = scratch / "large.txt"
        text = test.read_text()
        large.write_text((text.rstrip("\n") + "\n\n") * copies)
        one_sentence = scratch / "one.txt"
        one_sentence.write_text(text.partition("\n\n")[0] + "\n")
        _measure(one_sentence, scratch)  # the modules are compiled now
        one_runs = [_measure(one_sentence, scratch) for _ in range(rounds)]
        small_runs = [_measure(test, scratch) for _ in range(rounds)]
        large_runs = [_measure(large, scratch) for _ in range(rounds)]
    least, best, most = (
        min(runs, key=lambda run: sum(run.values())) for runs in (one_runs, small_runs, large_runs)
    )
    lines = [line for line in text.splitlines() if line.strip()]
    results = {
        "tokens": len(lines),
        "sequences": text.rstrip().count("\n\n") + 1,
        "weights": summary["weights"],
        "rounds": rounds,
        "copies": copies,
        "seconds_one_sentence": least,
        "seconds": best,
        "seconds_large": most,
        "share_outside": _outside(best, WORK),
        "share_outside_with_start": _outside(best, STAGES),
        "share_outside_with_start_large": _outside(most, STAGES),
        "target": TARGET,
        "load": busy,
        "machine": describe_machine(),
    }
    _write(results, folder or RESULTS)
    progress.print(f"outside features and decoding: {results['share_outside']:.1%}")
    raise typer.Exit(results["share_outside"] >= TARGET)


def _outside(run: dict[str, float], stages: Any) -> float:
    whole = sum(run[stage] for stage in stages)
    return (whole - run["features"] - run["decode"]) / whole


def _run(*command: str) -> str:
    """The output of a Python command, which may write compiled modules: otherwise each run would compile them again."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, *command], check=True, stdout=subprocess.PIPE, text=True, env=environment
    )
    return done.stdout


def _measure(file: Path, folder: Path) -> dict[str, float]:
    progress.print(f"decoding {file.name}")
    spent: dict[str, float] = json.loads(
        _run(str(HERE / "stages.py"), str(file), "-m", str(folder / "model.lawful"), "-r",
             str(folder / "rules.toml"), "-j", "1", "-o", str(folder / "out.txt"))
    )  # fmt: skip
    return spent


def _write(results: dict[str, Any], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    run, large = results["seconds"], results["seconds_large"]
    work = sum(run[stage] for stage in WORK)
    rows = [
        "| stage | ms | of the work on the file | ms, {copies} copies |".format(**results),
        "|---|---:|---:|---:|",
    ]
    for stage, description in STAGES.items():
        part = f"{run[stage] / work:.1%}" if stage in WORK else ""
        rows.append(f"| {description} | {1000 * run[stage]:.0f} | {part} | {1000 * large[stage]:.0f} |")
    page = PAGE.format(
        **{name: results[name] for name in ("tokens", "sequences", "weights", "rounds", "copies", "target")},
        busy=f"busy (load {results['load']:.1f})" if results["load"] > 0.5 else "quiet",
        table="\n".join(rows),
        share=results["share_outside"],
        whole=results["share_outside_with_start"],
        many=results["share_outside_with_start_large"],
        many_tokens=results["tokens"] * results["copies"],
        fixed=1000 * sum(run[stage] for stage in STAGES if stage not in WORK),
        one=1000 * sum(results["seconds_one_sentence"].values()),
        machine="\n".join(
            f"- {name}: {value}" for name, value in results["machine"].items() if name != "floor"
        ),
    )
    (folder / "cli-decode.md").write_text(page)
    (folder / "cli-decode.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    typer.run(main)
