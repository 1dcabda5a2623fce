"""Section 4.7.1: what a step of a search costs by codes and reuse, and by training a multi-label CRF anew."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import lawful
from experiments.encodings.data import CORPORA, part, start, thinned
from lawful.encodings import Coded, domain_of, move_from_dict
from lawful.encodings.search.coded_tagger import CodedTagger
from lawful.encodings.search.counted_tagger import seen_tags
from lawful.encodings.search.encodable import EncodableCorpus, Labelled

__all__ = ["run_step"]


def run_step(settings: dict[str, Any]) -> dict[str, Any]:
    """Walk the moves that led to an encoding; at each step, CPU seconds of training both ways on the same data.

    Both are L-BFGS with as many iterations. Attributes are extracted once for both, and not counted.
    """
    task = settings["task"]
    train = Labelled(*thinned(part(task, "fit"), settings["every"]))
    few = Labelled(train.tokens[:5], train.labels[:5])
    options = {"jobs": 1, "max_iterations": settings["iterations"]}
    features = CORPORA[task].features()
    coded = CodedTagger(Coded(lawful.CRF(features, **options)), train, few)
    anew = lawful.CRF(features, groups="prefix", **options)
    corpus, attributes = EncodableCorpus(train.tokens, train.labels), anew.read(train.tokens)
    encoding = start(task)
    valid = domain_of(encoding)
    coded.predict(encoding)
    steps = []
    for move in settings["moves"][: settings["steps"]]:
        encoding = move_from_dict(move).apply(encoding, valid)
        trained, seconds = coded.trained, coded.training_seconds
        coded.predict(encoding)
        tags, gold = seen_tags(corpus, encoding)
        began = time.process_time()
        anew.fit_corpus(attributes, gold.astype(np.int32), tags)
        steps.append(
            {
                "tags": len(tags),
                "bits": coded.trained - trained,
                "codes": coded.training_seconds - seconds,
                "anew": time.process_time() - began,
            }
        )
    return {"steps": steps}
