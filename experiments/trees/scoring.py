"""Labelling with and without rules, and scoring: the runs of systems, and of the argument filter."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import lawful
from experiments.trees.comparing import pack
from experiments.trees.data import LABELS, Proposition, propositions, recall
from experiments.trees.systems import fitted_system
from lawful.evaluation import score_roles
from lawful.lattice import AnyLattice, GraphLattice
from lawful.tasks import load_rules
from lawful.tasks.srl.units import CORE_ROLES

__all__ = [
    "RULES",
    "STEPS",
    "answers_of",
    "counts_of",
    "in_context",
    "labelled",
    "run_filter",
    "run_system",
    "score",
]

RULES = load_rules("srl/constituents")
STEPS: dict[str, tuple[str, ...]] = {
    "no rules": (),
    "no duplicate": tuple(f"NO DUPLICATE {role}" for role in CORE_ROLES),
    "no nesting": ("NO ARGUMENT INSIDE ANOTHER",),
    "legal roles": ("LEGAL ROLES",),
    "all rules": tuple(RULES.names),
}


def score(test: Sequence[Proposition], answers: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Counts (correct, predicted, gold) of all arguments, of core ones, and of each role."""
    gold = [one.roles for one in test]
    found = [one.made.unlabel(labels) for one, labels in zip(test, answers, strict=True)]
    every = score_roles(gold, found, roles=LABELS[1:])
    core = score_roles(gold, found, roles=CORE_ROLES)
    return {
        "all": [every.overall.correct, every.overall.predicted, every.overall.gold],
        "core": [core.overall.correct, core.overall.predicted, core.overall.gold],
        "roles": {name: [one.correct, one.predicted, one.gold] for name, one in every.roles.items()},
        "perfect": every.perfect,
    }


def counts_of(
    test: Sequence[Proposition], answers: Sequence[Sequence[str]], role: str | None = None
) -> list[tuple[int, int, int]]:
    """Correct, predicted and gold arguments of each proposition, of one role or of all, from which any two systems can be compared."""
    rows = []
    for one, labels in zip(test, answers, strict=True):
        found, gold = (
            {span for span in spans if role in (None, span.type)}
            for spans in (one.made.unlabel(labels), one.roles)
        )
        rows.append((len(found & gold), len(found), len(gold)))
    return rows


def answers_of(
    scored: Sequence[AnyLattice], test: Sequence[Proposition], rules: lawful.Rules
) -> tuple[list[list[str]], float]:
    """The best labels under rules, and CPU milliseconds per proposition."""
    ready = [in_context(lattice, one) for lattice, one in zip(scored, test, strict=True)]
    decoder = lawful.Decoder(rules, labels=ready[0].labels, on_infeasible="least_bad")
    began = time.process_time()
    found = [list(one.labels) for one in decoder.decode_batch(ready, jobs=1)]
    return found, 1000 * (time.process_time() - began) / len(test)


def in_context(lattice: AnyLattice, one: Proposition) -> AnyLattice:
    """The same scores, with what rules look at."""
    tokens, context = list(one.made.sentence.inputs()), dict(one.made.sentence.context)
    assert not isinstance(lattice, GraphLattice)
    return lattice.with_tokens(tokens).with_context(context)


def labelled(
    scored: Sequence[AnyLattice],
    plain: Sequence[Sequence[str]],
    test: Sequence[Proposition],
    steps: Iterable[str] = tuple(STEPS),
) -> dict[str, Any]:
    """Scores at each step of the rules, and what was right in each proposition before and after all of them."""
    scores: dict[str, Any] = {}
    kept: dict[str, Any] = {}
    for step in steps:
        names = STEPS[step]
        rules = lawful.Rules(RULES[name] for name in names)
        answers, milliseconds = answers_of(scored, test, rules)
        if not names:
            answers = [list(labels) for labels in plain]
        scores[step] = {**score(test, answers), "ms": milliseconds}
        if step in ("no rules", "all rules"):
            kept[step] = pack(counts_of(test, answers))
    return {"propositions": len(test), "steps": scores, "answers": kept}


def run_system(settings: dict[str, Any]) -> dict[str, Any]:
    """Fit a system, label the test data with and without rules, and score."""
    test = propositions(settings["test"])
    scores, seconds = fitted_system(
        settings["system"], settings["train"], tuple(sorted(settings["options"].items()))
    )
    plain, scored = scores(test)
    result = {**labelled(scored, plain, test), "seconds": round(seconds, 1)}
    if (
        settings["test"] == "held"
    ):  # a choice needs the scores only; answers would be most of the page's JSON file
        del result["answers"]
    return result


def run_filter(settings: dict[str, Any]) -> dict[str, Any]:
    """The recall of the argument filter, what labels of constituents can say at most, and which rules gold labels break."""
    test = propositions(settings["test"])
    gold = [list(one.labels) for one in test]
    broken = dict.fromkeys(RULES.names, 0)
    for one, labels in zip(test, gold, strict=True):
        counts = RULES.violations(labels, list(one.made.sentence.inputs()), one.made.sentence.context)
        for name, count in counts.items():
            broken[name] += bool(count)
    return {**recall(settings["test"]), "ceiling": score(test, gold)["all"], "gold broken": broken}
