"""Semantic roles under rules: Roth & Yih (2005) and Tromble & Eisner (2006). `make experiments-srl` runs it.

First the choices, on a tenth of the training data that is held out; then the runs that are reported, on section 20, once. Every
run is kept in a journal when it ends, and in the page's JSON file: what is there is not done again. --fresh starts anew.
"""

from __future__ import annotations

from typing import Any

from experiments.shared.experiment import Page, choose_options, main_loop
from experiments.shared.journal import Journal
from experiments.srl.learners import CHOICES
from experiments.srl.page import make_page
from experiments.srl.plan import Plan, choosing_runs
from experiments.srl.soft import run_soft
from experiments.srl.solvers import run_solvers
from experiments.srl.tables import run_pruning, run_table

WORK = {"table": run_table, "pruning": run_pruning, "solvers": run_solvers, "soft": run_soft}


def choose(journal: Journal) -> dict[str, Any]:
    """The options of each learner that score best under all rules on the held-out tenth; the first if none was tried."""
    chosen = choose_options(journal, choosing_runs(), CHOICES, by="learner", step="+ disallow")
    return {**chosen, "P": chosen["VP"], "W": chosen["VW"], "CRF-D IBT": chosen["CRF-D"]}


def shown(journal: Journal, plan: Plan) -> list[dict[str, Any]]:
    """The runs of the page."""
    return [plan.find(journal, settings)[1] for settings in (*plan.all_runs(), plan.fewer_solvers())]


if __name__ == "__main__":
    main_loop(
        __doc__,
        "srl",
        corpus="srl_conll_wsj",
        work=WORK,
        choosing=choosing_runs(),
        plan_of=lambda journal: Plan(choose(journal)),
        stages=[lambda _, plan: plan.all_runs()],
        pages={"srl": Page(make_page, shown)},
    )
