"""Section 4.7.1: what a step of a search costs by codes and reuse, and by training a multi-label CRF anew."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import lawful
from experiments.encodings.data import CORPORA, move_attributes, part, thinned, with_attributes
from experiments.encodings.named import encoding_of
from experiments.encodings.searches import HeldOutScore
from lawful.encodings import Coded, Encoding, search_encodings
from lawful.encodings.search.coded_tagger import CodedTagger
from lawful.encodings.search.counted_tagger import seen_tags
from lawful.encodings.search.encodable import EncodableCorpus, Labelled

__all__ = ["run_step"]


def run_step(settings: dict[str, Any]) -> dict[str, Any]:
    """The steps of a search by codes: CPU seconds of training both ways on the same data, until L-BFGS has converged.

    Every encoding comes after the one that it was made of, so that by codes only those bits are trained that the move has changed.
    Attributes are extracted once for both, and not counted. If the settings want it, the CRF is trained a third time, with a weight for
    every attribute and tag, as programs do that keep weights in dense tables.
    """
    task = settings["task"]
    train = Labelled(*thinned(part(task, "fit"), settings["every"]))
    few = Labelled(train.tokens[:5], train.labels[:5])
    features = CORPORA[task].features()
    coded = CodedTagger(Coded(lawful.CRF(features, jobs=1)), train, few)
    ways = {"anew": lawful.CRF(features, groups="prefix", jobs=1)}
    if settings["dense"]:
        ways["dense"] = lawful.CRF(features, groups="prefix", jobs=1, all_states=True)
    corpus, attributes = EncodableCorpus(train.tokens, train.labels), ways["anew"].read(train.tokens)
    first, *others = _searched(settings)
    coded.predict(first)
    steps = []
    for encoding in others:
        trained, seconds = coded.trained, coded.training_seconds
        coded.predict(encoding)
        tags, gold = seen_tags(corpus, encoding)
        step = {
            "tags": len(tags),
            "bits": coded.trained - trained,
            "codes": coded.training_seconds - seconds,
        }
        for way, model in ways.items():
            began = time.process_time()
            model.fit_corpus(attributes, gold.astype(np.int32), tags)
            step[way] = time.process_time() - began
        steps.append(step)
    return {"steps": steps}


def _searched(settings: dict[str, Any]) -> list[Encoding]:
    """The encodings that a search tries, one after the other; ranked by quick codes, for only their order is wanted."""
    task, every = settings["task"], settings["every"]
    begin = encoding_of(task, settings["start"])
    assert begin is not None
    found = search_encodings(
        *thinned(part(task, "fit"), every),
        held_out=thinned(part(task, "held"), every),
        model=Coded(lawful.CRF(CORPORA[task].features(), jobs=1, **settings["ranking"])),
        start=begin,
        metric=HeldOutScore(task),
        attributes=move_attributes(task),
        moves=settings["moves"],
        by_frequency=settings["by frequency"],
        beam=settings["beam"],
        patience=settings["steps"],
        max_trials=settings["steps"] + 1,
        seed=settings["seed"],
    )
    return [with_attributes(task, candidate.load()) for candidate in found.history]
