"""Lattices of tags composed with encodings: many at once as one by one, and what they look at as its definition says."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful.encodings import ComposedLattices, Encoding, FeatureSymbol, identity_encoding, propose_move
from lawful.encodings.composition.conditions import Conditions
from lawful.errors import EncodingError
from lawful.lattice import TagLattice
from lawful.models.features import Features, window, word

FEATURES = Features(window(word(), -1, 1))


def looking(seed: int) -> Encoding:
    rng = np.random.default_rng(seed)
    plain = identity_encoding(["A", "B"])
    encoding = Encoding(plain.transducer, labels=plain.labels, attributes=FEATURES.attributes)
    attributes = {"word=x": 3, "word[-1]=y": 2, "word[+1]=x": 1}
    for _ in range(4):
        kinds = ["specialize feature", "copy feature forward"]
        _, encoding = propose_move(encoding, rng, attributes=attributes, kinds=kinds)
    return encoding


def lattices(encoding: Encoding, rng: np.random.Generator) -> list[lawful.Lattice]:
    lengths = [int(length) for length in rng.integers(1, 6, size=12)]
    return [
        lawful.Lattice(
            rng.normal(size=(length, len(encoding.tags))),
            labels=encoding.tags,
            tokens=["xyz"[k] for k in rng.integers(3, size=length)],
        )
        for length in lengths
    ]


@pytest.mark.parametrize("seed", range(5))
def test_many_lattices_are_composed_as_each_of_them(seed: int) -> None:
    encoding = looking(seed)
    compose = ComposedLattices(encoding, encoding.tags)
    tags = lattices(encoding, np.random.default_rng(seed))
    for at_once, alone in zip(compose.many(tags), map(compose, tags), strict=True):
        assert isinstance(at_once, TagLattice) and isinstance(alone, TagLattice)
        assert at_once.mask is not None and np.array_equal(at_once.mask, alone.mask)
        assert lawful.decode(at_once).labels == lawful.decode(alone).labels


def test_conditions_are_those_of_the_attributes_that_python_makes() -> None:
    encoding = looking(0)
    symbols = [arc.input for arc in encoding.transducer.arcs if isinstance(arc.input, FeatureSymbol)]
    by_hand = Encoding(
        encoding.transducer, labels=encoding.labels, attributes=lambda tokens: FEATURES.attributes(tokens)
    )
    sequences = [list("xyxzx"), ["y"], list("zyx")]
    ours, theirs = (Conditions(one, symbols).meeting(sequences) for one in (encoding, by_hand))
    assert len(ours) == len(symbols) > 1
    assert all(np.array_equal(*pair) for pair in zip(ours, theirs, strict=True))


def test_tokens_that_are_missing_are_missed() -> None:
    encoding = looking(1)
    nothing = lawful.Lattice(np.zeros((2, len(encoding.tags))), labels=encoding.tags)
    with pytest.raises(EncodingError, match="of tokens, but there are none"):
        list(ComposedLattices(encoding, encoding.tags).many([nothing]))
