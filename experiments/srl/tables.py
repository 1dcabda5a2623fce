"""One run of Tables 1 and 2 of Roth & Yih: a learner, and its answers as rules are added one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import lawful
from experiments.srl.data import Example, contexts, examples, pruned_contexts, word_labels
from experiments.srl.learners import fit, lattices
from lawful.evaluation import compare_outputs, score_roles
from lawful.tasks import load_rules
from lawful.tasks.srl import CORE_ROLES

__all__ = ["PRUNINGS", "RULES", "STEPS", "decode", "on_words", "run_pruning", "run_table", "score"]

_NO_DUPLICATE = tuple(f"NO DUPLICATE {role}" for role in CORE_ROLES)
STEPS: dict[str, tuple[str, ...]] = {
    "basic": (),
    "+ no duplicate": _NO_DUPLICATE,
    "+ candidates": ("ARGUMENT CANDIDATES",),
    "+ at least one": ("AT LEAST ONE ARGUMENT",),
    "+ verb position": ("KNOWN VERB POSITION",),
    "+ disallow": ("DISALLOW ARGUMENTS",),
}
RULES = load_rules("srl")
Labels = Sequence[str]


def decode(
    scored: Sequence[lawful.Lattice], rules: lawful.Rules, context: Sequence[dict[str, Any]] | None = None
) -> list[tuple[str, ...]]:
    """The best labels of each proposition; the least bad ones where the rules leave none."""
    if context is not None:
        scored = [
            lawful.Lattice(
                one.emissions,
                one.transitions,
                start=one.start,
                end=one.end,
                labels=one.labels,
                context=its,
            )
            for one, its in zip(scored, context, strict=True)
        ]
    decoder = lawful.Decoder(rules, labels=scored[0].labels, on_infeasible="least_bad")
    return [tuple(found.labels) for found in decoder.decode_batch(scored, jobs=1)]


def on_words(test: Sequence[Example], answers: Sequence[Labels]) -> list[list[str]]:
    """The answers as labels of words, by which exact spans are scored."""
    return [
        word_labels(one.length, one.units.unlabel(labels)) for one, labels in zip(test, answers, strict=True)
    ]


def score(test: Sequence[Example], answers: Sequence[Labels]) -> dict[str, Any]:
    """Counts (correct, predicted, gold) of each role; `joined`: with continuations, as the shared task scores."""
    gold = [word_labels(one.length, one.roles) for one in test]
    found = lawful.evaluate(gold, on_words(test, answers), scheme="IOB2")
    joined = score_roles(
        [one.roles for one in test],
        [one.units.unlabel(labels) for one, labels in zip(test, answers, strict=True)],
        roles=CORE_ROLES,
    )
    return {
        "all": [found.micro.correct, found.micro.predicted, found.micro.gold],
        "roles": {name: [s.correct, s.predicted, s.gold] for name, s in found.spans.items()},
        "joined": [joined.overall.correct, joined.overall.predicted, joined.overall.gold],
        "perfect": joined.perfect,
    }


def run_table(settings: dict[str, Any]) -> dict[str, Any]:
    """Fit, decode under more and more rules, score; and count what the answers without rules, and gold, break."""
    test = examples(settings["test"], settings["chunks"])
    scored = lattices(settings)
    _, seconds = fit(settings)
    steps: dict[str, Any] = {}
    used: tuple[str, ...] = ()
    gold_words = [word_labels(one.length, one.roles) for one in test]
    before: list[list[str]] | None = None
    plain: list[tuple[str, ...]] = []
    for step, names in STEPS.items():
        used += names
        answers = decode(scored, lawful.Rules(RULES[name] for name in used))
        plain = plain or answers
        steps[step] = score(test, answers)
        words = on_words(test, answers)
        if before is not None and settings["test"] != "held":
            tested = compare_outputs(gold_words, before, words, scheme="IOB2", rounds=2000)
            steps[step]["p"] = tested.p_randomization
            steps[step]["interval"] = [round(100 * edge, 2) for edge in tested.interval]
        before = words
    seen = contexts(settings["test"], settings["chunks"], "training", settings["train"])
    steps["+ disallow (training)"] = score(test, decode(scored, RULES, seen))
    ceiling = score(test, [one.labels for one in test])
    return {
        "propositions": len(test),
        "units": sum(len(one.units) for one in test) / len(test),
        "fit_seconds": round(seconds, 1),
        "ceiling": ceiling["all"],
        "steps": steps,
        "broken": broken(plain, [one.context for one in test]),
        "gold broken": broken([one.labels for one in test], [one.context for one in test]),
        "gold broken (training)": broken([one.labels for one in test], seen),
    }


PRUNINGS = {
    "Xue & Palmer": {"open_clauses": False, "trim": False},
    "clauses beside the verb opened": {"open_clauses": True, "trim": False},
    "punctuation at the ends left out": {"open_clauses": False, "trim": True},
    "both": {"open_clauses": True, "trim": True},
}


def run_pruning(settings: dict[str, Any]) -> dict[str, Any]:
    """All rules with the candidates of Xue & Palmer, and of other prunings."""
    test = examples(settings["test"], settings["chunks"])
    scored, result = lattices(settings), {}
    gold_words = [word_labels(one.length, one.roles) for one in test]
    papers: list[list[str]] | None = None
    for name, options in PRUNINGS.items():
        context = pruned_contexts(settings["test"], settings["chunks"], **options)
        answers = decode(scored, RULES, context)
        result[name] = {
            **score(test, answers),
            "gold broken": broken([one.labels for one in test], context)["rules"]["ARGUMENT CANDIDATES"],
        }
        words = on_words(test, answers)
        papers = papers or words
        tested = compare_outputs(gold_words, papers, words, scheme="IOB2", rounds=2000)
        result[name]["interval"] = [round(100 * edge, 2) for edge in tested.interval]
    return result


def broken(answers: Sequence[Labels], context: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How many answers break each rule, and how many break so many rules."""
    of_rule: Counter[str] = Counter(dict.fromkeys(RULES.names, 0))
    at_once: Counter[int] = Counter()
    for labels, its in zip(answers, context, strict=True):
        names = [name for name, count in RULES.violations(labels, None, its).items() if count]
        of_rule.update(names)
        at_once[len(names)] += 1
    return {"rules": dict(of_rule), "at once": {str(count): at_once[count] for count in sorted(at_once)}}
