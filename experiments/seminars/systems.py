"""The systems of the seminars experiment: a run is a pure function of its settings."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from typing import Any

import lawful
from lawful.corpus import Sentence
from lawful.learning import estimate_prices
from lawful.models import features as f
from lawful.models.base.estimator import SequenceModel
from lawful.rules.ruleset import Rules
from lawful.tasks import load, load_rules
from lawful.tasks.seminars.rules import seminar_context

__all__ = ["LABELS", "fit_and_score"]

Settings = dict[str, Any]
FIELDS = ("stime", "etime", "location", "speaker")
LABELS = ("O", *(f"{tag}-{field}" for field in FIELDS for tag in "BI"))

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


def training(settings: Settings) -> list[Sentence]:
    """25 labelled announcements of a split, or those and the 313 whose labels the split leaves out."""
    number = settings["split"]
    few = read(f"labelled.{number}")
    return few if settings["size"] == 25 else [*few, *read(f"unlabelled.{number}")]


def fit(settings: Settings, sentences: Sequence[Sentence]) -> SequenceModel:
    """An HMM over words, or a CRF over words, spelling and neighbours."""
    X, y = (
        [sentence.rows() for sentence in sentences],
        [list(sentence.labels or ()) for sentence in sentences],
    )
    if settings["model"] == "HMM":
        return lawful.HMM(labels=LABELS).fit(X, y)
    return lawful.CRF(FEATURES, c2=0.3, labels=LABELS, max_iterations=60, min_count=0, jobs=1).fit(X, y)


def rules_for(settings: Settings, sentences: Sequence[Sentence]) -> Rules:
    """No rules; only that tags are legal; or all, at the prices that the training data gives."""
    rules = load_rules("seminars")
    if settings["rules"] == "none":
        return Rules()
    if settings["rules"] == "tags":
        return Rules(rules["Tags"])
    gold = (
        (sentence.rows(), sentence.labels or (), seminar_context(sentence.tokens)) for sentence in sentences
    )
    return estimate_prices(rules, gold)


def fit_and_score(settings: Settings) -> dict[str, Any]:
    """Fit a model to the training data of a split and tag its test data; gives counts for every field."""
    started = time.perf_counter()
    sentences, test = training(settings), read(f"test.{settings['split']}")
    model = fit(settings, sentences)
    decoder = lawful.Decoder(rules_for(settings, sentences), labels=LABELS, on_infeasible="least_bad")
    fitted = time.perf_counter()
    lattices = [
        _with_context(lattice, seminar_context(sentence.tokens))
        for sentence, lattice in zip(
            test, model.lattices([sentence.rows() for sentence in test]), strict=True
        )
    ]
    labels = [list(decoding.labels) for decoding in decoder.decode_batch(lattices, jobs=1)]
    scores = lawful.evaluate(test, labels, scheme="IOB2")
    return {
        "accuracy": round(100 * scores.token_accuracy, 4),
        "mentions": {
            name: [counts.correct, counts.predicted, counts.gold] for name, counts in scores.spans.items()
        },
        "fields": {
            name: [counts.correct, counts.predicted, counts.gold]
            for name, counts in (scores.fields or {}).items()
        },
        "fit_seconds": round(fitted - started, 2),
        "tag_seconds": round(time.perf_counter() - fitted, 2),
        "tokens": sum(map(len, test)),
        "longest": max(map(len, test)),
    }


def _with_context(lattice: Any, context: Any) -> lawful.Lattice:
    return lawful.Lattice(
        lattice.emissions,
        lattice.transitions,
        labels=lattice.labels,
        start=lattice.start,
        end=lattice.end,
        tokens=lattice.tokens,
        context=context,
    )
