"""Systems that are scored: a way of training, in an encoding, on all training data or on what choices are made with."""

from __future__ import annotations

import json
import time
from functools import lru_cache
from typing import Any

import numpy as np

import lawful
from experiments.encodings.data import CORPORA, hmm_part, part, second_order, start, with_attributes
from experiments.encodings.hand_crafted import hand_crafted, plain_labels
from experiments.encodings.searches import hmm
from lawful import _core
from lawful.encodings import Coded, Encoding, history_encoding, scheme_encoding
from lawful.encodings.search.coded_tagger import CodedTagger
from lawful.encodings.search.counted_tagger import CountedTagger, seen_tags
from lawful.encodings.search.encodable import EncodableCorpus, Labelled
from lawful.encodings.search.flat_decoding import TagScores, best_labels
from lawful.evaluation import compare_outputs
from lawful.models.linear.attributes import core_sequences

__all__ = ["encoding_of", "run_finalists", "run_scores"]

Answers = list[list[str]]
CONJUNCTION = "CC"


def encoding_of(task: str, said: Any) -> Encoding | None:
    """An encoding from its name or its data; None for the hand-crafted one, which is no transducer of labels alone."""
    if said == "canonical":
        return start(task)
    if said == "order 2, subset features":
        return second_order(task)
    if isinstance(said, str) and said.startswith("order "):
        return history_encoding(start(task).labels, int(said.partition(" ")[2]))
    if isinstance(said, str) and said.startswith("hand-crafted"):
        return None
    if isinstance(said, str):  # a scheme
        scheme = CORPORA[task].scheme or ""
        return scheme_encoding(
            scheme, said, ["DNA", "RNA", "cell_line", "cell_type", "protein"] if task == "bio" else [""]
        )
    return with_attributes(task, Encoding.from_dict(said))


def run_finalists(settings: dict[str, Any]) -> dict[str, Any]:
    """The held-out score of each of several encodings, fully trained on the rest, and which is best."""
    task = settings["task"]
    gold = part(task, "held").labels
    scores = [
        CORPORA[task].score(gold, _answers(task, settings["training"], "fit", "held", said))
        for said in settings["encodings"]
    ]
    return {"held": scores, "best": int(np.argmax(scores))}


def run_scores(settings: dict[str, Any]) -> dict[str, Any]:
    """Train every way that is asked for in every encoding, and compare each with the canonical encoding.

    The held-out data is labelled after training on the rest, the test data after training on all training data.
    """
    task = settings["task"]
    result: dict[str, Any] = {}
    for train, asked in (("fit", "held"), ("train", "test")):
        if settings["only held"] and asked == "test":
            continue
        first: Answers | None = None
        for name, said in settings["encodings"].items():
            began = time.process_time()
            answers = _answers(task, settings["training"], train, asked, said)
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
            if first is None:
                first = answers
            elif asked == "test":
                tested = compare_outputs(
                    gold,
                    first,
                    answers,
                    metric=CORPORA[task].metric,
                    scheme=CORPORA[task].scheme,
                    rounds=2000,
                )
                found |= {"p": tested.p_randomization, "interval": [100 * edge for edge in tested.interval]}
            result.setdefault(name, {})[asked] = found
    return result


def _answers(task: str, training: dict[str, Any], train: str, asked: str, said: Any) -> Answers:
    encoding = encoding_of(task, said)
    if training["way"] == "hmm" and encoding is not None:
        return _counted(train, asked, json.dumps(training)).predict(encoding)
    data = [Labelled(*part(task, which)) for which in (train, asked)]
    options = {"jobs": 1, **training["options"]}
    if training["way"] == "codes" and encoding is not None:
        return CodedTagger(Coded(lawful.CRF(CORPORA[task].features(), **options)), *data).predict(encoding)
    if encoding is None:
        groups = "prefix" if "subset" in said else None
        tags = [hand_crafted(*pair) for pair in zip(*part(task, train), strict=True)]
        model = lawful.CRF(CORPORA[task].features(), groups=groups, **options).fit(data[0].tokens, tags)
        return [plain_labels(found) for found in model.predict(data[1].tokens, jobs=1)]
    model = lawful.CRF(CORPORA[task].features(), groups="prefix", **options)
    return _multi_label(model, encoding, *data)


@lru_cache(1)
def _counted(train: str, asked: str, training: str) -> CountedTagger:
    return CountedTagger(hmm(json.loads(training)), *(Labelled(*hmm_part(which)) for which in (train, asked)))


def _multi_label(model: lawful.CRF, encoding: Encoding, train: Labelled, asked: Labelled) -> Answers:
    """One CRF over all tags, its features shared by subdivisions of a tag."""
    corpus = EncodableCorpus(train.tokens, train.labels)
    tags, gold = seen_tags(corpus, encoding)
    attributes = model.read(train.tokens)
    weights, _ = model.fit_corpus(attributes, gold.astype(np.int32), tags)
    data = core_sequences(attributes.attribute_map.extract(asked.tokens))
    steps, start_scores, end = _core.linear_transitions(weights.layout, weights.values)
    emissions = _core.linear_emissions(weights.layout, weights.values, data, threads=1)
    scores = TagScores(tags, emissions, steps, start_scores, end)
    return best_labels(EncodableCorpus(asked.tokens, asked.labels), encoding, scores)


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
