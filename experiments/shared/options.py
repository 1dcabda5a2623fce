"""The command-line options that experiments have in common."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from experiments.shared.journal import Journal
from experiments.shared.paths import RESULTS, WORK
from lawful.errors import MissingDataError
from lawful.tasks import TASKS
from lawful.tasks.task import DATA_VARIABLE

__all__ = ["experiment_options", "open_journal", "use_corpus"]


def experiment_options(description: str | None, name: str) -> argparse.ArgumentParser:
    """A parser with --results, --journal, --jobs and --fresh; the journal is named after the experiment."""
    program = f"python -m experiments.{name.replace('-', '_')}"
    options = argparse.ArgumentParser(prog=program, description=description)
    options.add_argument("--results", type=Path, default=RESULTS)
    options.add_argument("--journal", type=Path, default=WORK / f"{name}.jsonl")
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of processes")
    options.add_argument("--fresh", action="store_true", help="start again with an empty journal")
    return options


def use_corpus(task: str, data: str | None) -> None:
    """Make the folder of corpora known to the processes of an experiment; end with a message if it lacks a corpus."""
    try:
        os.environ[DATA_VARIABLE] = str(TASKS[task].folder(data).parent)
    except MissingDataError as error:
        raise SystemExit(str(error)) from None


def open_journal(path: Path, *, fresh: bool) -> Journal:
    """The journal in a file; `fresh` removes the file first."""
    if fresh:
        path.unlink(missing_ok=True)
    return Journal(path)
