"""The experiment on semantic roles, from files to its page, on a small corpus of the same formats."""

from __future__ import annotations

import json
from pathlib import Path


def test_every_kind_of_run_and_the_page(corpus: Path) -> None:
    from experiments.shared.journal import Journal
    from experiments.srl.__main__ import WORK, choose
    from experiments.srl.page import make_page
    from experiments.srl.plan import Plan

    journal = Journal(corpus / "srl.jsonl")
    plan = Plan(choose(journal))
    runs = [
        plan.table("VP"),
        plan.table("VP", test="brown"),
        plan.table("CRF-D"),
        plan.table("CRF-D IBT"),
        plan.pruning(),
        plan.solvers(),
        plan.soft(),
    ]
    for settings in runs:
        journal.add(settings, WORK[settings["run"]](settings))
    found = journal.result(plan.table("VP"))
    assert found["propositions"] == 12
    assert found["ceiling"][0] == found["ceiling"][1] == found["ceiling"][2] == 36 + 3
    assert found["steps"]["+ disallow"]["all"][0] > 30
    assert set(found["gold broken"]["rules"].values()) == {0}
    solvers = journal.result(plan.solvers())["solvers"]
    assert all(its["apart"] < 1e-9 for its in solvers.values())
    page = make_page(journal, plan)
    for title in (
        "R, Tables 1 and 2",
        "T, Table 2",
        "T, Figure 6",
        "T, Table 5",
        "T, section 6.2",
        "Past the papers",
    ):
        assert title in page
    json.dumps(journal.done)
