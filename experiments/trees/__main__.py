"""Roles over trees, histories and coherent role labels: Loper (2008), chapters 3 and 5. `make experiments-trees` runs it.

First the choices, on a tenth of the training data that is held out; then the runs that are reported. Every run is kept in a journal when it
ends, and in the pages' JSON files: what is there is not done again. --fresh starts anew.
"""

from __future__ import annotations

from experiments.shared.experiment import Page, main_loop
from experiments.trees.climbing import run_learned, run_search, run_voted
from experiments.trees.coherent import run_coherent, run_confusion, run_coverage
from experiments.trees.history_costs import run_histories, run_speed
from experiments.trees.labels_page import labels_page
from experiments.trees.plan import Plan, choosing_runs
from experiments.trees.scoring import run_filter, run_system
from experiments.trees.thematic import run_themes
from experiments.trees.trees_page import trees_page

WORK = {
    "system": run_system,
    "filter": run_filter,
    "coherent": run_coherent,
    "themes": run_themes,
    "coverage": run_coverage,
    "confusion": run_confusion,
    "histories": run_histories,
    "speed": run_speed,
    "search": run_search,
    "learned": run_learned,
    "voted": run_voted,
}
PAGES = {
    "roles-trees": Page(trees_page, lambda journal, plan: [*plan.trees(), *plan.after_searches(journal)]),
    "role-labels": Page(labels_page, lambda _, plan: plan.labels()),
}

if __name__ == "__main__":
    main_loop(
        __doc__,
        "trees",
        corpus="srl_conll_wsj",
        work=WORK,
        choosing=choosing_runs(),
        plan_of=Plan.chosen_by,
        stages=[
            lambda _, plan: [*plan.wsj(), *plan.searches()],
            lambda journal, plan: plan.after_searches(journal),
            lambda _, plan: [*plan.web(), *plan.wsj_labels(), *plan.web_labels()],
        ],
        pages=PAGES,
    )
