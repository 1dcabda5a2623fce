"""Section 4.7.1: what a step of a search costs by codes and reuse, and by training a multi-label CRF anew."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import lawful
from experiments.encodings.data import CORPORA, part, start, thinned
from experiments.encodings.named import encoding_of
from lawful.encodings import Coded
from lawful.encodings.search.coded_tagger import CodedTagger
from lawful.encodings.search.counted_tagger import seen_tags
from lawful.encodings.search.encodable import EncodableCorpus, Labelled

__all__ = ["run_step"]


def run_step(settings: dict[str, Any]) -> dict[str, Any]:
    """One encoding of a search after the other: CPU seconds of training both ways on the same data, until L-BFGS has converged.

    By codes only the bits are trained that no encoding before had. Attributes are extracted once for both, and not counted.
    """
    task = settings["task"]
    train = Labelled(*thinned(part(task, "fit"), settings["every"]))
    few = Labelled(train.tokens[:5], train.labels[:5])
    features = CORPORA[task].features()
    coded = CodedTagger(Coded(lawful.CRF(features, jobs=1)), train, few)
    anew = lawful.CRF(features, groups="prefix", jobs=1)
    corpus, attributes = EncodableCorpus(train.tokens, train.labels), anew.read(train.tokens)
    coded.predict(start(task))
    steps = []
    for said in settings["encodings"]:
        encoding = encoding_of(task, said)
        assert encoding is not None
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
