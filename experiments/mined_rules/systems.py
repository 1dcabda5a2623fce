"""One run: train a model, mine rules in the same data, and score the model with and without them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

import lawful
from lawful.cli.work.training.recipe import Recipe
from lawful.corpus import Sentence
from lawful.models.features import default_features
from lawful.tasks import generate_ads, load

__all__ = ["train_and_mine", "train_on_few"]


def read(name: str) -> tuple[list[Sentence], list[Sentence]]:
    """The training and the test data of a corpus."""
    kind, _, which = name.partition(" ")
    if kind == "usaddress":
        shuffled = _shuffled(load("usaddress", "labelled"), 7)
        return shuffled[:1000], shuffled[1000:]
    if kind == "jnlpba":
        return load("jnlpba", "train")[: int(which)], load("jnlpba", "test")[:500]
    if kind == "citations":
        return load("citations", "train"), load("citations", "test")
    if kind == "conll2000":
        return load("conll2000", "train")[: int(which)], load("conll2000", "test")
    if kind == "seminars":
        labelled, unlabelled, test = (
            load("seminar_announcements", f"{split}.{which}") for split in ("labelled", "unlabelled", "test")
        )
        return [*labelled, *unlabelled][:150], test
    return generate_ads(int(which), seed=1), generate_ads(500, seed=5)


def inputs(sentences: Sequence[Sentence]) -> list[Sequence[Any]]:
    """What models see, as on the command line."""
    return [sentence.rows() if sentence.columns else sentence.tokens for sentence in sentences]


def train_and_mine(settings: dict[str, Any]) -> dict[str, Any]:
    """Train a model, mine rules alone and beside it, and score both on the test data."""
    train, test = read(settings["corpus"])
    crf = settings["model"] == "CRF"
    model: Any = lawful.CRF(default_features(inputs(train)), jobs=1) if crf else lawful.HMM()
    started = time.perf_counter()
    model.fit(inputs(train), [sentence.labels or () for sentence in train])
    return {"train_seconds": round(time.perf_counter() - started, 1), **_mined(model, train, test)}


def train_on_few(settings: dict[str, Any]) -> dict[str, Any]:
    """The same with a few sequences, drawn at random, and the model that `lawful train` makes of them."""
    train, test = read(settings["corpus"])
    train, test = _shuffled(train, 1000 + settings["draw"])[: settings["sequences"]], test[:500]
    started = time.perf_counter()
    model, choice = Recipe(jobs=1).fit(train)
    seconds = round(time.perf_counter() - started, 1)
    kind = "crf" if choice is None else choice.best.kind
    return {"model": kind, "train_seconds": seconds, **_mined(model, train, test)}


def _mined(model: Any, train: list[Sentence], test: list[Sentence]) -> dict[str, Any]:
    started = time.perf_counter()
    alone = lawful.mine(train)
    mined = time.perf_counter()
    beside = lawful.mine(train, model=model, jobs=1)
    result: dict[str, Any] = {
        "sequences": len(test),
        "rules": [0, len(alone.found), len(beside.found)],
        "mine_seconds": [round(mined - started, 1), round(time.perf_counter() - mined, 1)],
        "promised": beside.effect.to_dict() if beside.effect else None,
    }
    for name, rules in (("none", None), ("log odds", alone.rules), ("beside", beside.rules)):
        scores = lawful.evaluate(test, model.predict(inputs(test), rules, on_infeasible="least_bad", jobs=1))
        result[name] = {
            "f1": round(100 * scores.micro.f1, 3),
            "tokens": round(100 * scores.token_accuracy, 3),
            "whole": round(100 * scores.sequence_accuracy, 3),
        }
    return result


def _shuffled(sentences: list[Sentence], seed: int) -> list[Sentence]:
    return [sentences[index] for index in np.random.default_rng(seed).permutation(len(sentences))]
