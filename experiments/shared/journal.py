"""The runs of an experiment: each is a pure function of its settings, done once, and kept in a file of JSON lines."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

__all__ = ["Journal", "key_of", "run_all"]

Settings = Mapping[str, Any]
Result = dict[str, Any]


def key_of(settings: Settings) -> str:
    """The settings as text, by which the journal finds a run."""
    return json.dumps(settings, sort_keys=True)


class Journal:
    """The runs that are done: one line per run, written when it ends. A run whose line was cut off is done again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done: dict[str, Result] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text() if path.exists() else ""
        self._whole = not text or text.endswith("\n")
        for line in text.splitlines():
            try:
                run = json.loads(line)
                self.done[key_of(run["settings"])] = run["result"]
            except (ValueError, KeyError):
                continue

    def take(self, runs: Iterable[Mapping[str, Any]]) -> None:
        """Add runs from elsewhere, such as a page's JSON file; they do not replace runs of the journal."""
        for run in runs:
            self.done.setdefault(key_of(run["settings"]), run["result"])

    def add(self, settings: Settings, result: Result) -> None:
        """Add a run, on disk at once."""
        self.done[key_of(settings)] = result
        with self.path.open("a") as file:
            line = json.dumps({"settings": dict(settings), "result": result}) + "\n"
            file.write(line if self._whole else "\n" + line)
            self._whole = True
            file.flush()
            os.fsync(file.fileno())

    def result(self, settings: Settings) -> Result:
        """The result of a run."""
        return self.done[key_of(settings)]

    def find(self, settings: Settings) -> Result | None:
        """The result of a run; None if it has not been done."""
        return self.done.get(key_of(settings))


def run_all(
    runs: Iterable[Settings],
    work: Callable[[dict[str, Any]], Result],
    journal: Journal,
    *,
    jobs: int,
    title: str,
) -> None:
    """Do all runs that are not in the journal yet, in a pool of processes."""
    unique = {key_of(settings): dict(settings) for settings in runs}
    missing = [settings for key, settings in unique.items() if key not in journal.done]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, TextColumn("{task.fields[last]}"), console=Console(stderr=True)) as shown:
        bar = shown.add_task(title, total=len(unique), completed=len(unique) - len(missing), last="")
        for settings, result in _in_pool(missing, work, jobs):
            journal.add(settings, result)
            shown.update(bar, advance=1, last=_brief(settings))


def _in_pool(missing: Sequence[dict[str, Any]], work: Callable[[dict[str, Any]], Result], jobs: int) -> Any:
    if jobs <= 1 or len(missing) <= 1:
        for settings in missing:
            yield settings, work(settings)
        return
    with ProcessPoolExecutor(jobs, initializer=_quiet) as pool:
        waiting = {pool.submit(work, settings): settings for settings in missing}
        try:
            for task in as_completed(waiting):
                yield waiting[task], task.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _quiet() -> None:
    """Ignore Ctrl-C in workers: the parent ends them, without a traceback from each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _brief(settings: Settings) -> str:
    return " ".join(str(value) for value in settings.values() if isinstance(value, (str, int, float)))
