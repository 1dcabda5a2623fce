"""Semantic roles under rules: Roth & Yih (2005) and Tromble & Eisner (2006). `make experiments-srl` runs it.

First the choices, on a tenth of the training data that is held out; then the runs that are reported, on section 20, once. Every
run is kept in a journal when it ends, and in the page's JSON file: what is there is not done again. --fresh starts anew.
"""

from __future__ import annotations

import json
from typing import Any

from experiments.shared.journal import Journal, key_of, run_all
from experiments.shared.options import experiment_options, open_journal, use_corpus
from experiments.srl.learners import CHOICES
from experiments.srl.page import make_page
from experiments.srl.plan import Plan, choosing_runs
from experiments.srl.soft import run_soft
from experiments.srl.solvers import run_solvers
from experiments.srl.tables import run_pruning, run_table

WORK = {"table": run_table, "pruning": run_pruning, "solvers": run_solvers, "soft": run_soft}


def work(settings: dict[str, Any]) -> dict[str, Any]:
    """Do one run."""
    return WORK[settings["run"]](settings)


def main() -> None:
    """Run what is missing, and write the results."""
    options = experiment_options(__doc__, "srl")
    options.add_argument("--data", help="the folder of corpora; by default LAWFUL_DATA")
    options.add_argument("--page-only", action="store_true", help="write the page from what has been done")
    options.add_argument(
        "--only", nargs="+", help="do only runs whose settings contain all these texts, and write no page"
    )
    options.set_defaults(jobs=1)  # a run needs some gigabytes
    arguments = options.parse_args()
    use_corpus("srl_conll_wsj", arguments.data)
    journal = open_journal(arguments.journal, fresh=arguments.fresh)
    published = arguments.results / "srl.json"
    if published.exists() and not arguments.fresh:
        journal.take(json.loads(published.read_text())["runs"])

    def run(runs: list[dict[str, Any]], title: str) -> None:
        if arguments.only:
            runs = [one for one in runs if all(text in key_of(one) for text in arguments.only)]
        if not arguments.page_only:
            run_all(runs, work, journal, jobs=arguments.jobs, title=title)

    run(choosing_runs(), "held out")
    plan = Plan(choose(journal))
    run(plan.all_runs(), "test")
    if arguments.only:
        return
    arguments.results.mkdir(parents=True, exist_ok=True)
    page = make_page(journal, plan)
    (arguments.results / "srl.md").write_text(page)
    shown = [plan.find(journal, settings)[1] for settings in (*plan.all_runs(), plan.fewer_solvers())]
    needed = {key_of(settings) for settings in (*choosing_runs(), *shown)}
    kept = [
        {"settings": json.loads(key), "result": result}
        for key, result in sorted(journal.done.items())
        if key in needed
    ]
    published.write_text(json.dumps({"chosen": plan.chosen, "runs": kept}, indent=1) + "\n")
    print(page)


def choose(journal: Journal) -> dict[str, Any]:
    """The options of each learner that score best under all rules on the held-out tenth; the first if none was tried."""
    chosen: dict[str, Any] = {}
    for learner, tried in CHOICES.items():
        rated = []
        for settings in choosing_runs():
            found = journal.find(settings) if settings["learner"] == learner else None
            if found is not None:
                correct, predicted, gold = found["steps"]["+ disallow"]["all"]
                rated.append((2 * correct / (predicted + gold), settings["options"]))
        chosen[learner] = max(rated, key=lambda pair: pair[0])[1] if rated else tried[0]
    return {**chosen, "P": chosen["VP"], "W": chosen["VW"], "CRF-D IBT": chosen["CRF-D"]}


if __name__ == "__main__":
    main()
