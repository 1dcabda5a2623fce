"""The systems of the seminars experiment: a run is a pure function of its settings."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

import lawful
from lawful.corpus import Sentence
from lawful.lattice import AnyLattice
from lawful.learning import HeldOutRules, choose_together, estimate_prices
from lawful.learning.gold import Labelled, labelled_sequences
from lawful.learning.prices.cross_fitting import CrossFitted, parts_of
from lawful.learning.prices.drawn_labellings import DrawnLabellings, bounds_of
from lawful.learning.prices.likelihood import with_prices
from lawful.models import features as f
from lawful.models.base.estimator import SequenceModel
from lawful.rules.ruleset import Rules
from lawful.tasks import load, load_rules
from lawful.tasks.seminars.rules import seminar_context

__all__ = ["FIELDS", "LABELS", "MEASURES", "METHODS", "SPLITS", "do_run"]

Settings = dict[str, Any]
FIELDS = ("stime", "etime", "location", "speaker")
LABELS = ("O", *(f"{tag}-{field}" for field in FIELDS for tag in "BI"))
FOLDS = 5
SPLITS = range(5)
METHODS = ("none", "tags", "every token", "occasions", "cross-fitted", "cross-fitted, higher")
"""No rules; that tags are legal; and all rules, at prices by four methods."""
MEASURES = ("fields", "mentions")

_shape = f.shape(short=True)
FEATURES = f.Features(
    f.bias(),
    f.window(f.folded(), -3, 3),
    f.window(_shape, -2, 2),
    f.prefix(1, 3),
    f.suffix(1, 3),
    f.window(f.column("space"), 0, 1),
    f.join(f.at(-1, f.folded()), f.folded()),
    f.join(f.at(-2, f.folded()), f.at(-1, f.folded())),
)


@cache
def read(split: str) -> list[Sentence]:
    """The announcements of a split, from the folder that LAWFUL_DATA names."""
    return load("seminar_announcements", split)


@cache
def looked_at() -> frozenset[str]:
    """The announcements that the rules were found in: the labelled ones of all five splits."""
    return frozenset(
        str(sentence.context["announcement"]) for number in SPLITS for sentence in read(f"labelled.{number}")
    )


def training(settings: Settings) -> list[Sentence]:
    """25 labelled announcements of a split, or those and the 313 whose labels the split leaves out."""
    number = settings["split"]
    few = read(f"labelled.{number}")
    return few if settings["size"] == 25 else [*few, *read(f"unlabelled.{number}")]


def unfitted(settings: Settings) -> SequenceModel:
    """An HMM over words, or a CRF over words, spelling and neighbours."""
    if settings["model"] == "HMM":
        return lawful.HMM(labels=LABELS)
    return lawful.CRF(FEATURES, c2=0.3, labels=LABELS, max_iterations=60, min_count=0, jobs=1)


def gold_of(sentences: Sequence[Sentence]) -> list[Labelled]:
    """As prices are estimated from them: rows, labels, and the groups of repeated times and names."""
    return labelled_sequences(
        (sentence.rows(), sentence.labels or (), seminar_context(sentence.tokens)) for sentence in sentences
    )


def rules_by_method(
    gold: Sequence[Labelled], drawn: DrawnLabellings, which: np.ndarray[Any, np.dtype[np.bool_]]
) -> dict[str, Rules]:
    """The rules of every method, at the prices that some of the announcements give."""
    rules = load_rules("seminars")
    asked = [sequence for sequence, wanted in zip(gold, which, strict=True) if wanted]
    every_token = estimate_prices(rules, asked, occasions="tokens", labels=LABELS)
    occasions = estimate_prices(rules, asked, labels=LABELS)
    return {
        "none": Rules(),
        "tags": Rules(rules["Tags"]),
        "every token": every_token,
        "occasions": occasions,
        "cross-fitted": with_prices(occasions, drawn.fit(which=which, only=bounds_of(occasions))),
        "cross-fitted, higher": with_prices(every_token, drawn.fit(which=which, only=bounds_of(every_token))),
    }


def tag(rules: Rules, lattices: Sequence[AnyLattice]) -> list[list[str]]:
    """The best labels."""
    decoder = lawful.Decoder(rules, labels=LABELS, on_infeasible="least_bad")
    return [list(decoding.labels) for decoding in decoder.decode_batch(lattices, jobs=1)]


def counts(sentences: Sequence[Sentence], answers: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Correct, predicted and gold, for each field: as mentions, and as different values of an announcement."""
    scores = lawful.evaluate(sentences, answers, scheme="IOB2")
    parts: dict[str, Mapping[str, Any]] = {"mentions": scores.spans, "fields": scores.fields or {}}
    return {
        what: {name: [count.correct, count.predicted, count.gold] for name, count in part.items()}
        for what, part in parts.items()
    }


def do_run(settings: Settings) -> dict[str, Any]:
    """A run of any kind, by its settings."""
    if "choose" in settings:
        return choose(settings)
    return tag_test(settings) if "rules" in settings else compare_methods(settings)


