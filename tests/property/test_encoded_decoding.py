"""Decoding under rules through encodings: what is found is what enumerating all canonical label sequences finds.

`make bench-encodings` does the same on 5,000 problems.
"""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from benchmarks.encodings.agreement import compare, encodings, random_encodings
from lawful.encodings import Encoded, Encoding, scheme_encoding


@pytest.mark.parametrize("encoding", encodings(), ids=lambda encoding: encoding.name)
def test_decoding_through_an_encoding_is_exact(encoding: Encoding) -> None:
    rng = np.random.default_rng(len(encoding.tags))
    assert compare(encoding, rng, 50)["answered"] > 25


@pytest.mark.parametrize("seed", range(4))
def test_decoding_through_encodings_that_a_search_makes_is_exact(seed: int) -> None:
    rng = np.random.default_rng([7, seed])
    made = random_encodings(rng)
    for _ in range(12):
        compare(next(made), rng, 8)


def test_a_model_lacks_tags_that_its_data_lack() -> None:
    encoding = scheme_encoding("IOB1", "IOBES")
    model = Encoded(lawful.HMM(), encoding).fit([["a", "b", "c"]], [["I", "I", "O"]])
    assert set(model.model.labels) == {"B", "E", "O"} and model.labels == encoding.labels
    (labels,) = model.predict([["a", "b", "c", "a"]])
    assert lawful.Decoder(labels=encoding.labels).labels == model.labels and len(labels) == 4
    assert encoding.encode(labels)
