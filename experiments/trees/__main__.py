"""Roles over trees, histories and coherent role labels: Loper (2008), chapters 3 and 5. `make experiments-trees` runs it.

First the choices, on a tenth of the training data that is held out; then the runs that are reported. Every run is kept in a journal when it
ends, and in the pages' JSON files: what is there is not done again. --fresh starts anew.
"""

from __future__ import annotations

import json
from typing import Any

from experiments.shared.journal import Journal, key_of, run_all
from experiments.shared.options import experiment_options, open_journal, use_corpus
from experiments.trees.coherent import run_coherent, run_coverage, run_themes
from experiments.trees.pages import labels_page, trees_page
from experiments.trees.plan import Plan, choosing_runs
from experiments.trees.systems import run_filter, run_system

WORK = {
    "system": run_system,
    "filter": run_filter,
    "coherent": run_coherent,
    "themes": run_themes,
    "coverage": run_coverage,
}
PAGES = {"roles-trees": trees_page, "role-labels": labels_page}


def work(settings: dict[str, Any]) -> dict[str, Any]:
    """Do one run."""
    return WORK[settings["run"]](settings)


def main() -> None:
    """Run what is missing, and write the results."""
    options = experiment_options(__doc__, "trees")
    options.add_argument("--data", help="the folder of corpora; by default LAWFUL_DATA")
    options.add_argument("--page-only", action="store_true", help="write the pages from what has been done")
    options.add_argument(
        "--only", nargs="+", help="do only runs whose settings contain all these texts, and write no page"
    )
    options.set_defaults(jobs=1)  # a run needs some gigabytes
    arguments = options.parse_args()
    use_corpus("srl_conll_wsj", arguments.data)
    journal = open_journal(arguments.journal, fresh=arguments.fresh)
    for name in PAGES:
        published = arguments.results / f"{name}.json"
        if published.exists() and not arguments.fresh:
            journal.take(json.loads(published.read_text())["runs"])

    def run(runs: list[dict[str, Any]], title: str) -> None:
        if arguments.only:
            runs = [one for one in runs if all(text in key_of(one) for text in arguments.only)]
        if not arguments.page_only:
            run_all(runs, work, journal, jobs=arguments.jobs, title=title)

    run(choosing_runs(), "held out")
    plan = Plan.chosen_by(journal)
    run([*plan.trees(), *plan.labels()], "test")
    if not arguments.only:
        write(journal, plan, arguments.results)


def write(journal: Journal, plan: Plan, results: Any) -> None:
    """Write both pages, each with the runs that it shows."""
    results.mkdir(parents=True, exist_ok=True)
    for name, make in PAGES.items():
        page = make(journal, plan)
        (results / f"{name}.md").write_text(page)
        runs = plan.trees() if name == "roles-trees" else plan.labels()
        needed = {key_of(settings) for settings in (*choosing_runs(), *runs)}
        kept = [
            {"settings": json.loads(key), "result": result}
            for key, result in sorted(journal.done.items())
            if key in needed
        ]
        (results / f"{name}.json").write_text(json.dumps({"chosen": plan.chosen, "runs": kept}) + "\n")
        print(page)


if __name__ == "__main__":
    main()
