"""Probabilities of labels and fields of an answer."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful.decoding import estimate_confidence

LABELS = ["A", "B", "C"]
RULES = lawful.Rules(
    lawful.at_most_segments(1, "A"),
    lawful.at_least(1, "B").soft(0.7),
    lawful.at_most(1, "C").soft(0.4, per="violation"),
)


def lattice_of(seed: int, length: int = 6) -> lawful.Lattice:
    rng = np.random.default_rng(seed)
    return lawful.Lattice(rng.normal(size=(length, 3)), rng.normal(size=(3, 3)), labels=LABELS)


@pytest.mark.parametrize("seed", range(5))
def test_samples_agree_with_exact_sums(seed: int) -> None:
    lattice, decoder = lattice_of(seed), lawful.Decoder(RULES, labels=LABELS)
    labels = decoder.decode(lattice).labels
    exact = estimate_confidence(decoder, lattice, labels)
    sampled = estimate_confidence(decoder, lattice, labels, samples=20_000, max_states=1)
    assert (exact.method, sampled.method) == ("exact", "sampled")
    assert sampled.labels == pytest.approx(exact.labels, abs=0.03)
    assert [span for span, _ in exact.fields] == [span for span, _ in sampled.fields] != []
    for (span, one), (_, other) in zip(exact.fields, sampled.fields, strict=True):
        assert one == pytest.approx(other, abs=0.03)
        marginals = decoder.marginals(lattice)
        assert one == pytest.approx(marginals.segment(span.start, span.end, span.type))


def test_without_rules_probabilities_are_the_model_s() -> None:
    lattice = lattice_of(9)
    sure = estimate_confidence(lawful.Decoder(labels=LABELS), lattice, ["A"] * 6)
    assert sure.labels == pytest.approx(lawful.marginals(lattice).labels[:, 0].tolist())
    assert sure.method == "exact"


def test_where_no_sample_obeys_the_model_s_own_are_given() -> None:
    lattice = lawful.Lattice([[0.0, 30.0]] * 5, labels=["A", "B"])
    decoder = lawful.Decoder(lawful.forbid("B"), labels=["A", "B"])
    sure = estimate_confidence(decoder, lattice, ["A"] * 5, max_states=1)
    assert sure.method == "model"
    assert max(sure.labels) < 1e-9


def test_a_field_of_tags_goes_no_further_than_it_says() -> None:
    labels = ["O", "B-X", "I-X"]
    lattice = lawful.Lattice(np.log([[0.2, 0.7, 0.1], [0.3, 0.1, 0.6], [0.5, 0.1, 0.4]]), labels=labels)
    sure = estimate_confidence(lawful.Decoder(labels=labels), lattice, ["B-X", "I-X", "O"])
    [(span, probability)] = sure.fields
    assert tuple(span) == ("X", 0, 2)
    assert probability == pytest.approx(0.7 * 0.6 * 0.6)
