"""Decoding under rules through encodings: what is found is what enumerating all canonical label sequences finds."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import lawful
from lawful.automata import Transducer, TransducerArc
from lawful.encodings import (
    ComposedLattices,
    Encoded,
    Encoding,
    FeatureSymbol,
    history_encoding,
    identity_encoding,
    scheme_encoding,
)
from lawful.errors import EncodingError, InfeasibleError, RuleError
from lawful.lattice import path_score
from lawful.rules import Rules
from lawful.testing import penalty, random_lattice, random_rules, same_score
from lawful.testing.generators.surroundings import random_context, random_tokens


def halved(encoding: Encoding) -> Encoding:
    """Every arc in two: on tokens that begin with a digit, and on others."""
    arcs = []
    for arc in encoding.transducer.arcs:
        label = str(arc.input)
        arcs.append(arc._replace(input=FeatureSymbol.of(label, ["digit"])))
        other = tuple(f"{tag}.2" for tag in arc.output)
        arcs.append(TransducerArc(arc.source, FeatureSymbol.of(label, (), ["digit"]), arc.target, other))
    return Encoding(
        Transducer(arcs, encoding.transducer.endings),
        labels=encoding.labels,
        name=f"{encoding.name}, halved",
        attributes=lambda tokens: [{"digit"} if str(token)[:1].isdigit() else set() for token in tokens],
    )


ENCODINGS = [
    identity_encoding(["A", "B"]),
    history_encoding(["A", "B"], 2),
    history_encoding(["A", "B"], 3),
    *(scheme_encoding("IOB1", target) for target in ("IOB2", "IOE1", "IOE2", "IOBES")),
    scheme_encoding("IOBES", "IOB1"),
    scheme_encoding("IOB2", "BILOU", ["X", "Y"]),
    halved(identity_encoding(["A", "B", "C"])),
    halved(scheme_encoding("IOB1", "IOE2")),
]


def all_scored(encoding: Encoding, tags: lawful.Lattice, rules: Rules) -> dict[tuple[str, ...], float]:
    """Every canonical sequence that has tags, with the score of its tags less the prices of its violations."""
    scores = {}
    for labels in product(encoding.labels, repeat=tags.length):
        try:
            encoded = encoding.encode(labels, tags.tokens)
        except EncodingError:
            continue
        charged = penalty(tags, rules, labels)
        scores[labels] = path_score(tags, encoded) - charged
    return {labels: score for labels, score in scores.items() if score > -np.inf}


@pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda encoding: encoding.name)
@pytest.mark.parametrize("chunk", range(2))
def test_decoding_through_an_encoding_is_exact(encoding: Encoding, chunk: int) -> None:
    rng = np.random.default_rng([chunk, len(encoding.tags)])
    composed = ComposedLattices(encoding, encoding.tags)
    longest = {2: 5, 3: 4}.get(len(encoding.labels), 3)
    for _ in range(60):
        length = int(rng.integers(1, longest + 1))
        tags = random_lattice(
            rng,
            length=length,
            labels=encoding.tags,
            tokens=random_tokens(rng, length),
            context=random_context(rng, length, encoding.labels),
            forbid=0.03,
        )
        rules = random_rules(rng, encoding.labels, int(rng.integers(0, 4)))
        lattice = composed(tags)
        try:
            expected = all_scored(encoding, tags, rules)
            decoder = lawful.Decoder(rules, labels=encoding.labels)
            if not expected:
                with pytest.raises(InfeasibleError):
                    decoder.decode(lattice)
                continue
            decoding = decoder.decode(lattice)
        except RuleError:
            continue  # the rule does not suit these tokens
        best = max(expected.values())
        assert same_score(decoding.score, best)
        assert same_score(expected[decoding.labels], best)
        ranked = decoder.nbest(lattice, n=4)
        wanted = sorted(expected.values(), reverse=True)[:4]
        assert [round(answer.score, 6) for answer in ranked] == [round(score, 6) for score in wanted]
        weights = np.exp(np.array([*expected.values()]) - best)
        total = best + np.log(weights.sum())
        assert abs(decoder.log_partition(lattice) - total) < 1e-6


def test_a_model_lacks_tags_that_its_data_lack() -> None:
    encoding = scheme_encoding("IOB1", "IOBES")
    model = Encoded(lawful.HMM(), encoding).fit([["a", "b", "c"]], [["I", "I", "O"]])
    assert set(model.model.labels) == {"B", "E", "O"} and model.labels == encoding.labels
    (labels,) = model.predict([["a", "b", "c", "a"]])
    assert lawful.Decoder(labels=encoding.labels).labels == model.labels and len(labels) == 4
    assert encoding.encode(labels)
