"""The results of the models benchmark: verdicts, a page, and a JSON file with the same numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["judge", "write_page"]

CLOSE = 1e-4  # relative: training counts until the objective is that near the best that anyone reached
Runs = Mapping[str, Sequence[Mapping[str, Any]]]

PAGE = """\
# Training and tagging speed

Made by `make bench-models` (`python -m benchmarks.models`): the contestants took turns {turns} times, each in a process of its
own; the best turn of each counts. Corpus: {corpus}, the 20 templates of Sha & Pereira (2003), c2 = 1.

- **to the objective**: seconds of training until the objective is within 1e-4 (relative) of the best that any
  contestant reached. Features are read before; CRFsuite's part of that is a Python function and `Trainer.append`.
- **its CPU**: CPU seconds of the same, all threads together; other programs disturb them less.
- **all**: from sentences to a trained model, by the stopping rule of each (which is the same).
- **memory**: the peak memory of the process, the interpreter and the sentences included.

## Targets

{targets}

## Training

{training}

## Tagging

From raw tokens to labels, features included.

{tagging}

## The machine

{machine}
"""


def judge(trained: Runs, tagged: Runs) -> dict[str, Any]:
    """Rows of figures, and whether each target was reached."""
    best = min(value for runs in trained.values() for run in runs for _, value, _ in run["curve"])
    training = {name: _training(runs, best) for name, runs in trained.items()}
    tagging = {name: _tagging(runs) for name, runs in tagged.items()}
    theirs, tagger = training["CRFsuite"], tagging["CRFsuite"]
    one_thread, two_threads = training["ours, 1 thread"], training["ours, 2 threads"]
    quality = {kind: tagging["ours, 1 thread"][kind] - tagger[kind] for kind in ("f1", "np")}
    targets = [
        _ratio(
            "training on 2 threads: at most 0.5 of CRFsuite's time", two_threads, theirs, "to_objective", 0.5
        ),
        _ratio("training on 1 thread: at most CRFsuite's time", one_thread, theirs, "to_objective", 1.0),
        _ratio("training on 2 threads: at most CRFsuite's memory", two_threads, theirs, "memory", 1.0),
        {
            "target": "tagging on 1 thread: at least 3 times CRFsuite's tokens a second",
            "measured": f"{tagging['ours, 1 thread']['tokens_a_second'] / tagger['tokens_a_second']:.1f} times",
            "holds": tagging["ours, 1 thread"]["tokens_a_second"] >= 3 * tagger["tokens_a_second"],
        },
        _ratio(
            "tagging on 1 thread: at most CRFsuite's memory", tagging["ours, 1 thread"], tagger, "memory", 1.0
        ),
        {
            "target": "F1 of all chunks and of NP: within 0.1 of CRFsuite's",
            "measured": f"{quality['f1']:+.2f} and {quality['np']:+.2f}",
            "holds": all(abs(difference) <= 0.1 for difference in quality.values()),
        },
    ]
    first = next(iter(trained.values()))
    return {
        "corpus": first[0]["corpus"],
        "turns": len(first),
        "best_objective": best,
        "training": training,
        "tagging": tagging,
        "targets": targets,
        "curves": {
            name: min(runs, key=lambda run: run["seconds"])["curve"] for name, runs in trained.items()
        },
    }


def _training(runs: Sequence[Mapping[str, Any]], best: float) -> dict[str, float]:
    def to_objective(run: Mapping[str, Any], clock: int, before: str) -> float:
        reached = [point[clock] for point in run["curve"] if point[1] <= best * (1 + CLOSE)]
        return float(reached[0] - run[before]) if reached else float("inf")

    return {
        "to_objective": min(to_objective(run, 0, "prepare") for run in runs),
        "to_objective_cpu": min(to_objective(run, 2, "prepare_cpu") for run in runs),
        "prepare": min(run["prepare"] for run in runs),
        "all": min(run["seconds"] for run in runs),
        "iterations": len(runs[0]["curve"]),
        "objective": runs[0]["curve"][-1][1],
        "features": runs[0]["features"],
        "memory": min(run["memory"] for run in runs),
    }


def _tagging(runs: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    return {
        "tokens_a_second": max(run["tokens_a_second"] for run in runs),
        "f1": runs[0]["f1"],
        "np": runs[0]["np"],
        "memory": min(run["memory"] for run in runs),
    }


def _ratio(
    target: str, ours: Mapping[str, float], theirs: Mapping[str, float], key: str, most: float
) -> dict[str, Any]:
    ratio = ours[key] / theirs[key]
    return {"target": target, "measured": f"{ratio:.2f} of it", "holds": ratio <= most}


def write_page(folder: Path, figures: Mapping[str, Any], machine: Mapping[str, str]) -> None:
    """Write models.md and models.json."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "models.json").write_text(json.dumps({"machine": dict(machine), **figures}, indent=1) + "\n")
    targets = [
        (row["target"], row["measured"], "yes" if row["holds"] else "no") for row in figures["targets"]
    ]
    training = [
        (
            name, f"{row['to_objective']:.2f}", f"{row['to_objective_cpu']:.2f}", f"{row['prepare']:.2f}", f"{row['all']:.2f}", f"{row['iterations']}",
            f"{row['objective']:.3f}", f"{row['features']:,}", f"{row['memory']:.0f}",
        )
        for name, row in figures["training"].items()
    ]  # fmt: skip
    tagging = [
        (
            name,
            f"{row['tokens_a_second']:,.0f}",
            f"{row['f1']:.2f}",
            f"{row['np']:.2f}",
            f"{row['memory']:.0f}",
        )
        for name, row in figures["tagging"].items()
    ]
    heads = (
        "",
        "to the objective, s",
        "its CPU, s",
        "reading features, s",
        "all, s",
        "iterations",
        "objective",
        "features",
        "memory, MB",
    )
    page = PAGE.format(
        turns=figures["turns"],
        corpus=figures["corpus"],
        targets=_table(("target", "measured", "holds"), targets),
        training=_table(heads, training),
        tagging=_table(("", "tokens a second", "F1", "F1 of NP", "memory, MB"), tagging),
        machine="\n".join(f"- {name}: {value}" for name, value in machine.items()),
    )
    (folder / "models.md").write_text(page)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    marks = ["---", *("---:" for _ in columns[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (columns, marks, *rows))