@cache
def held_out(model: str, size: int, split: int) -> HeldOutRules:
    """What the rules do in held-out folds of a training part: `choose_rules` before it chooses."""
    settings = {"model": model, "size": size, "split": split}
    sentences = training(settings)

    def counter(what: str) -> Any:
        def count(sequence: Labelled, labels: Sequence[str]) -> tuple[int, int, int]:
            of_fields = counts([sentences[sequence.number]], [labels])[what]
            rows = [row for name, row in of_fields.items() if name in FIELDS]
            right, found, wanted = np.sum(rows, axis=0).tolist() if rows else (0, 0, 0)
            return right, found, wanted

        return count

    return HeldOutRules(
        load_rules("seminars"),
        gold_of(sentences),
        tagger=unfitted(settings),
        folds=FOLDS,
        counts=[counter(what) for what in MEASURES],
        jobs=1,
    )


def choose(settings: Settings) -> dict[str, Any]:
    """Which rules pay in held-out folds of the training parts of all splits; and which ones each split would take by its own."""
    sets = [held_out(settings["model"], settings["size"], split) for split in SPLITS]
    dropped, tried = choose_together(sets)

    def gain(kept: tuple[str, ...], of: Sequence[HeldOutRules]) -> list[float]:
        rows = [
            2 * right / np.maximum(1.0, found + wanted) * sign
            for one in of
            for names, sign in ((kept, 1), ((), -1))
            for right, found, wanted in [one.answers(names).sum(axis=0).T]
        ]
        return [round(100 * float(value) / len(of), 2) for value in np.sum(rows, axis=0)]

    alone = []
    for one in sets:
        kept = choose_together([one])[1][-1].names
        others = [other for other in sets if other is not one]
        alone.append({"kept": kept, "own folds": gain(kept, [one]), "folds of others": gain(kept, others)})
    return {
        "dropped": dropped,
        "tried": [{"rules": each.names, "f1": [100 * value for value in each.f1]} for each in tried],
        "alone": alone,
    }


def tag_test(settings: Settings) -> dict[str, Any]:
    """The test part of a split under some of the rules, at cross-fitted prices."""
    rules = held_out(settings["model"], settings["size"], settings["split"]).priced(settings["rules"])
    gold, test = gold_of(training(settings)), read(f"test.{settings['split']}")
    model = unfitted(settings).fit(
        [sequence.tokens for sequence in gold], [sequence.labels for sequence in gold]
    )
    asked = gold_of(test)
    answers = tag(
        rules,
        [
            lattice.with_context(sequence.context)
            for lattice, sequence in zip(
                model.lattices([sequence.tokens for sequence in asked]), asked, strict=True
            )
        ],
    )
    fresh = [
        number for number, sentence in enumerate(test) if sentence.context["announcement"] not in looked_at()
    ]
    return {
        "test": counts(test, answers),
        "test, not looked at": counts(
            [test[number] for number in fresh], [answers[number] for number in fresh]
        ),
        "prices": {rule.name: round(float(rule.price), 3) for rule in rules if rule.price != "hard"},
    }


def compare_methods(settings: Settings) -> dict[str, Any]:
    """The older methods on the test part of a split, and on held-out folds of its training part."""
    started = time.perf_counter()
    sentences, test = training(settings), read(f"test.{settings['split']}")
    gold = gold_of(sentences)
    scored = CrossFitted(unfitted(settings), gold, folds=FOLDS).lattices(
        [sequence.tokens for sequence in gold]
    )
    lattices = [
        lattice.with_context(sequence.context) for lattice, sequence in zip(scored, gold, strict=True)
    ]
    drawn = DrawnLabellings(estimate_prices(load_rules("seminars"), gold, labels=LABELS))
    drawn.add(lattices, gold)

    answered: dict[str, list[list[str]]] = {method: [[] for _ in gold] for method in METHODS}
    for part, _ in parts_of(len(gold), FOLDS, seed=0):
        others = np.ones(len(gold), dtype=np.bool_)
        others[part] = False
        for method, rules in rules_by_method(gold, drawn, others).items():
            answers = tag(rules, [lattices[index] for index in part])
            for index, labels in zip(part, answers, strict=True):
                answered[method][index] = labels
    prices = rules_by_method(gold, drawn, np.ones(len(gold), dtype=np.bool_))

    model = unfitted(settings).fit(
        [sequence.tokens for sequence in gold], [sequence.labels for sequence in gold]
    )
    fitted = time.perf_counter()
    asked = gold_of(test)
    to_tag = [
        lattice.with_context(sequence.context)
        for lattice, sequence in zip(
            model.lattices([sequence.tokens for sequence in asked]), asked, strict=True
        )
    ]
    scores = time.perf_counter()
    answers_of = {}
    for method in METHODS:
        before = time.perf_counter()
        answers_of[method] = tag(prices[method], to_tag)
        if method == "cross-fitted":
            seconds = scores - fitted + time.perf_counter() - before
    fresh = [
        number for number, sentence in enumerate(test) if sentence.context["announcement"] not in looked_at()
    ]
    return {
        "held out": {method: counts(sentences, answered[method]) for method in METHODS},
        "test": {method: counts(test, answers_of[method]) for method in METHODS},
        "test, not looked at": {
            method: counts(
                [test[number] for number in fresh], [answers_of[method][number] for number in fresh]
            )
            for method in METHODS
        },
        "not looked at": len(fresh),
        "prices": {
            method: {
                rule.name: round(float(rule.price), 3) for rule in prices[method] if rule.price != "hard"
            }
            for method in METHODS[2:]
        },
        "fit_seconds": round(fitted - started, 2),
        "tag_seconds": round(seconds, 2),
        "tokens": sum(map(len, test)),
        "longest": max(map(len, test)),
    }
