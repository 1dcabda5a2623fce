"""Systems that are scored: a way of training, in an encoding, on all training data or on what choices are made with."""

from __future__ import annotations

import json
import time
from functools import lru_cache
from typing import Any

import numpy as np

import lawful
from experiments.encodings.data import CORPORA, hmm_part, part, start, thinned
from experiments.encodings.hand_crafted import hand_crafted, plain_labels
from experiments.encodings.named import encoding_of
from experiments.encodings.searches import hmm, ranking_model
from lawful.encodings import Coded
from lawful.encodings.search.coded_tagger import CodedTagger
from lawful.encodings.search.counted_tagger import CountedTagger
from lawful.encodings.search.encodable import Labelled
from lawful.encodings.search.joint_tagger import JointTagger
from lawful.encodings.search.trial import Trial
from lawful.evaluation import compare_outputs

__all__ = ["run_finalists", "run_rankings", "run_scores", "run_smoothing"]

Answers = list[list[str]]
CONJUNCTION = "CC"


def run_finalists(settings: dict[str, Any]) -> dict[str, Any]:
    """The held-out score of each of several encodings, fully trained on the rest, and which is best."""
    task = settings["task"]
    gold = part(task, "held").labels
    scores = [
        CORPORA[task].score(gold, _answers(task, settings["training"], "fit", "held", said))
        for said in settings["encodings"]
    ]
    return {"held": scores, "best": int(np.argmax(scores))}


def run_smoothing(settings: dict[str, Any]) -> dict[str, Any]:
    """The held-out score of an HMM in the canonical encoding, for each of several numbers that are added to all counts."""
    tagger = CountedTagger(
        hmm({"features": settings["features"], "smoothing": 1.0, "backoff": False}),
        *(Labelled(*hmm_part(which)) for which in ("fit", "held")),
    )
    scores = {}
    for value in settings["values"]:
        tagger.smooth(value)
        answers = tagger.predict(start("np"))
        scores[str(value)] = CORPORA["np"].score(part("np", "held").labels, answers)
    return {"held": scores}


def run_rankings(settings: dict[str, Any]) -> dict[str, Any]:
    """The held-out score of several encodings by each of several ways to rank them, and fully trained: do they agree?"""
    task = settings["task"]
    gold = part(task, "held").labels
    fit, held = Labelled(*thinned(part(task, "fit"), settings["every"])), Labelled(*part(task, "held"))
    found: dict[str, list[float]] = {}
    for name, ranking in settings["rankings"].items():
        trial = Trial(ranking_model({"task": task, **ranking}), fit, held)
        for said in settings["encodings"]:
            encoding = encoding_of(task, said)
            assert encoding is not None
            found.setdefault(name, []).append(CORPORA[task].score(gold, trial.tagger.predict(encoding)))
    full = [
        CORPORA[task].score(gold, _answers(task, settings["training"], "fit", "held", said))
        for said in settings["encodings"]
    ]
    return {"rankings": found, "full": full}


def run_scores(settings: dict[str, Any]) -> dict[str, Any]:
    """Train every way that is asked for in every encoding, and compare each with the canonical encoding.

    The held-out data is labelled after training on the rest, the test data after training on all training data. Where there are
    several penalties, each encoding gets the one that is best on the held-out data.
    """
    result: dict[str, Any] = {}
    chosen = {name: _penalties(settings["training"]) for name in settings["encodings"]}
    for train, asked in (("fit", "held"), ("train", "test")):
        if settings["only held"] and asked == "test":
            continue
        first: Answers | None = None
        for name, said in settings["encodings"].items():
            tried = [_scored(settings["task"], training, train, asked, said) for training in chosen[name]]
            best = max(range(len(tried)), key=lambda number: tried[number][1]["score"])
            answers, found = tried[best]
            if len(tried) > 1:
                found["c2"] = chosen[name][best]["options"]["c2"]
                chosen[name] = [chosen[name][best]]
            if first is None:
                first = answers
            elif asked == "test":
                found |= _beside(settings["task"], first, answers)
            result.setdefault(name, {})[asked] = found
    return result


def _penalties(training: dict[str, Any]) -> list[dict[str, Any]]:
    """The ways of training that are chosen among."""
    if "penalties" not in training:
        return [training]
    return [
        {**training, "options": {**training["options"], "c2": penalty}} for penalty in training["penalties"]
    ]


def _scored(
    task: str, training: dict[str, Any], train: str, asked: str, said: Any
) -> tuple[Answers, dict[str, Any]]:
    began = time.process_time()
    answers = _answers(task, training, train, asked, said)
    gold = part(task, asked).labels
    found: dict[str, Any] = {
        "score": CORPORA[task].score(gold, answers),
        "cpu seconds": round(time.process_time() - began, 1),
    }
    if CORPORA[task].measure == "f1":
        micro = lawful.evaluate(gold, answers, scheme=CORPORA[task].scheme).micro
        found |= {"precision": 100 * micro.precision, "recall": 100 * micro.recall}
    if task == "np":
        found["conjunctions"] = _conjunctions(asked, answers)
    return answers, found


def _beside(task: str, first: Answers, answers: Answers) -> dict[str, Any]:
    """Whether test answers differ from those in the canonical encoding by more than chance."""
    tested = compare_outputs(
        part(task, "test").labels,
        first,
        answers,
        metric=CORPORA[task].metric,
        scheme=CORPORA[task].scheme,
        rounds=2000,
    )
    return {"p": tested.p_randomization, "interval": [100 * edge for edge in tested.interval]}


def _answers(task: str, training: dict[str, Any], train: str, asked: str, said: Any) -> Answers:
    encoding = encoding_of(task, said)
    if training["way"] == "hmm" and encoding is not None:
        return _counted(train, asked, json.dumps(training)).predict(encoding)
    data = [Labelled(*part(task, which)) for which in (train, asked)]
    features, options = CORPORA[task].features(), {"jobs": 1, **training["options"]}
    if training["way"] == "codes" and encoding is not None:
        return CodedTagger(Coded(lawful.CRF(features, **options)), *data).predict(encoding)
    if encoding is not None:
        return _joint(task, train, asked, json.dumps(options)).predict(encoding)
    tags = [hand_crafted(*pair) for pair in zip(*part(task, train), strict=True)]
    model = lawful.CRF(features, groups="prefix" if "subset" in said else None, **options)
    found = model.fit(data[0].tokens, tags).predict(data[1].tokens, jobs=1)
    return [plain_labels(of_sentence) for of_sentence in found]


@lru_cache(1)
def _joint(task: str, train: str, asked: str, options: str) -> JointTagger:
    """One CRF over all tags, its features shared by subdivisions of a tag."""
    model = lawful.CRF(CORPORA[task].features(), groups="prefix", **json.loads(options))
    return JointTagger(model, *(Labelled(*part(task, which)) for which in (train, asked)))


@lru_cache(1)
def _counted(train: str, asked: str, training: str) -> CountedTagger:
    return CountedTagger(hmm(json.loads(training)), *(Labelled(*hmm_part(which)) for which in (train, asked)))


def _conjunctions(asked: str, answers: Answers) -> float:
    """Of the conjunctions, the share in per cent of which it is known whether they are inside a chunk."""
    data = part("np", asked)
    right = [
        (gold == "O") == (label == "O")
        for rows, labels, found in zip(*data, answers, strict=True)
        for row, gold, label in zip(rows, labels, found, strict=True)
        if row["pos"] == CONJUNCTION
    ]
    return 100 * sum(right) / max(1, len(right))
