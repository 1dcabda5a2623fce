"""The systems that are compared on generated ads: an HMM and a perceptron, with and without rules and unlabelled ads."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import lawful
from lawful.learning import HardEM
from lawful.rules.ruleset import Rules
from lawful.tasks import generate_ads, load_rules
from lawful.tasks.ads.rules import AD_FIELDS, ad_ties

__all__ = ["DRAWS", "POOL", "SIZES", "SYSTEMS", "TEST", "fit_and_score"]

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
    return [list(ad.tokens) for ad in made], [list(ad.labels or ()) for ad in made]


def fit_and_score(settings: dict[str, Any]) -> dict[str, Any]:
    """Fit a system to one draw of the training ads, and score it on the test ads."""
    started = time.perf_counter()
    first, size = 100 * settings["draw"], settings["size"]
    X, y = (column[first : first + size] for column in ads("train"))
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
