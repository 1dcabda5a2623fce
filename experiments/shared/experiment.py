"""The main loop of experiments that choose on held-out data first: what is missing is run, and pages are written from what is there."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from experiments.shared.journal import Journal, key_of, run_all
from experiments.shared.options import experiment_options, open_journal, use_corpus

__all__ = ["Page", "choose_options", "main_loop", "write_pages"]

Runs = list[dict[str, Any]]


class Page(NamedTuple):
    """A page: `make` writes it as Markdown, `runs` are those that it shows."""

    make: Callable[[Journal, Any], str]
    runs: Callable[[Journal, Any], Runs]


def main_loop(
    description: str | None,
    name: str,
    *,
    corpus: str,
    work: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]],
    choosing: Runs,
    plan_of: Callable[[Journal], Any],
    stages: Sequence[Callable[[Journal, Any], Runs]],
    pages: Mapping[str, Page],
) -> None:
    """Run what is missing, and write the results.

    Parameters
    ----------
    description : str
        For --help.
    name : str
        Of the package of the experiment.
    corpus : str
        The task whose corpus must be there.
    work : mapping from kinds of runs to functions of their settings
    choosing : list of settings
        The runs on held-out data.
    plan_of : function of the journal
        What follows from those: an object with `chosen`.
    stages : sequence of functions of journal and plan
        The runs that are reported; a later stage may depend on what an earlier one found.
    pages : mapping from names to pages
    """
    options = experiment_options(description, name)
    options.add_argument("--data", help="the folder of corpora; by default LAWFUL_DATA")
    options.add_argument("--page-only", action="store_true", help="write the pages from what has been done")
    options.add_argument(
        "--only", nargs="+", help="do only runs whose settings contain all these texts, and write no page"
    )
    options.set_defaults(jobs=1)  # a run needs some gigabytes
    arguments = options.parse_args()
    if not arguments.page_only:
        use_corpus(corpus, arguments.data)
    journal = open_journal(arguments.journal, fresh=arguments.fresh)
    for page in pages:
        published = arguments.results / f"{page}.json"
        if published.exists() and not arguments.fresh:
            journal.take(json.loads(published.read_text())["runs"])

    def run(runs: Runs, title: str) -> None:
        if arguments.only:
            runs = [one for one in runs if all(text in key_of(one) for text in arguments.only)]
        if not arguments.page_only:
            run_all(runs, partial(_do, work), journal, jobs=arguments.jobs, title=title)

    run(choosing, "held out")
    plan = plan_of(journal)
    for stage in stages:
        run(stage(journal, plan), "test")
    if not arguments.only:
        for text in write_pages(journal, plan, choosing, pages, arguments.results):
            print(text)


def _do(
    work: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]], settings: dict[str, Any]
) -> dict[str, Any]:
    return work[settings["run"]](settings)


def write_pages(
    journal: Journal, plan: Any, choosing: Runs, pages: Mapping[str, Page], folder: Path
) -> list[str]:
    """Write each page, and beside it a JSON file with the settings that were chosen and the runs, one on a line."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = []
    for name, page in pages.items():
        texts.append(page.make(journal, plan))
        (folder / f"{name}.md").write_text(texts[-1])
        needed = {key_of(settings) for settings in (*choosing, *page.runs(journal, plan))}
        kept = [
            json.dumps({"settings": json.loads(key), "result": result})
            for key, result in sorted(journal.done.items())
            if key in needed
        ]
        chosen = json.dumps(plan.chosen)
        (folder / f"{name}.json").write_text(
            f'{{"chosen": {chosen}, "runs": [\n' + ",\n".join(kept) + "\n]}\n"
        )
    return texts


def choose_options(
    journal: Journal, choosing: Runs, tried: Mapping[str, Sequence[Any]], by: str, step: str
) -> dict[str, Any]:
    """For each system the options with the best F1 at a step of its held-out runs; the first if none was tried.

    `by` names the setting that says which system a run is of.
    """
    chosen: dict[str, Any] = {}
    for system, first in ((system, options[0]) for system, options in tried.items()):
        rated = []
        for settings in choosing:
            found = journal.find(settings) if settings[by] == system else None
            if found is not None:
                correct, predicted, gold = found["steps"][step]["all"]
                rated.append((2 * correct / max(1, predicted + gold), settings["options"]))
        chosen[system] = max(rated, key=lambda pair: pair[0])[1] if rated else first
    return chosen
