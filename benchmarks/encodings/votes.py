"""How much time a log-linear vote takes: five models in five chunk schemes, beside one of them."""

from __future__ import annotations

from typing import Any

import lawful
from benchmarks.encodings.speed import TYPES, corpus, in_turns
from lawful.encodings import Encoded, scheme_encoding
from lawful.voting import canonical_states, merge_states

__all__ = ["SCHEMES", "vote"]

SCHEMES = ("IOB2", "IOB1", "IOE1", "IOE2", "IOBES")
BY_GRAPHS = 20  # sentences that are also voted on by merged graphs, which takes long


def vote(repeats: int) -> dict[str, Any]:
    """Scoring and decoding: by the model in canonical labels, by the five, and by the five under a rule."""
    X, y = corpus(1)
    models = [
        Encoded(lawful.CRF(c2=1.0, max_iterations=20), scheme_encoding("IOB2", scheme, TYPES)).fit(X, y)
        for scheme in SCHEMES
    ]
    one = models[0]
    five = lawful.Ensemble(models, names=SCHEMES)
    few = X[:BY_GRAPHS]
    weights = [1 / len(models)] * len(models)

    def by_graphs() -> list[tuple[str, ...]]:
        said = zip(*(model.lattices(few) for model in models), strict=True)
        graphs = [[canonical_states(lattice, one.labels) for lattice in of_models] for of_models in said]
        return [lawful.decode(merge_states(of_models).to_lattice(weights)).labels for of_models in graphs]

    plain = lawful.Decoder(labels=one.labels)
    ruled = lawful.Decoder(lawful.at_most_segments(4, "B-NP"), labels=one.labels)
    times = in_turns(
        {
            "one": lambda: plain.decode_batch(list(one.lattices(X)), jobs=1).labels,
            "five": lambda: plain.decode_batch(list(five.lattices(X)), jobs=1).labels,
            "ruled": lambda: ruled.decode_batch(list(five.lattices(X)), jobs=1).labels,
        },
        repeats,
    )
    graphs = in_turns({"graphs": by_graphs}, 1)["graphs"]
    answers = plain.decode_batch(list(five.lattices(few)), jobs=1).labels
    if [tuple(found) for found in answers] != by_graphs():
        raise AssertionError("merged trellises and merged graphs give different answers")
    return {
        "columns": len(next(iter(five.lattices(X[:1]))).columns),  # type: ignore[attr-defined]
        **{f"us_{way}": 1e6 * seconds / len(X) for way, seconds in times.items()},
        "us_graphs": 1e6 * graphs / len(few),
        "ratio": times["five"] / times["one"],
    }
