"""Citations: the tables and figures of Chang, Ratinov & Roth (2012). `make experiments-citations` runs it.

First the choices, on the development set: gamma, features, the best model. Then the runs that are reported, on the test set.
Every run is kept in a journal as it ends, and in the page's JSON file; what is in one of them is not done again. --fresh starts anew.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import lawful
from citation_page import Book, write_page
from citation_plan import CANDIDATES, SIZES, Plan, by_candidate, by_features, by_gamma
from citation_plots import draw_figures
from citation_systems import run
from journal import Journal, key_of, run_all
from lawful.tasks import TASKS

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Run what is missing, and write the results."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", default=os.environ.get("LAWFUL_DATA"), help="the folder of corpora")
    options.add_argument("--results", type=Path, default=ROOT / "docs" / "results")
    options.add_argument("--journal", type=Path, default=ROOT / "build" / "experiments" / "citations.jsonl")
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    options.add_argument("--fresh", action="store_true", help="forget the journal")
    options.add_argument("--page-only", action="store_true", help="write the page from what has been done")
    options.add_argument("--choose-only", action="store_true", help="stop before the test set is read")
    given = options.parse_args()
    try:
        os.environ["LAWFUL_DATA"] = str(TASKS["citations"].folder(given.data).parent)
    except lawful.InputError as error:
        raise SystemExit(str(error)) from None
    if given.fresh:
        given.journal.unlink(missing_ok=True)
    journal = Journal(given.journal)
    published = given.results / "citations.json"
    if published.exists() and not given.fresh:
        journal.take(json.loads(published.read_text())["runs"])
    book = Book(journal.find)
    chosen = choose(journal, book, 0 if given.page_only else given.jobs)
    print(json.dumps(chosen, indent=1))
    if given.choose_only:
        return
    plan = Plan(chosen["gammas"], chosen["sees"], chosen["best"])
    if not given.page_only:
        run_all(plan.all_runs(), run, journal, jobs=given.jobs, title="test")
    given.results.mkdir(parents=True, exist_ok=True)
    figures = draw_figures(book, plan, given.results / "citations")
    page = write_page(book, plan, chosen, figures)
    (given.results / "citations.md").write_text(page)
    needed = {key_of(one) for one in (*choosing_runs(), *plan.all_runs())}
    runs = [
        {"settings": json.loads(key), "result": result}
        for key, result in sorted(journal.done.items())
        if key in needed
    ]
    published.write_text(json.dumps({"chosen": chosen, "runs": runs}, indent=1) + "\n")
    print(page)


def choosing_runs() -> list[dict[str, Any]]:
    """The runs that choices are made by."""
    grids = (by_gamma(5), by_gamma(300), by_features(), by_candidate())
    return [one for grid in grids for runs in grid.values() for one in runs]


def choose(journal: Journal, book: Book, jobs: int) -> dict[str, Any]:
    """All choices, by accuracy on dev."""
    gammas, features, candidates = {size: by_gamma(size) for size in (5, 300)}, by_features(), by_candidate()
    if jobs:
        run_all(choosing_runs(), run, journal, jobs=jobs, title="dev")
    best = {size: max(grid, key=lambda gamma: book.mean(grid[gamma], "dev")) for size, grid in gammas.items()}
    seen = {
        name: [book.mean([one for one in runs if one["size"] == size], "dev") for size in (20, 300)]
        for name, runs in features.items()
    }
    found = {name: book.mean(candidates[name], "dev") for name in CANDIDATES}
    return {
        "gammas": {size: best[5 if size < 300 else 300] for size in SIZES},
        "features": seen,
        "sees": {
            size: max(seen, key=lambda name: known(seen[name][0 if size < 300 else 1])) for size in SIZES
        },
        "candidates": found,
        "best": max(found, key=lambda name: known(found[name])),
    }


def known(value: float) -> float:
    """A number; what was not run is worse than anything."""
    return value if value == value else -1.0  # noqa: PLR0124  # not a number is not itself


if __name__ == "__main__":
    main()
