"""Apartment ads that lawful makes itself: the rules of Table 2. `make experiments-ads` runs it; it needs no data.

The corpus of the paper could not be had. The generated ads have its fields and its marks, but they are easier: what the page shows is
that the rules and the learners do their work on them, not how good they would be on the paper's corpus.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import lawful
from citation_page import table
from journal import Journal, run_all
from lawful.learning import HardEM
from lawful.rules.ruleset import Rules
from lawful.tasks import generate_ads, load_rules
from lawful.tasks.ads.rules import AD_FIELDS, ad_ties

ROOT = Path(__file__).parents[1]
SIZES, DRAWS, POOL, TEST = (5, 10, 20, 100), 5, 500, 200
FIELDS = (*AD_FIELDS, "other")
LENIENT: dict[str, Any] = {"on_infeasible": "least_bad", "jobs": 1}

SYSTEMS: dict[str, dict[str, Any]] = {
    "HMM": {"learner": "hmm", "rules": "none"},
    "HMM-CCM": {"learner": "hmm", "rules": "learn"},
    "HMM-CCM, hard": {"learner": "hmm", "rules": "hard"},
    "semi-HMM": {"learner": "codl", "rules": "none"},
    "semi-HMM-CCM": {"learner": "codl", "rules": "learn"},
    "SP L": {"learner": "perceptron", "strategy": "L", "rules": "none"},
    "SP L+I": {"learner": "perceptron", "strategy": "L+I", "rules": "hard"},
    "SP JIBT": {"learner": "perceptron", "strategy": "JIBT", "rules": "learn"},
}


@cache
def ads(kind: str) -> tuple[list[list[str]], list[list[str]]]:
    """Generated ads; training, pool and test have seeds of their own."""
    seed, count = {"train": (1, 100 * DRAWS), "pool": (2, POOL), "test": (3, TEST)}[kind]
    made = generate_ads(count, seed=seed)
    return [list(one.tokens) for one in made], [list(one.labels or ()) for one in made]


def run(settings: dict[str, Any]) -> dict[str, Any]:
    """Fit a system to one draw and judge it."""
    started = time.perf_counter()
    first, size = 100 * settings["draw"], settings["size"]
    X, y = (part[first : first + size] for part in ads("train"))
    rules = Rules() if settings["rules"] == "none" else load_rules("ads", price=settings["rules"])
    base = lawful.HMM(labels=FIELDS)
    learner: Any
    if settings["learner"] == "hmm":
        learner = lawful.learning.CCM(base, rules, ties=ad_ties()).fit(X, y)
    elif settings["learner"] == "perceptron":
        words = lawful.features.Features(lawful.features.bias(), lawful.features.folded())
        crf = lawful.CRF(words, start=True, end=True, all_states=True, all_transitions=True)
        learner = lawful.learning.RuledPerceptron(
            crf, rules, strategy=settings["strategy"], ties=ad_ties(), labels=FIELDS, epochs=15
        ).fit(X, y)
    else:
        learner = lawful.CoDL(base, rules, ties=ad_ties(), jobs=1) if rules else HardEM(base, jobs=1)
        learner.fit(X, y, unlabelled=ads("pool")[0])
    accuracy = 100 * learner.score(*ads("test"), rules=learner.rules_, **LENIENT)
    return {"test": round(accuracy, 4), "seconds": round(time.perf_counter() - started, 2)}


def main() -> None:
    """Run what is missing, and write the results."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--results", type=Path, default=ROOT / "docs" / "results")
    options.add_argument("--journal", type=Path, default=ROOT / "build" / "experiments" / "ads.jsonl")
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    options.add_argument("--fresh", action="store_true", help="forget the journal")
    given = options.parse_args()
    if given.fresh:
        given.journal.unlink(missing_ok=True)
    journal = Journal(given.journal)
    plan = {
        (name, size): [{**one, "size": size, "draw": draw} for draw in range(DRAWS)]
        for name, one in SYSTEMS.items()
        for size in SIZES
    }
    run_all([one for runs in plan.values() for one in runs], run, journal, jobs=given.jobs, title="ads")
    rows = [
        [
            name,
            *(f"{np.mean([journal.result(one)['test'] for one in plan[name, size]]):.2f}" for size in SIZES),
        ]
        for name in SYSTEMS
    ]
    page = f"{HEADING}\n\n{table(['test accuracy, %', *(f'{size} labelled' for size in SIZES)], rows)}\n"
    given.results.mkdir(parents=True, exist_ok=True)
    (given.results / "ads.md").write_text(page)
    kept = [{"settings": one, "result": journal.result(one)} for runs in plan.values() for one in runs]
    (given.results / "ads.json").write_text(json.dumps(kept, indent=1) + "\n")
    print(page)


HEADING = f"""# Ads that lawful makes itself, under the rules of Table 2

`make experiments-ads` writes this page and `ads.json`. The ads corpus of Chang, Ratinov & Roth (2012) could not be had; these are
`generate_ads`, which are easier, so the numbers are not comparable with the paper's. Mean of {DRAWS} training sets, {POOL} unlabelled ads, {TEST} test ads."""


if __name__ == "__main__":
    main()
