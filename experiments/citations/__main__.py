"""Citations: the tables and figures of Chang, Ratinov & Roth (2012). `make experiments-citations` runs it.

First the choices, on the development set: gamma, features, the best model. Then the runs that are reported, on the test set.
Every run is kept in a journal as it ends, and in the page's JSON file; what is in one of them is not done again. --fresh starts anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from experiments.citations.page import Book, write_page
from experiments.citations.plan import (
    CANDIDATES,
    GAMMA_SIZES,
    SIZES,
    TAILORED,
    Plan,
    by_candidate,
    by_features,
    by_gamma,
    by_penalty,
)
from experiments.citations.plots import FIGURES, draw_figures
from experiments.citations.systems import fit_and_score
from experiments.shared.journal import Journal, key_of, run_all
from experiments.shared.options import experiment_options, open_journal, use_corpus


def main() -> None:
    """Run what is missing, and write the results."""
    options = experiment_options(__doc__, "citations")
    options.add_argument("--data", help="the folder of corpora; by default LAWFUL_DATA")
    options.add_argument(
        "--page-only", action="store_true", help="write the page, without figures, from what has been done"
    )
    options.add_argument("--choose-only", action="store_true", help="stop before the test set is read")
    arguments = options.parse_args()
    use_corpus("citations", arguments.data)
    journal = open_journal(arguments.journal, fresh=arguments.fresh)
    published = arguments.results / "citations.json"
    if published.exists() and not arguments.fresh:
        journal.take(json.loads(published.read_text())["runs"])
    book = Book(journal.find)
    chosen = choose(journal, book, 0 if arguments.page_only else arguments.jobs)
    print(json.dumps(chosen, indent=1))
    if arguments.choose_only:
        return
    plan = plan_of(chosen)
    if not arguments.page_only:
        run_all(plan.all_runs(), fit_and_score, journal, jobs=arguments.jobs, title="test")
    arguments.results.mkdir(parents=True, exist_ok=True)
    if not arguments.page_only:
        draw_figures(book, plan, arguments.results / "citations")
    page = write_page(book, plan, chosen, FIGURES)
    (arguments.results / "citations.md").write_text(page)
    needed = {key_of(settings) for settings in (*choosing_runs(), *plan.all_runs())}
    runs = [
        {"settings": json.loads(key), "result": result}
        for key, result in sorted(journal.done.items())
        if key in needed
    ]
    published.write_text(json.dumps({"chosen": chosen, "runs": runs}, indent=1) + "\n")
    print(page)


def plan_of(chosen: Mapping[str, Any]) -> Plan:
    """The plan that follows from the choices, which may come from a JSON file, where sizes are strings."""

    def by_size(choices: Mapping[Any, Any]) -> dict[int, Any]:
        return {int(size): choice for size, choice in choices.items()}

    penalties = {name: by_size(choices) for name, choices in chosen["penalties"].items()}
    return Plan(by_size(chosen["gammas"]), by_size(chosen["sees"]), penalties, chosen["best"])


def choosing_runs() -> list[dict[str, Any]]:
    """The runs on the development set that choices depend on."""
    grids: list[dict[Any, list[dict[str, Any]]]] = [by_gamma(size) for size in GAMMA_SIZES]
    grids += [by_penalty(name, size) for name in TAILORED for size in SIZES]
    grids += [by_features(), by_candidate()]
    return [settings for grid in grids for runs in grid.values() for settings in runs]


def choose(journal: Journal, book: Book, jobs: int) -> dict[str, Any]:
    """Make all choices, by accuracy on the development set."""
    features, candidates = by_features(), by_candidate()
    if jobs:
        run_all(choosing_runs(), fit_and_score, journal, jobs=jobs, title="dev")

    def best(grid: dict[float, list[dict[str, Any]]]) -> float:
        return max(grid, key=lambda value: known(book.mean(grid[value], "dev")))

    gammas = {size: best(by_gamma(size)) for size in GAMMA_SIZES}
    seen = {
        name: [
            book.mean([settings for settings in runs if settings["size"] == size], "dev")
            for size in (20, 300)
        ]
        for name, runs in features.items()
    }
    accuracy = {name: book.mean(candidates[name], "dev") for name in CANDIDATES}
    return {
        "gammas": {size: gammas[5 if size < 300 else 300] for size in SIZES},
        "penalties": {name: {size: best(by_penalty(name, size)) for size in SIZES} for name in TAILORED},
        "features": seen,
        "sees": {
            size: max(seen, key=lambda name: known(seen[name][0 if size < 300 else 1])) for size in SIZES
        },
        "candidates": accuracy,
        "best": max(accuracy, key=lambda name: known(accuracy[name])),
    }


def known(value: float) -> float:
    """The value, or -1 for one that is missing."""
    return value if value == value else -1.0  # noqa: PLR0124  # not a number is not itself


if __name__ == "__main__":
    main()
