"""One run: train a model, mine rules in the same data, and score the model with and without them."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import lawful
from lawful.cli.work.training.recipe import Recipe, inputs_of
from lawful.corpus import Sentence
from lawful.tasks import generate_ads, load

__all__ = ["train_and_mine"]


def read(corpus: str) -> tuple[list[Sentence], list[Sentence]]:
    """The training and the test data of a corpus."""
    if corpus == "citations":
        return load("citations", "train"), load("citations", "test")
    if corpus == "addresses":
        shuffled = _shuffled(load("usaddress", "labelled"), 7)
        return shuffled[:1000], shuffled[1000:]
    if corpus == "ads":
        return generate_ads(300, seed=1), generate_ads(500, seed=5)
    if corpus == "seminars":
        labelled, unlabelled, test = (
            load("seminar_announcements", f"{split}.1") for split in ("labelled", "unlabelled", "test")
        )
        return [*labelled, *unlabelled][:150], test
    task = {"chunks": "conll2000", "bio-entities": "jnlpba"}[corpus]
    return load(task, "train")[:800], load(task, "test")[:500]


def train_and_mine(settings: dict[str, Any]) -> dict[str, Any]:
    """Train a model, mine rules alone and beside it, and score both on the test data.

    `sequences` are drawn from the training data, by `draw`; without a number all are taken.
    """
    train, test = read(settings["corpus"])
    if settings["sequences"]:
        train = _shuffled(train, 1000 + settings["draw"])[: settings["sequences"]]
    started = time.process_time()
    model, choice = Recipe(settings["model"], jobs=1).fit(train)
    trained = time.process_time()
    alone = lawful.mine(train)
    mined = time.process_time()
    beside = lawful.mine(train, model=model, jobs=1)
    result: dict[str, Any] = {
        "trained_on": len(train),
        "sequences": len(test),
        "model": settings["model"] if choice is None else choice.best.kind,
        "rules": [0, len(alone.found), len(beside.found)],
        "train_seconds": round(trained - started, 1),
        "mine_seconds": [round(mined - trained, 1), round(time.process_time() - mined, 1)],
        "promised": beside.effect.to_dict() if beside.effect else None,
    }
    for name, rules in (("none", None), ("log odds", alone.rules), ("beside", beside.rules)):
        predicted = model.predict(inputs_of(test), rules, on_infeasible="least_bad", jobs=1)
        scores = lawful.evaluate(test, predicted)
        result[name] = {
            "f1": round(100 * scores.micro.f1, 3),
            "tokens": round(100 * scores.token_accuracy, 3),
            "whole": round(100 * scores.sequence_accuracy, 3),
        }
    return result


def _shuffled(sentences: list[Sentence], seed: int) -> list[Sentence]:
    return [sentences[index] for index in np.random.default_rng(seed).permutation(len(sentences))]
