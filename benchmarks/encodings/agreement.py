"""Decoding under rules through encodings beside enumerating all canonical label sequences, on random problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

import lawful
from lawful.automata import Transducer, TransducerArc
from lawful.encodings import (
    ComposedLattices,
    Encoding,
    FeatureSymbol,
    history_encoding,
    identity_encoding,
    propose_move,
    scheme_encoding,
)
from lawful.encodings.properties import domain_of
from lawful.errors import EncodingError, InfeasibleError, RuleError
from lawful.lattice import path_score
from lawful.rules import Rules
from lawful.testing import penalty, random_lattice, random_rules, same_score
from lawful.testing.generators.surroundings import random_context, random_tokens

__all__ = ["Disagreement", "compare", "encodings", "random_encodings"]

LONGEST = {2: 5, 3: 4}  # by the number of labels, so that there are few sequences to enumerate
DIGITS = {"digit": 2, "short": 1}


class Disagreement(AssertionError):
    """A decoder and the enumeration of all sequences do not say the same."""


def attributes(tokens: Any) -> list[set[str]]:
    """What moves and conditions may look at."""
    return [
        {"digit"} if str(token)[:1].isdigit() else {"short"} if len(str(token)) < 3 else set()
        for token in tokens
    ]


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
        attributes=attributes,
    )


def encodings() -> list[Encoding]:
    """Encodings of every kind: some only subdivide labels, some delay tags, some look at tokens."""
    return [
        identity_encoding(["A", "B"]),
        history_encoding(["A", "B"], 2),
        history_encoding(["A", "B"], 3),
        *(scheme_encoding("IOB1", target) for target in ("IOB2", "IOE1", "IOE2", "IOBES")),
        scheme_encoding("IOBES", "IOB1"),
        scheme_encoding("IOB2", "BILOU", ["X", "Y"]),
        halved(identity_encoding(["A", "B", "C"])),
        halved(scheme_encoding("IOB1", "IOE2")),
    ]


def random_encodings(rng: np.random.Generator) -> Iterator[Encoding]:
    """Encodings as a search makes them: some random moves away from others."""
    while True:
        starts = [
            identity_encoding(["A", "B"]),
            scheme_encoding("IOB1", "IOB2"),
            scheme_encoding("IOB1", "IOE1"),
        ]
        start = starts[rng.integers(len(starts))]
        encoding = Encoding(start.transducer, labels=start.labels, name="moved", attributes=attributes)
        valid = domain_of(encoding)
        for _ in range(rng.integers(1, 6)):
            _, encoding = propose_move(encoding, rng, valid=valid, attributes=DIGITS)
        yield encoding


def all_scored(encoding: Encoding, tags: lawful.Lattice, rules: Rules) -> dict[tuple[str, ...], float]:
    """Every canonical sequence that has tags, with the score of its tags less the prices of its violations."""
    scores = {}
    for labels in product(encoding.labels, repeat=tags.length):
        try:
            encoded = encoding.encode(labels, tags.tokens)
        except EncodingError:
            continue
        scores[labels] = path_score(tags, encoded) - penalty(tags, rules, labels)
    return {labels: score for labels, score in scores.items() if score > -np.inf}


def compare(encoding: Encoding, rng: np.random.Generator, count: int) -> Counter[str]:
    """Compare on random problems until `count` of them suit their rules: how many had an answer, and how many had none.

    The best labels, the four best, the sum over all, as trellis and as graph. Raises `Disagreement`.
    """
    ways = {
        "trellis": ComposedLattices(encoding, encoding.tags),
        "graph": ComposedLattices(encoding, encoding.tags, as_graph=True),
    }
    seen: Counter[str] = Counter()
    while seen.total() < count:
        length = int(rng.integers(1, LONGEST.get(len(encoding.labels), 3) + 1))
        tags = random_lattice(
            rng,
            length=length,
            labels=encoding.tags,
            tokens=random_tokens(rng, length),
            context=random_context(rng, length, encoding.labels),
            forbid=0.03,
        )
        rules = random_rules(rng, encoding.labels, int(rng.integers(0, 4)))
        try:
            expected = all_scored(encoding, tags, rules)
            decoder = lawful.Decoder(rules, labels=encoding.labels)
            for way, composed in ways.items():
                complaint = _complaint(decoder, composed(tags), expected)
                if complaint:
                    raise Disagreement(f"{encoding.name} as {way}: {complaint}, under {rules!r}")
        except RuleError:
            continue  # a rule does not suit these tokens
        seen["answered" if expected else "contradictory"] += 1
    return seen


def _complaint(
    decoder: lawful.Decoder, lattice: lawful.lattice.AnyLattice, expected: dict[tuple[str, ...], float]
) -> str:
    if not expected:
        try:
            return f"{decoder.decode(lattice).labels} although nothing is legal"
        except InfeasibleError:
            return ""
    best = max(expected.values())
    decoding = decoder.decode(lattice)
    if not (same_score(decoding.score, best) and same_score(expected.get(decoding.labels, -np.inf), best)):
        return f"{decoding.labels} at {decoding.score!r} instead of {best!r}"
    ranked = decoder.nbest(lattice, n=4)
    if len({answer.labels for answer in ranked}) < len(ranked):
        return "the four best repeat labels"
    wanted = sorted(expected.values(), reverse=True)[:4]
    if len(ranked) != len(wanted) or not all(
        same_score(answer.score, score) and same_score(expected.get(answer.labels, -np.inf), score)
        for answer, score in zip(ranked, wanted, strict=True)
    ):
        return f"the four best at {[answer.score for answer in ranked]} instead of {wanted}"
    total = best + np.log(np.exp(np.array([*expected.values()]) - best).sum())
    if abs(decoder.log_partition(lattice) - total) > 1e-6:
        return f"the sum of all at {decoder.log_partition(lattice)!r} instead of {total!r}"
    return ""
